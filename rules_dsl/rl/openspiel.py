"""Any game as an OpenSpiel game, registered as "rules".

`pyspiel.load_game("rules(game=tzolkin,players=3)")` loads one by name once this module is imported.
`game` is a shipped name or a file; options are written `options=edition:2018+auction:true` and
variants `variants=one+another`, since OpenSpiel keeps `=` and `,` for itself.

The game is sequential: players who choose at the same time choose one after another and do not see
each other's choice; moves with many parameters are chosen in parts. Chance is explicit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel

from compiler.loading import load
from rules_dsl.language.option_values import OptionValue
from rules_dsl.language.viewers import everybody
from rules_dsl.rl.episode import Episode, loaded
from rules_dsl.rl.limits import bounds_of
from rules_dsl.rl.rewards import Reward, rewards

if TYPE_CHECKING:
    from compiler.runtime.game import Game

NAME = "rules"
# The largest game length that OpenSpiel accepts.
LONGEST = 2**31 - 1
# Maximum size of an information-state tensor; beyond that there is none.
MAX_TENSOR = 20_000

DEFAULTS = {"game": "tic_tac_toe", "players": 0, "options": "", "variants": "", "reward": "win"}


def _game_type(game: Game | None, reward: Reward, tensor: bool) -> Any:
    """The OpenSpiel type of a game; without a game that of the registration."""
    points = [] if game is None else game.machine.meta["points"]
    kind = pyspiel.GameType
    chance = game is None or any("verb" in point for point in points)
    hidden = game is None or has_secrets(game)
    return kind(
        short_name=NAME,
        long_name="Rules" if game is None else game.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=(
            kind.ChanceMode.EXPLICIT_STOCHASTIC if chance else kind.ChanceMode.DETERMINISTIC
        ),
        information=(
            kind.Information.IMPERFECT_INFORMATION
            if hidden
            else kind.Information.PERFECT_INFORMATION
        ),
        utility=kind.Utility.ZERO_SUM if reward == "win" else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=10 if game is None else game.players,
        min_num_players=1 if game is None else game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=tensor,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=DEFAULTS,
    )


def has_secrets(game: Game) -> bool:
    """Whether players see different things, or choose secretly."""
    meta = game.machine.meta
    everyone = everybody(game.players)
    return (
        any(
            array["viewers"] != everyone
            for array in meta["arrays"].values()
            if array["kind"] != "zone"
        )
        or any(m not in (0, *everyone) for zone in meta["zones"].values() for m in zone[-1])
        or any(point.get("secret") for point in meta["points"])
    )


def options_text(options: dict[str, OptionValue]) -> str:
    """Options as OpenSpiel can carry them.

    >>> options_text({"edition": 2018, "auction": True})
    'edition:2018+auction:true'
    """
    shown = {True: "true", False: "false"}
    return "+".join(
        f"{name}:{shown[value] if isinstance(value, bool) else value}"
        for name, value in options.items()
    )


def _read_options(text: str) -> dict[str, Any]:
    return dict(part.split(":", 1) for part in text.split("+") if part)


def spiel_game(game: Game, reward: Reward = "win") -> Any:
    """A loaded game as a `pyspiel.Game`."""
    recipe = game.origin.recipe()
    return RulesGame(
        {
            "game": recipe.name,
            "players": recipe.players,
            "options": options_text(dict(recipe.options)),
            "variants": "+".join(recipe.variants),
            "reward": reward,
        }
    )


class RulesGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """One of our games in OpenSpiel."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**DEFAULTS, **(params or {})}
        name, players = str(given["game"]), int(given["players"])
        options = _read_options(str(given["options"]))
        variants = tuple(part for part in str(given["variants"]).split("+") if part)
        found = load(name, players or None, options, list(variants))
        self.recipe = found.origin.recipe()
        self.rules = loaded(self.recipe)
        self.reward: Reward = "score" if given["reward"] == "score" else "win"
        bounds = bounds_of(self.rules, self.reward, prove=False)
        parts = max(1, self._most_parts())
        length = LONGEST if bounds.decisions is None else bounds.decisions * parts
        # Maximum number of steps of an information state; None if it is too large for a tensor.
        self.rows: int | None = None
        if bounds.decisions is not None and bounds.draws is not None:
            rows = length + bounds.draws
            if rows * self.row_size <= MAX_TENSOR:
                self.rows = rows
        outcomes = [p["range"] for p in self.rules.machine.meta["points"] if "verb" in p]
        super().__init__(
            _game_type(self.rules, self.reward, tensor=self.rows is not None),
            pyspiel.GameInfo(
                num_distinct_actions=self.rules.actions.size,
                max_chance_outcomes=max((high - low + 1 for low, high in outcomes), default=0),
                num_players=self.rules.players,
                min_utility=bounds.low,
                max_utility=bounds.high,
                **({"utility_sum": 0.0} if self.reward == "win" else {}),
                max_game_length=min(length, LONGEST),
            ),
            {**given, "players": self.rules.players},
        )

    def _most_parts(self) -> int:
        """The largest number of ids that one move takes."""
        actions, points = self.rules.actions, self.rules.machine.meta["points"]
        return max(
            (
                len(actions.spelling(number, option[2]))
                for number, point in enumerate(points)
                for option in point.get("options", ())
            ),
            default=1,
        )

    @property
    def row_size(self) -> int:
        """Size of one step in an information-state tensor: action, player and observation."""
        return self.rules.observations.size + self.rules.actions.size + self.rules.players

    def new_initial_state(self) -> RulesState:
        """The opening position, before chance acts."""
        return RulesState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> RulesObserver:
        """An observer that turns positions into tensors and texts."""
        return RulesObserver(self, iig_obs_type, params)


