"""Help for authors: `rules diff`, and the options of `rules verify` besides proofs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from rules_dsl.cli.game_argument import choice, game_options, json_option
from rules_dsl.language.files import write_text

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from verify.authoring.mutation import MutationReport
    from verify.compare.changes import Diff


@click.command()
@click.argument("one")
@click.argument("two")
@game_options
@click.option(
    "--records",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    help="Save the positions that show the differences, to be replayed.",
)
@json_option
def diff(
    one: str,
    two: str,
    players: int | None,
    options: tuple[str, ...],
    variants: tuple[str, ...],
    records: str | None,
    as_json: bool,
) -> None:
    """Show how the rules of games ONE and TWO differ, with positions in which it matters.

    All numbers of players and all options that are not named are compared; differences that only
    they show are listed separately. --option and --variant apply to TWO only. Exits with 1 if there
    is a difference.
    """
    from rules_dsl.cli.shared_configurations import shared_configurations
    from verify.compare.differences import diff as compare

    found: Diff | None = None
    asked = choice(one, players, (), ()), choice(two, players, options, variants)
    for configuration in shared_configurations(*asked):
        games = configuration.one.load(), configuration.two.load()
        if found is None:
            found = compare(*games)
        else:
            found.extend(configuration.name, compare(*games, known=found.changes))
    assert found is not None
    if records is not None:
        _save(found, Path(records))
    click.echo(found.to_json() if as_json else found.text())
    raise click.exceptions.Exit(0 if found.equivalent else 1)


def _save(found: Diff, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, change in enumerate(found.changes, 1):
        if change.witness is not None:
            for side, record in zip(("one", "two"), change.witness.records, strict=True):
                write_text(folder / f"{number}_{side}.json", record)


def mutate(
    game: Game, budget: int, seed: int, as_json: bool, jobs: int, kept: Path | None
) -> MutationReport:
    """Print the fates of mutants."""
    from verify.authoring.kept_mutants import OtherMutantsError
    from verify.authoring.mutation import mutate as try_mutants

    try:
        report = try_mutants(game, budget or None, seed, jobs=jobs, kept=kept)
    except OtherMutantsError as error:
        raise click.UsageError(str(error)) from None
    if as_json:
        data = {
            "game": report.game,
            "players": report.players,
            "share": report.share,
            "mutants": [
                {
                    "mutant": str(o.mutant),
                    "operator": o.mutant.operator,
                    "fate": o.fate,
                    "by": o.by,
                    "detail": o.detail,
                    "seconds": o.seconds,
                }
                for o in report.outcomes
            ],
        }
        click.echo(json.dumps(data, indent=1, ensure_ascii=False))
    else:
        click.echo(report.text())
    return report


def suggest(game: Game, seed: int, as_json: bool, mutation: MutationReport | None) -> None:
    """Print candidate invariants as lines to paste, and requirements that nothing protects."""
    from verify.authoring.suggestions import suggest as guess

    found = guess(game, seed=seed, requirements=True, mutation=mutation)
    if as_json:
        invariants = [attrs.asdict(invariant) for invariant in found.invariants]
        unprotected = [str(mutant) for mutant in found.unprotected]
        data = {"game": found.game, "invariants": invariants, "unprotected": unprotected}
        click.echo(json.dumps(data, indent=1, ensure_ascii=False))
    else:
        click.echo(found.text() or f"{found.game}: nothing to suggest")
