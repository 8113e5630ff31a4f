"""Other libraries that play games at random, for `rules bench`: each where it is installed."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import random
from collections.abc import Callable
from typing import Any

# Plays one game, or several, with a seed; returns the number of decisions.
Play = Callable[[int], int]

# Distributions by the name that people use for them.
PACKAGES = {"OpenSpiel": "open_spiel", "PettingZoo": "pettingzoo", "catanatron": "catanatron"}
# Games that OpenSpiel has under the same name and that begin with a decision.
IN_OPENSPIEL = ("tic_tac_toe", "connect_four", "breakthrough", "hex", "mancala")
IN_OPENSPIEL_PYTHON = {"tic_tac_toe": "python_tic_tac_toe"}
IN_PETTINGZOO = {"tic_tac_toe": "tictactoe", "connect_four": "connect_four"}
# Settlers of Catan stands for a game of this size: no other library has these two.
BESIDE_CATAN = ("tzolkin", "tikal")
GAMES_AT_ONCE = 50

# The same generator for every engine, made once: making one for each game would take longer than a
# game of tic-tac-toe, and hide the difference between the engines.
chance = random.Random(1).random


def versions() -> dict[str, str]:
    """The version of each library, or why it is not measured.

    >>> sorted(versions())
    ['OpenSpiel', 'PettingZoo', 'catanatron']
    """
    found = {}
    for name, package in PACKAGES.items():
        try:
            found[name] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not installed"
    if found["PettingZoo"] != "not installed" and importlib.util.find_spec("pygame") is None:
        found["PettingZoo"] += " without pygame, which its classic games need"
    return found


def other_engines(game: str, players: int) -> dict[str, Play]:
    """Functions that play a game with other libraries, by name of the measurement."""
    found: dict[str, Play] = {}
    if game in IN_OPENSPIEL:
        found |= _openspiel(game)
    if game in IN_OPENSPIEL_PYTHON:
        found |= _openspiel_python(IN_OPENSPIEL_PYTHON[game])
    if game in IN_PETTINGZOO:
        found |= _pettingzoo(IN_PETTINGZOO[game])
    if game in BESIDE_CATAN:
        found |= _catanatron(players)
    return found


def _openspiel(name: str) -> dict[str, Play]:
    try:
        import pyspiel
    except ImportError:
        return {}
    game = pyspiel.load_game(name)
    mean = sum(_openspiel_loop(game) for _ in range(100)) / 100
    # Python reaches its C++ rollouts through a search of one simulation, which plays them from the
    # start; it does not say how long they were.
    rollouts = pyspiel.RandomRolloutEvaluator(GAMES_AT_ONCE, 1)
    search = pyspiel.MCTSBot(game, rollouts, 1.0, 1, 10, False, 1, False)
    start = game.new_initial_state()

    def inside(seed: int) -> int:
        search.step(start)
        return round(mean * GAMES_AT_ONCE)

    return {"openspiel_step": lambda seed: _openspiel_loop(game), "openspiel_inside": inside}


def _openspiel_python(name: str) -> dict[str, Play]:
    """A game that OpenSpiel has in Python as well, stepped in the same way."""
    try:
        import open_spiel.python.games  # noqa: F401  registers them
        import pyspiel
    except ImportError:
        return {}
    game = pyspiel.load_game(name)
    return {"openspiel_python": lambda seed: _openspiel_loop(game)}


def _openspiel_loop(game: Any) -> int:
    state = game.new_initial_state()
    decisions = 0
    while not state.is_terminal():
        moves = state.legal_actions()
        state.apply_action(moves[int(chance() * len(moves))])
        decisions += 1
    return decisions


def _pettingzoo(name: str) -> dict[str, Play]:
    try:
        # Its classic games need pygame, which is not a part of its plain installation.
        module = importlib.import_module(f"pettingzoo.classic.{name}.{name}")
    except ImportError:
        return {}
    table = module.env()

    def play(seed: int) -> int:
        table.reset(seed=seed)
        decisions = 0
        while True:
            observation, _, ended, stopped, _ = table.last()
            if ended or stopped:
                return decisions
            moves = observation["action_mask"].nonzero()[0]
            table.step(int(moves[int(chance() * len(moves))]))
            decisions += 1

    return {"pettingzoo": play}


def _catanatron(players: int) -> dict[str, Play]:
    """Settlers of Catan with random players."""
    try:
        from catanatron import Color, Game, RandomPlayer
    except ImportError:
        return {}
    seats = [RandomPlayer(colour) for colour in list(Color)[:players]]

    def play(seed: int) -> int:
        game = Game(seats, seed=seed)
        game.play()
        return len(game.state.actions)

    return {"catanatron": play}
