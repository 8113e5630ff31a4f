"""Applying a variant to a game: override, amend, replace, add, drop.

Every change names what it touches; a name that does not exist, and a thing touched twice, are
errors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import attrs

from rules_dsl.language import syntax as s
from rules_dsl.language.diagnostics import Note, Reporter, did_you_mean
from rules_dsl.language.spans import Span
from rules_dsl.language.variant_choices import change_choice
from rules_dsl.language.variant_values import set_cell, set_start

if TYPE_CHECKING:
    from rules_dsl.language.program import Program

N = TypeVar("N", bound=s.Node)

_KINDS: dict[str, type[s.Declaration]] = {
    "invariant": s.Invariant,
    "action": s.Action,
    "function": s.Function,
    "procedure": s.Procedure,
    "relation": s.Relation,
}


def apply_variant(
    program: Program, variant: s.Variant, touched: dict[str, Span], reporter: Reporter
) -> None:
    """Change the program as the variant says."""
    for item in variant.items:
        Applier(program, variant, touched, reporter).apply(item)


@attrs.define
class Applier:
    """Applies the changes of one variant."""

    program: Program
    variant: s.Variant
    touched: dict[str, Span]
    reporter: Reporter

    def apply(self, item: s.VariantItem) -> None:
        match item:
            case s.SetConst(const):
                self.replace_const(const)
            case s.SetOption():
                self.set_option(item)
            case s.SetStart():
                set_start(self, item)
            case s.SetCell():
                set_cell(self, item)
            case s.AmendSection():
                self.amend_section(item)
            case s.Amend():
                self.amend(item)
            case s.Replace(declaration):
                self.replace(declaration)
            case s.ReplaceRow():
                self.change_row(item.table, item.row, replace=True)
            case s.AddRow():
                self.change_row(item.table, item.row, replace=False)
            case s.Add(s.Const(name=ident)) if (old := self.const(ident)) is not None:
                self.reporter.error(
                    "E0202",
                    f"`{ident}` is declared twice",
                    ident.span,
                    hint=f"to change it, write `const {ident} = …` without `add`",
                    notes=[Note("declared here first", old.name.span)],
                )
            case s.Add(declaration):
                self.program.declarations.append(declaration)
                name = _name_of(declaration)
                if name:
                    self.program.touched[name] = "added"
            case s.AddOption():
                change_choice(self, item.procedure, item.choice, item, item.option.name)
            case s.DropOption():
                change_choice(self, item.procedure, item.choice, item, item.option)
            case s.Drop():
                self.drop(item)
            case s.DropRow():
                self.drop_row(item)
            case s.DropExample():
                self.drop_example(item)
            case s.VariantChange(declaration):
                self.program.declarations.append(declaration)

    # ---- finding ---------------------------------------------------------------------------------

    def touch(self, key: str, span: Span, what: str) -> bool:
        """Note that something is changed; twice is an error."""
        if key in self.touched:
            self.reporter.error(
                "E0510",
                f"{what} is changed twice",
                span,
                notes=[Note("first changed here", self.touched[key])],
            )
            return False
        self.touched[key] = span
        return True

    def find(self, kind: type[s.Declaration], ident: s.Ident, what: str) -> int | None:
        names = []
        for index, declaration in enumerate(self.program.declarations):
            if isinstance(declaration, kind):
                name = _name_of(declaration)
                names.append(name)
                if name == ident.name:
                    return index
        if f"{what} {ident.name}" in self.touched:  # another change dropped it
            self.touch(f"{what} {ident.name}", ident.span, f"the {what} `{ident.name}`")
            return None
        self.reporter.error(
            "E0511",
            f"the game has no {what} `{ident.name}`",
            ident.span,
            hint=did_you_mean(ident.name, names),
        )
        return None

    def const(self, ident: s.Ident) -> s.Const | None:
        """The constant of this name."""
        return next((c for c in self.program.of(s.Const) if c.name.name == ident.name), None)

    # ---- changes ---------------------------------------------------------------------------------

    def replace_const(self, const: s.Const) -> None:
        index = self.find(s.Const, const.name, "constant")
        if index is None or not self.touch(
            f"const {const.name}", const.span, f"the constant `{const.name}`"
        ):
            return
        old = self.program.declarations[index]
        assert isinstance(old, s.Const)
        new = attrs.evolve(
            const, index=const.index or old.index, note=const.note or old.note,
            cites=const.cites or old.cites, provenance=const.provenance or "own",
        )  # fmt: skip
        self.program.declarations[index] = new
        self.program.touched[const.name.name] = "constant changed"

    def set_option(self, item: s.SetOption) -> None:
        index = self.find(s.Option, item.name, item.kind)
        if index is None:
            return
        option = self.program.declarations[index]
        assert isinstance(option, s.Option)
        if option.kind != item.kind:
            self.reporter.error(
                "E0511",
                f"`{item.name}` is {_article(option.kind)}",
                item.span,
                hint=f"`{option.kind} {item.name} = …`",
            )
            return
        if not self.touch(f"option {item.name}", item.span, f"`{item.name}`"):
            return
        choices = [str(c.value) for c in option.choices]
        if choices == ["bool"]:
            choices = ["true", "false"]
        if str(item.value.value) not in choices:
            self.reporter.error(
                "E0512",
                f"`{item.name}` cannot be `{item.value.value}`",
                item.value.span,
                hint="one of: " + ", ".join(choices),
            )
            return
        self.program.declarations[index] = attrs.evolve(option, default=item.value)
        self.program.touched[item.name.name] = f"{item.kind} set"

    def amend(self, item: s.Amend) -> None:
        index = self.find(_KINDS[item.kind], item.name, item.kind)
        if index is None:
            return
        action = self.program.declarations[index]
        assert isinstance(action, s.Action | s.Procedure)
        key = f"{item.kind} {item.name}"
        if key in self.touched:
            self.touch(key, item.span, f"the {item.kind} `{item.name}`")
            return
        body = list(action.body)
        for change in item.changes:
            if item.kind == "procedure" and not isinstance(change, s.Wrap):
                self.reporter.error("E0516", "a procedure has no requirements to amend",
                                    change.span, hint="only `before` and `after`")  # fmt: skip
                continue
            match change:
                case s.DropRequire(reason):
                    found = self.requirement(body, reason, action)
                    if found is not None and self.touch(
                        f"{key} require {found}", change.span, "this requirement"
                    ):
                        del body[found]
                case s.Require():
                    body.insert(_head_length(body), change)
                case s.Except(label, to, condition):
                    self.add_exception(body, action, label, to, condition)
                case s.Wrap("before", effects):
                    at = _head_length(body)
                    body[at:at] = effects
                case s.Wrap(_, effects):
                    if body and isinstance(body[-1], s.Return | s.End):
                        self.reporter.error(
                            "E0513",
                            f"`{item.name}` ends with `return` or `end`: nothing can "
                            "happen after it",
                            change.span,
                        )
                        continue
                    body += effects
        self.program.declarations[index] = attrs.evolve(action, body=tuple(body))
        self.program.touched[item.name.name] = f"{item.kind} amended"

    def amend_section(self, item: s.AmendSection) -> None:
        """Insert statements before or after set-up or the course of the game."""
        sections = [x for x in self.program.of(s.Section) if x.kind == item.section]
        if not sections:
            self.reporter.error("E0511", f"the game has no `{item.section}`", item.span)
            return
        if item.section in self.touched:
            self.touch(item.section, item.span, f"`{item.section}`")
            return
        section = sections[0]
        body = section.body
        for change in item.changes:
            if not isinstance(change, s.Wrap):
                self.reporter.error("E0516", f"`{item.section}` has no requirements to amend",
                                    change.span, hint="only `before` and `after`")  # fmt: skip
            elif change.when == "before":
                body = change.body + body
            else:
                body = body + change.body
        at = self.program.declarations.index(section)
        self.program.declarations[at] = attrs.evolve(section, body=body)
        self.program.touched[item.section] = "amended"

    def requirement(
        self, body: list[s.Statement], reason: s.Text, action: s.Action | s.Procedure
    ) -> int | None:
        found = [
            i
            for i, line in enumerate(body)
            if isinstance(line, s.Require) and line.reason and reason.value in line.reason.value
        ]
        if len(found) == 1:
            return found[0]
        reasons = [
            line.reason.value for line in body if isinstance(line, s.Require) and line.reason
        ]
        if found:
            self.reporter.error(
                "E0514",
                f"{len(found)} requirements of `{action.name}` say that",
                reason.span,
                hint="quote more of the reason",
            )
        else:
            self.reporter.error(
                "E0514", f"no requirement of `{action.name}` says that", reason.span,
                hint="it has: " + "; ".join(f'"{r}"' for r in reasons) if reasons else "",
            )  # fmt: skip
        return None

    def add_exception(
        self, body: list[s.Statement], action: s.Action | s.Procedure, label: s.Text,
        to: s.Text | None, condition: s.Expr,
    ) -> None:  # fmt: skip
        if to is not None:
            found = self.requirement(body, to, action)
            targets = [] if found is None else [found]
        else:
            targets = [i for i, line in enumerate(body) if isinstance(line, s.Require)]
            if not targets:
                self.reporter.error(
                    "E0514", f"`{action.name}` has no requirement to except from", label.span
                )
        for index in targets:
            line = body[index]
            assert isinstance(line, s.Require)
            body[index] = attrs.evolve(
                line, exceptions=(*line.exceptions, (label.value, condition))
            )

    def replace(self, declaration: s.Declaration) -> None:
        kind = type(declaration)
        if isinstance(declaration, s.Section | s.Scoring):
            for index, old in enumerate(self.program.declarations):
                same = isinstance(old, kind) and getattr(old, "kind", "") == getattr(
                    declaration, "kind", ""
                )
                if same:
                    what = getattr(declaration, "kind", "scoring")
                    if self.touch(what, declaration.span, f"`{what}`"):
                        self.program.declarations[index] = declaration
                        self.program.touched[what] = "replaced"
                    return
            self.reporter.error("E0511", "the game has nothing like this", declaration.span)
            return
        ident = getattr(declaration, "name")  # noqa: B009 - every other declaration has a name
        what = kind.__name__.lower()
        found = self.find(kind, ident, what)
        if found is not None and self.touch(
            f"{what} {ident.name}", declaration.span, f"the {what} `{ident.name}`"
        ):
            self.program.declarations[found] = declaration
            self.program.touched[ident.name] = f"{what} replaced"

    def change_row(self, table_name: s.Ident, row: s.Row, replace: bool) -> None:
        index = self.find(s.Table, table_name, "table")
        if index is None or not self.touch(
            f"row {table_name}.{row.name}", row.span, f"the row `{row.name}`"
        ):
            return
        table = self.program.declarations[index]
        assert isinstance(table, s.Table)
        rows = list(table.rows)
        row = attrs.evolve(row, provenance=row.provenance or "own")
        if replace:
            at = self.row_index(table, row.name)
            if at is None:
                return
            old = rows[at]
            rows[at] = attrs.evolve(
                row, text=row.text or old.text, cites=row.cites or old.cites,
                bodies=row.bodies or old.bodies, seat=row.seat or old.seat,
                copies=row.copies or old.copies,
            )  # fmt: skip
        else:
            rows.append(row)
        self.program.declarations[index] = attrs.evolve(table, rows=tuple(rows))
        change = "row replaced" if replace else "row added"
        self.program.touched[f"{table_name}.{row.name}"] = change

    def row_index(self, table: s.Table, ident: s.Ident) -> int | None:
        for at, row in enumerate(table.rows):
            if row.name.name == ident.name:
                return at
        self.reporter.error(
            "E0511", f"the table `{table.name}` has no row `{ident.name}`", ident.span,
            hint=did_you_mean(ident.name, [r.name.name for r in table.rows]),
        )  # fmt: skip
        return None

    def drop_row(self, item: s.DropRow) -> None:
        index = self.find(s.Table, item.table, "table")
        if index is None:
            return
        table = self.program.declarations[index]
        assert isinstance(table, s.Table)
        at = self.row_index(table, item.row)
        if at is not None and self.touch(
            f"row {item.table}.{item.row}", item.span, f"the row `{item.row}`"
        ):
            rows = table.rows[:at] + table.rows[at + 1 :]
            self.program.declarations[index] = attrs.evolve(table, rows=rows)
            self.program.touched[f"{item.table}.{item.row}"] = "row dropped"

    def drop(self, item: s.Drop) -> None:
        if item.kind == "waive":
            waives = [d for d in self.program.of(s.Waive) if d.subject.name == item.name.name]
            if not waives:
                self.reporter.error("E0511", f"nothing is waived for `{item.name}`", item.span)
            for waive in waives:
                self.program.declarations.remove(waive)
            return
        index = self.find(_KINDS[item.kind], item.name, item.kind)
        if index is not None and self.touch(
            f"{item.kind} {item.name}", item.span, f"the {item.kind} `{item.name}`"
        ):
            del self.program.declarations[index]
            self.program.touched[item.name.name] = f"{item.kind} dropped"

    def drop_example(self, item: s.DropExample) -> None:
        for index, declaration in enumerate(self.program.declarations):
            if isinstance(declaration, s.Example) and declaration.title.value == item.title.value:
                del self.program.declarations[index]
                return
        titles = [e.title.value for e in self.program.of(s.Example)]
        self.reporter.error(
            "E0511", "the game has no such example", item.title.span,
            hint=did_you_mean(item.title.value, titles),
        )  # fmt: skip


def _head_length(body: list[s.Statement]) -> int:
    """Number of lines of an action before its effects."""
    last = 0
    for index, line in enumerate(body):
        if isinstance(line, s.Require):
            last = index + 1
        elif not isinstance(line, s.Let):
            break
    return last


def _name_of(declaration: s.Declaration) -> str:
    name = getattr(declaration, "name", None)
    return name.name if isinstance(name, s.Ident) else ""


def _article(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"
