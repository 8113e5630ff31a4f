"""`rules serve`: play and write rules in a browser."""

from __future__ import annotations

import socket
from pathlib import Path

import click

from rules_dsl.cli.errors import BadInput
from rules_dsl.language.sources import read, shipped_games


@click.command("serve", short_help="Play and write rules in a browser.")
@click.argument("names", nargs=-1, metavar="[GAME|FILE]...")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8137,
    show_default=True,
    help="Port to listen on; 0 takes any free port.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address to listen on; other machines can reach the server only if you change it.",
)
@click.option(
    "--name",
    "known_as",
    multiple=True,
    metavar="HOST",
    help="A name by which browsers reach the server; may be repeated.",
)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Folder for tables and texts.",
)
def serve_command(
    names: tuple[str, ...], port: int, host: str, known_as: tuple[str, ...], data: Path | None
) -> None:
    """Play games and write house rules in a browser, on this machine.

    With GAMEs only those are offered; a FILE is offered as a text to work on. Tables and texts are
    kept: they are there again after a restart.
    """
    try:
        import uvicorn

        from rules_dsl.web.app import ServerSettings, make_app
        from rules_dsl.web.desk import Refused
    except ImportError as error:
        raise BadInput(
            f"`rules serve` needs more: `pip install 'rules-dsl[web]'` ({error.name} is missing)"
        ) from None
    from rules_dsl.web.store import default_folder

    if not all((host, *known_as)):
        # An empty address means every network that this machine is in.
        raise BadInput("an address or a name of the server must not be empty")
    games, texts = _sorted(names)
    settings = ServerSettings(
        data or default_folder(), games, texts, hosts=tuple(known_as) or (host,)
    )
    try:
        app = make_app(settings)
    except Refused as error:
        raise BadInput(f"{error}: `--data` names another folder") from None
    listener = _listen(host, port)
    bound = listener.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    click.echo(f"http://{shown}:{bound}/ (Ctrl-C ends the server)")
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, timeout_graceful_shutdown=2, server_header=False
    )
    uvicorn.Server(config).run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens; raises `BadInput` if that is not possible."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        # Browsers may connect at once: the system lets them wait.
        listener.listen()
    except OSError as error:
        listener.close()
        raise BadInput(f"cannot listen at {host}:{port}: {error.strerror}") from None
    return listener


def _sorted(names: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[Path, ...]]:
    """The games to offer, and the rule files to work on."""
    shipped = shipped_games()
    texts = tuple(Path(name) for name in names if name not in shipped)
    for path in texts:
        read(path)  # a clear error at once if it cannot be read
    games = tuple(name for name in names if name in shipped)
    return games or tuple(shipped), texts
