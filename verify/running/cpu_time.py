"""Processor time, which does not depend on the load of the machine."""

from __future__ import annotations

import os


def cpu_seconds() -> float:
    """Processor time of this process and of all its workers that have ended.

    >>> began = cpu_seconds()
    >>> cpu_seconds() >= began
    True
    """
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
