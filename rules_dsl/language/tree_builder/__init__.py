"""From Lark's parse tree to the syntax tree."""

from rules_dsl.language.tree_builder.builder import Misplaced
from rules_dsl.language.tree_builder.decisions import DecisionBuilder
from rules_dsl.language.tree_builder.examples import ExampleBuilder
from rules_dsl.language.tree_builder.expressions import ExpressionBuilder
from rules_dsl.language.tree_builder.rules import RuleBuilder
from rules_dsl.language.tree_builder.state import StateBuilder
from rules_dsl.language.tree_builder.statements import StatementBuilder
from rules_dsl.language.tree_builder.types import TypeBuilder
from rules_dsl.language.tree_builder.variants import VariantBuilder

__all__ = ["Misplaced", "TreeBuilder"]


class TreeBuilder(
    ExpressionBuilder,
    TypeBuilder,
    StatementBuilder,
    DecisionBuilder,
    StateBuilder,
    RuleBuilder,
    ExampleBuilder,
    VariantBuilder,
):
    """Builds the nodes of every kind of parse tree, each by the method of its name."""