class RulesState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A position in OpenSpiel. What it holds never changes, so that clones can share it."""

    def __init__(self, game: RulesGame) -> None:
        super().__init__(game)
        self.episode = Episode.start(game.recipe)
        self.reward: Reward = game.reward

    def current_player(self) -> int:
        """The actor: a player, chance, or the terminal state."""
        state = self.episode.state
        if state.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if state.player is None else state.player

    def _legal_actions(self, player: int) -> list[int]:
        return self.episode.at.action_ids()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of chance, with probabilities."""
        low = self.episode.lowest
        return [(move.code - low, float(share)) for move, share in self.episode.state.outcomes()]

    def _apply_action(self, action: int) -> None:
        self.episode = self.episode.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        state = self.episode.state
        if player == pyspiel.PlayerId.CHANCE:
            return state.game.notation.move(state.cells, action + self.episode.lowest).text
        return state.game.actions.text(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.episode.state.over

    def returns(self) -> list[float]:
        """The reward of each player."""
        return rewards(self.episode.state, self.reward)

    def __str__(self) -> str:
        decision = self.episode.state.decision
        asked = "the game is over" if decision is None else decision.prompt
        return f"{' '.join(map(str, self.episode.actions))} {asked}".strip()


class RulesObserver:
    """Observations of a player, or information states with `perfect_recall`."""

    def __init__(self, game: RulesGame, kind: Any, params: dict[str, Any] | None) -> None:
        if params:
            raise ValueError(f"an observer takes no parameters, not {params}")
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        private = pyspiel.PrivateInfoType
        if not kind.public_info or kind.private_info != private.SINGLE_PLAYER:
            raise ValueError("observers show what one player sees, public and private")
        self.recall: bool = kind.perfect_recall
        if self.recall:
            shape: tuple[int, ...] = (game.rows or 0, game.row_size)
        else:
            shape = (game.rules.observations.size,)
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"information" if self.recall else "observation": self.tensor.reshape(shape)}

    def set_from(self, state: RulesState, player: int) -> None:
        """Write the observation or information state of a player into the tensor."""
        if not self.recall:
            self.tensor[:] = state.episode.at.observation(player)
            return
        self.tensor.fill(0)
        rows = self.dict["information"]
        for number, row in enumerate(state.episode.observed.rows(player)):
            rows[number] = row

    def string_from(self, state: RulesState, player: int) -> str:
        """The observation or information state of a player as text."""
        if self.recall:
            return state.episode.observed.text(player)
        return state.episode.sight(player)


pyspiel.register_game(_game_type(None, "win", tensor=False), RulesGame)
