"""The typed intermediate representation: one meaning for every construct.

Everything is a whole number: enums, rows and players count from 0, false and true are 0 and 1,
`none` is one below the least value of its type. Indices are counted from 0. Every expression knows
the range of its value (`lo`..`hi`), so that back ends need no types of their own.

The Python code, the C code and the SMT formulas are all generated from this and from nothing else.
"""

from compiler.ir.control import *
from compiler.ir.expressions import *
from compiler.ir.rules import *
from compiler.ir.state import *
from compiler.ir.statements import *
