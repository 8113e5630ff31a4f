"""Running the command line inside the test process."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from rules_dsl.cli import rules

Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    """`run("list", "--json")`: the result of a command; an exception of ours is a failure."""

    def invoke(*args: str, stdin: str = "") -> Result:
        result = CliRunner().invoke(rules, list(args), input=stdin, prog_name="rules")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert "the program failed" not in result.output
        for line in result.stdout.splitlines():
            assert "\x1b" not in line, "output is plain when it is piped"
        return result

    return invoke
