"""What lies on the table in the game in plain Python, and what can be read off it."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from .components import COPIES, CREATURES, FULL, SPECIAL, STARTING, Box, Effect, effects

NAMES = ("white", "green", "orange", "purple")
CITIES = ("yellow", "red", "blue")
COLUMNS = ("construction", "training", "summoning")
UPGRADABLE = ("construction", "military camp", "barracks", "temple")
SPECIALS = [
    f"{name} ({k})" if COPIES[name] > 1 else name
    for name in SPECIAL
    for k in range(1, COPIES[name] + 1)
]


def kind(card: str) -> str:
    """Which kind of battle card it is."""
    return {"S": "starting" if card.startswith("ST") else "special", "C": "creature"}[card[0]]


@define
class Army:
    """An army with what its warlord has."""

    place: str = "jungle"
    warriors: int = 3
    captured: bool = False
    creature: str | None = None
    expiry: int = 0
    sectors: list[str | None] = field(factory=lambda: [None, None, None])


@define
class Seat:
    """What a player has."""

    name: str
    hand: list[str]
    corn: int = 5
    jade: int = 2
    prisoners: int = 1
    points: int = 0
    marker: int = 0
    total: int = 0
    step: int = 0
    ability: str = ""
    used: set[str] = field(factory=set)
    advisors: list[str] = field(factory=list)
    tokens: set[int] = field(factory=set)
    level: dict[str, int] = field(factory=lambda: dict.fromkeys((*UPGRADABLE, "granary"), 0))
    development: dict[str, int] = field(factory=lambda: dict.fromkeys(COLUMNS, 1))
    armies: dict[str, Army] = field(factory=lambda: {"first": Army(), "second": Army()})


class Table:
    """The state of one game."""

    def __init__(self, players: int, box: Box | None = None, **rulings: str) -> None:
        self.n = players
        self.box = box or Box()
        self.rulings = rulings
        self.round = 1
        self.first = 0
        plenty = self.ruled("supplies", "plenty")
        corn, jade, warriors = (900, 900, 900) if plenty else (40, 30, 60)
        self.corn = corn - 5 * players
        self.jade = jade - 2 * players
        self.warriors = warriors - 7 * players
        self.lying = dict.fromkeys(CITIES, 0)
        self.deck = list(SPECIALS)
        self.discard: list[str] = []
        self.removed: list[str] = []
        self.summonable = list(CREATURES)
        self.seats = [
            Seat(name, [f"{card} ({name})" for card in STARTING]) for name in NAMES[:players]
        ]

    @property
    def upgradable(self) -> tuple[str, ...]:
        """The buildings that have higher levels."""
        raised = self.ruled("granary_levels", "raised")
        return (*UPGRADABLE, "granary") if raised else UPGRADABLE

    def ruled(self, name: str, value: str) -> bool:
        """Whether a ruling is not as usual but this."""
        return self.rulings.get(name) == value

    def armies(self) -> Iterator[tuple[int, Army]]:
        """All armies with their players."""
        for number, seat in enumerate(self.seats):
            for army in seat.armies.values():
                yield number, army

    def holder(self, city: str) -> tuple[int, Army] | None:
        """Who stands in a city."""
        return next(((p, army) for p, army in self.armies() if army.place == city), None)

    def gain(self, p: int, corn: int = 0, jade: int = 0) -> None:
        """Take from the supply, as far as it goes."""
        corn, jade = min(corn, self.corn), min(jade, self.jade)
        self.corn -= corn
        self.jade -= jade
        self.seats[p].corn += corn
        self.seats[p].jade += jade

    def pay(self, p: int, corn: int = 0, jade: int = 0, prisoners: int = 0) -> None:
        """Give back to the supply."""
        seat = self.seats[p]
        seat.corn -= corn
        seat.jade -= jade
        seat.prisoners -= prisoners
        assert min(seat.corn, seat.jade, seat.prisoners) >= 0
        self.corn += corn
        self.jade += jade
        self.warriors += prisoners

    def recruit(self, p: int, army: Army) -> None:
        """Fill an army up to the number of the barracks."""
        missing = FULL[self.seats[p].level["barracks"]] - army.warriors
        come = min(max(0, missing), self.warriors)
        self.warriors -= come
        army.warriors += come

    def standing(self, p: int) -> list[Effect]:
        """The effects of advisors and modification tokens."""
        seat = self.seats[p]
        texts = [self.box.advisors[a] for a in seat.advisors]
        texts += self.box.modifications[: seat.step]
        return [effect for text in texts for effect in effects(text)]

    def helped(self, p: int, when: str, what: str) -> int:
        """How much advisors and tokens give on an occasion."""
        return sum(e.amount for e in self.standing(p) if (e.when, e.what) == (when, what))

    def occasion(self, p: int, when: str, more: list[Effect] | None = None) -> None:
        """Advisors, tokens and what else acts give goods and points on an occasion."""
        for effect in [*self.standing(p), *(more or [])]:
            if effect.when == when:
                self.take(p, effect)

    def take(self, p: int, effect: Effect) -> None:
        """Goods and points of an effect, if it gives any."""
        match effect.what:
            case "GAIN_CORN":
                self.gain(p, corn=effect.amount)
            case "GAIN_JADE":
                self.gain(p, jade=effect.amount)
            case "GAIN_VP":
                self.seats[p].points += effect.amount

    def worn(self, army: Army) -> list[Effect]:
        """The effects of reinforcements, by sector."""
        return [e for name in army.sectors if name for e in effects(self.box.reinforcements[name])]

    def beast(self, army: Army) -> list[Effect]:
        """The effects of the creature of an army."""
        return effects(self.box.creatures[army.creature][0]) if army.creature else []

    def scores(self) -> list[int]:
        """The scores at the end."""
        return [s.points + s.jade // 2 + s.corn // 4 + len(s.hand) for s in self.seats]

    def winners(self) -> list[int]:
        """Who wins; ties are broken by sacrifice points."""
        key = "total" if self.ruled("tie_break", "total") else "marker"
        ranked = [
            (score, getattr(seat, key))
            for score, seat in zip(self.scores(), self.seats, strict=True)
        ]
        return [p for p, rank in enumerate(ranked) if rank == max(ranked)]
