"""`--dask`: work on the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from rules_dsl.cli.errors import BadInput

if TYPE_CHECKING:
    from concurrent.futures import Executor

SECONDS_TO_CONNECT = 10

dask_option = click.option(
    "--dask", "cluster", metavar="ADDRESS", help="Work on the workers of a Dask cluster."
)


@contextmanager
def workers_of(cluster: str | None) -> Iterator[Executor | None]:
    """The executor of a Dask cluster, if one is named."""
    if cluster is None:
        yield None
        return
    try:
        import distributed
    except ImportError:
        raise BadInput("--dask needs Dask: `pip install 'rules-dsl[fleet]'`") from None
    try:
        client = distributed.Client(cluster, timeout=SECONDS_TO_CONNECT)
    except (OSError, ValueError) as error:
        raise BadInput(f"no Dask scheduler answers at {cluster}: {error}") from None
    with client:
        yield client.get_executor(pure=False)
