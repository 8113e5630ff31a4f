"""Tests of Ctrl-C hold however the tests are started."""

from __future__ import annotations

import signal

# A shell that starts a command in the background lets it, and all that it starts, ignore Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
