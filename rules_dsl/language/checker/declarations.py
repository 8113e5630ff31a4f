"""The meanings of declarations; each is determined when it is first needed."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.const_declarations import const_maker
from rules_dsl.language.checker.context import Context
from rules_dsl.language.checker.enums import declare_enum
from rules_dsl.language.checker.goods import check_goods, declare_goods, limit_goods
from rules_dsl.language.checker.naming import check_value_names, later
from rules_dsl.language.checker.options import declare_option
from rules_dsl.language.checker.pieces import piece_maker
from rules_dsl.language.checker.relations import relation_maker
from rules_dsl.language.checker.seats import declare_players
from rules_dsl.language.checker.signatures import action_maker, function_maker, procedure_maker
from rules_dsl.language.checker.state import (
    check_size,
    check_zones,
    pool_maker,
    variable_maker,
    zone_maker,
)
from rules_dsl.language.checker.tables import declare_table, fill_table


def declare(ctx: Context) -> None:
    """Take up every name of the program."""
    declare_players(ctx)
    for declaration in ctx.program.of(s.Option):
        declare_option(ctx, declaration)
    for enum in ctx.program.of(s.Enum):
        declare_enum(ctx, enum)
    for good in ctx.program.of(s.Good):
        declare_goods(ctx, good)
    for table in ctx.program.of(s.Table):
        declare_table(ctx, table)
    for const in ctx.program.of(s.Const):
        later(ctx, const.name, const_maker(ctx, const))
    places: dict[str, int] = {}
    for state in ctx.program.of(s.State):
        for item in state.items:
            match item:
                case s.StateVar():
                    later(ctx, item.name, variable_maker(ctx, item))
                case s.Pool():
                    later(ctx, item.name, pool_maker(ctx, item))
                case s.Zone():
                    later(ctx, item.name, zone_maker(ctx, item, places))
    for piece in ctx.program.of(s.Piece):
        later(ctx, piece.name, piece_maker(ctx, piece))
    for relation in ctx.program.of(s.Relation):
        later(ctx, relation.name, relation_maker(ctx, relation))
    for function in ctx.program.of(s.Function):
        later(ctx, function.name, function_maker(ctx, function))
    for action in ctx.program.of(s.Action):
        later(ctx, action.name, action_maker(ctx, action))
    for procedure in ctx.program.of(s.Procedure):
        later(ctx, procedure.name, procedure_maker(ctx, procedure))
    limit_goods(ctx)
    check_value_names(ctx)
    for table in ctx.program.of(s.Table):
        if table.name.name in ctx.types:
            fill_table(ctx, ctx.tables[ctx.types[table.name.name]])
    for name in list(ctx.pending):
        ctx.lookup(name)
    check_zones(ctx)
    check_goods(ctx)
    check_size(ctx)
