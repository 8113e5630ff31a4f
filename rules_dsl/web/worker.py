"""The inside of a worker process: `python -m rules_dsl.web.worker LIMITS`; see `workers`."""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, BinaryIO

from rules_dsl.language.diagnostics import RuleError
from rules_dsl.web import tasks
from rules_dsl.web.desk import Desk, Refused, Setup

Tell = Callable[[dict[str, Any]], None]


def main() -> None:
    """Answer requests until standard input closes."""
    cpu_seconds, memory = json.loads(sys.argv[1])
    limit(cpu_seconds, memory)
    # Only answers go to the pipe; other output must not mix with them.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    # Processes that are started here close their standard input: it must not be the one that a
    # thread is reading, whose lock they would wait for.
    asked = os.fdopen(os.dup(0), "rb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    requests: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=_read, args=(asked, requests), daemon=True).start()

    def tell(answer: dict[str, Any]) -> None:
        answers.write(json.dumps(answer, ensure_ascii=False) + "\n")
        answers.flush()

    desks: list[Desk] = []
    while True:
        request = requests.get()
        try:
            tell({"result": answer(request["do"], request["args"], desks, tell)})
        except Refused as error:
            tell({"refused": str(error), "reasons": error.reasons})
        except RuleError as error:
            # Without its place, which would reveal folders of the server.
            tell({"refused": f"the rules have errors: {error.diagnostics[0].message}"})
        except MemoryError:
            tell({"refused": "the rules need more memory than is allowed here"})
        except Exception as error:
            tell({"refused": f"{type(error).__name__}: {error}"[:500]})


def answer(do: str, args: list[Any], desks: list[Desk], tell: Tell) -> Any:
    """Carry out one request."""
    if do == "open":
        setup, codes = args
        desks[:] = [Desk(Setup.from_data(setup), tuple(codes))]
        return None
    if do == "desk":
        method, *rest = args
        return getattr(desks[0], method)(*rest)
    return tasks.TASKS[do](lambda event: tell({"event": event}), *args)


def _read(asked: BinaryIO, requests: queue.Queue[dict[str, Any]]) -> None:
    for line in asked:
        requests.put(json.loads(line))
    # The server is gone, or wants no more: everything that was started here goes with it.
    os.killpg(os.getpgid(0), signal.SIGKILL)


def limit(cpu_seconds: int, memory: int) -> None:
    """Limit what this process and each that it starts may use, where the system can."""
    try:
        import resource
    except ImportError:  # not a Unix system: the server still stops what takes too long
        return
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 5))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
