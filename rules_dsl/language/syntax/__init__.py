"""The syntax tree of a rule file, each node with its place in the source.

Nodes compare by identity, so that the checker can keep facts about them in dictionaries.
"""

from rules_dsl.language.syntax.components import *
from rules_dsl.language.syntax.examples import *
from rules_dsl.language.syntax.expressions import *
from rules_dsl.language.syntax.files import *
from rules_dsl.language.syntax.parts import *
from rules_dsl.language.syntax.relations import *
from rules_dsl.language.syntax.rules import *
from rules_dsl.language.syntax.state import *
from rules_dsl.language.syntax.statements import *
from rules_dsl.language.syntax.tables import *
from rules_dsl.language.syntax.types import *
from rules_dsl.language.syntax.variants import *
