"""What is wrong with each rule set of the corpus, and under which obligation that is reported."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

FAULTS = Path(__file__).parent / "faults"


@frozen
class Fault:
    """A planted fault: the obligation and subject of the result that reports it.

    `by` says what can show it: "play" (and proof), "proof" alone, "examples", or "load" (the
    language makes it impossible; `subject` is then the code of the error).
    """

    name: str
    obligation: str
    subject: str
    by: str = "play"
    # A second version of the status: what cannot be replayed is UNPROVED.
    status: str = "REFUTED"

    @property
    def bad(self) -> Path:
        return FAULTS / f"{self.name}.bad.rules"

    @property
    def good(self) -> Path:
        return FAULTS / f"{self.name}.good.rules"


def _play(obligation: str, *pairs: tuple[str, str]) -> list[Fault]:
    return [Fault(name, obligation, subject) for name, subject in pairs]


def _proof(obligation: str, *pairs: tuple[str, str], status: str = "UNPROVED") -> list[Fault]:
    return [Fault(name, obligation, subject, "proof", status) for name, subject in pairs]


TABLE: list[Fault] = [
    *_play(
        "init",
        ("setup_breaks_an_invariant", "nobody_is_poor"),
        ("first_value_breaks_an_invariant", "burns_while_there_is_wax"),
        ("one_player_count_breaks_an_invariant", "seats_are_counted"),
    ),
    *_play(
        "invariant",
        ("action_breaks_an_invariant", "nobody_above_four"),
        ("two_pieces_on_one_space", "one_piece_a_space"),
        ("chance_breaks_an_invariant", "the_dam_holds"),
        ("loop_breaks_an_invariant", "everybody_keeps_one"),
        ("decision_in_the_middle_breaks_an_invariant", "four_in_all"),
        ("counter_forgets_a_piece", "pegs_are_counted"),
        ("variant_breaks_an_invariant", "nobody_has_more_than_ten"),
        ("variant_drops_a_requirement", "nobody_has_more_than_ten"),
        ("exception_goes_too_far", "nobody_has_more_than_ten"),
        ("ghost_forgets_a_gift", "gifts_are_counted"),
    ),
    # Nobody stumbles on these: the solver finds them, forwards and backwards.
    *_proof(
        "invariant",
        ("combination_lock", "stays_locked"),
        ("treasure_in_the_light", "treasure_in_the_dark"),
        status="REFUTED",
    ),
    *_play(
        "safety",
        ("fourteenth_skull", "take"),
        ("word_of_a_contract", "play"),
        ("second_write_undone", "shift"),
        ("number_too_large", "gain"),
        ("number_too_small", "fall"),
        ("local_too_large", "add_up"),
        ("function_result_too_large", "upgrade"),
        ("least_of_nothing", "play"),
        ("index_out_of_range", "look"),
        ("index_in_a_requirement", "play"),
        ("none_as_a_value", "praise"),
        ("division_by_zero", "split"),
        ("pool_below_zero", "eat"),
        ("negative_amount", "buy"),
        ("card_is_elsewhere", "play_card"),
        ("draw_from_an_empty_bag", "reach"),
        ("draw_from_an_empty_deck", "play"),
        ("draw_where_nothing_fits", "play"),
        ("weights_of_nothing", "play"),
        ("assertion_fails", "strike"),
        ("nobody_asked_has_no_bid", "play"),
        ("index_changed_by_its_own_write", "wind"),
        ("goods_say_where_goods_go", "put"),
        ("two_secret_choices_of_one_name", "high_round"),
        ("limit_beyond_every_path", "play"),
        ("distances_with_two_limits", "note"),
        ("other_cell_of_the_table", "climb"),
    ),
    *_proof(
        "safety",
        ("requires_is_not_met", "light"),
        ("ensures_is_wrong", "clean"),
        ("loop_does_not_keep", "play"),
        ("action_ensures_too_much", "fix"),
        ("row_requires_too_much", "shop"),
        ("row_ensures_is_wrong", "Lamp.burn"),
        ("round_breaks_what_is_kept", "bring_in"),
        status="REFUTED",
    ),
    *_proof(
        "safety",
        ("waived_invariant_is_no_reason", "step"),
        ("bank_runs_dry", "play"),
        status="REFUTED",
    ),
    *_proof("safety", ("calls_nest_too_deeply", "dig")),
    *_play(
        "progress",
        ("no_legal_move", "play"),
        ("nothing_to_choose_from", "visit"),
        ("every_option_is_closed", "play"),
        ("secret_choice_without_a_choice", "play"),
        ("variant_leaves_no_move", "turn.main"),
    ),
    *_proof(
        "termination",
        ("loop_never_ends", "play"),
        ("measure_stays", "play"),
        ("repeating_without_an_end", "play"),
        status="REFUTED",
    ),
    *_proof(
        "termination",
        ("recursion_without_an_end", "dig"),
        ("wrong_order_of_measures", "play"),
    ),
    *_proof(
        "scoring",
        ("score_without_a_value", "scores"),
        ("tie_without_a_value", "scores"),
        status="REFUTED",
    ),
    *_proof(
        "scoring",
        ("invariant_without_a_value", "cheap"),
        ("notation_without_a_value", "play.pay"),
    ),
    *_proof(
        "views",
        ("secret_is_copied_into_the_open", "play"),
        ("hint_that_is_not_told", "play"),
        status="REFUTED",
    ),
    *_proof(
        "views",
        ("legal_moves_tell_a_secret", "play"),
        ("hidden_card_decides_who_moves", "play"),
        ("unfair_simultaneous_choice", "play"),
        ("who_is_asked_tells_a_hand", "lay"),
    ),
    *_proof(
        "liveness",
        ("rule_never_fires", "jump"),
        ("requirement_is_never_met", "fly"),
        ("contradictory_requirements", "declare"),
        ("branch_never_taken", "reap"),
        ("card_without_effect", "Card.drawn"),
    ),
    Fault("example_contradicts_the_rules", "examples", "Two and two", "examples"),
    Fault("example_refuses_a_legal_move", "examples", "The second gate", "examples"),
    Fault("example_gives_another_reason", "examples", "Three trips", "examples"),
    Fault("example_expects_another_score", "examples", "Half a point a step", "examples"),
    Fault("example_of_a_variant", "examples", "A day's work", "examples"),
    Fault("good_from_nothing", "conservation", "E0320", "load"),
    Fault("good_where_it_does_not_belong", "conservation", "E0207", "load"),
    Fault("card_in_two_places", "conservation", "E0322", "load"),
    Fault("loop_without_a_measure", "termination", "E0401", "load"),
    Fault("secret_choice_sees_another", "views", "E0304", "load"),
    Fault("variants_conflict", "variants", "E0510", "load"),
    Fault("variant_touches_nothing", "variants", "E0511", "load"),
]
