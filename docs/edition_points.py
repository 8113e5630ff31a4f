"""All points on which the rulebooks of Tikal were compared, and what became of each.

A point is a difference of the rules; or the same, if the books say it in other words or one of them
is silent where nothing else can be meant; or an open question that a ruling answers.
"""

from __future__ import annotations

from typing import Literal

from attrs import frozen

Verdict = Literal["differs", "same", "ruling"]


@frozen
class Point:
    """One point. `rules` are the changed rules that carry it, `with_` the options that show it."""

    subject: str
    verdict: Verdict
    rules: tuple[str, ...] = ()
    with_: str = ""
    ruling: str = ""


POINTS = {
    "D01": Point("start player", "differs", ("setup",)),
    "D02": Point("score marker at the start", "same"),
    "D03": Point("length of the score track", "same"),
    "D04": Point("a camp needs a member on the tile", "differs", ("needs_member",)),
    "D05": Point("camps of a player", "same"),
    "D06": Point("price of a camp", "same"),
    "D07": Point(
        "who begins the final scoring",
        "ruling",
        ("begins_final",),
        "final_count_1999=last_player",
        "final_count_1999",
    ),
    "D08": Point(
        "order of the final scoring after an auction", "differs", ("fewest_first",), "auction=true"
    ),
    "D09": Point("ties", "differs", ("most highest_temple(p)", "most treasures_of(p)")),
    "D10": Point("exchange of treasures", "ruling", ruling="exchange_choice"),
    "D11": Point("limit of treasures in a turn", "ruling", ruling="treasure_limit"),
    "D12": Point("limit of temple levels in a turn", "ruling", ruling="level_limit"),
    "D13": Point("members needed to dig and to uncover", "same"),
    "D14": Point("temple tokens run out", "same"),
    "D15": Point("guard: condition", "same"),
    "D16": Point("guard: effect", "same"),
    "D17": Point("majority beside a foreign guard", "ruling", ruling="guarded_temple"),
    "D18": Point("equal forces score nothing", "same"),
    "D19": Point("order of events with a volcano", "ruling", ruling="limits_after_volcano"),
    "D20": Point("placing tiles", "same"),
    "D21": Point("price of a move", "same"),
    "D22": Point("new members in a turn", "same"),
    "D23": Point("treasures lie face down", "same"),
    "D24": Point("first bidder of the game", "differs", ("setup",), "auction=true"),
    "D25": Point("everybody passes", "same"),
    "D26": Point("who opens later biddings", "same"),
    "D27": Point("last turn of a round", "same"),
    "D28": Point("volcano in the auction", "same"),
    "D29": Point("limits of a bid", "ruling", ruling="least_bid"),
    "D30": Point("number of scoring rounds", "same"),
    "D31": Point("letters of the volcanoes", "same"),
    "D32": Point("names of things", "same"),
    "D33": Point("a sentence in the wrong place", "same"),
}
