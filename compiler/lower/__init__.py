"""Lowering: from the checked syntax tree to the IR."""

from compiler.lower.module import lower_module

__all__ = ["lower_module"]
