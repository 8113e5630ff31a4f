"""A game and a variant that use every construct of the language."""

from __future__ import annotations

EVERYTHING = """\
game g "A \\\\ \\"game\\"" ru "Игра" [R 1]
    source R "Rules"
    players 2..4 named a, b, c, d
    source Q "More rules"

include "other.rules"

option o: yes, no, 3 = no "Which?" [R 2]
ruling r: bool = true
enum E: x, y "letters" [R 1; Q 2-3 "Both"]

enum F "F"
    one "One" ru "Один" [R 4]
    two

good m, n limit 3 "goods"
goods K: k1, k2 limit 2 * 3 [R 1]

goods L
    l1 "L1" limit 4
    l2

label x "X" ru "Икс"
provisional const c1 = 4 "not public"
public const c4 = 4
const c2[0..2, E] = [[1, 2], [3, 4], [5, 6]]
const c3[k in 0..2] = -k

provisional table T "things" [R 5]
    columns age: 1..2, cost[K]: 0..3 = 0
    columns next_one: T? = none
    function worth(p: Player): 0..9 = 0
    procedure done(p: Player)
    procedure asks(p: Player)
        assumes row.age > 1
    procedure sees(p: Player, t: T) whenever act
    procedure more()
        ensures v < before(v) - row.age
        decreases left
        assumes row != t2
        less()
    row t1 "One": 1, [1, 2], next_one = t2 [R 6]
        done
            score_up(p)
        worth = 3
    row t2

state
    v: 0..9 clamped = 3 "V" [R 1]
    w[h in E, Player]: Player? hidden
    ghost gone[E]: 0..9 clamped = 1 "Gone" [R 1]
    u: set of E
    pool bank_pool bank
    pool purse[Player] of m, K holds 3 m, 2 k1 visible to owner "purse"
    zone deck of T holds all hidden
    zone hand[Player] of T holds t where t.age = 1 visible to owner
    zone back[Player] of T visible to others
    seen[p in Player]: set of E = [a] + (each e in E where e != a) visible to [p, next(p)]

function f(): bool [R 1] = every p in Player, q in 0..3 where p != a: v > q implies not (v = 3)

function h(p: Player, k: 0..3): 0..9 "label" [R 2]
    let z = min(k, 2) + max(1, 2) - abs(-3)
    if z > 2
        return 1
    else if z = 2
        return 2
    else
        return count(e in E where e in u) + sum(e in E: 1) + min(e in E: 2) + max(e in E: 3)

action act(t in deck, k: 0..3) by p "act {t}" [R 7]
    ensures v >= before(max(1, v + k))
    ensures p in Player
    let z = first(t in Player from next(p) where true)
    require v > 0 "no {v}" [R 8]
    require z != none

action other by p

procedure joy(p: Player, k: 0..3) whenever act "Joy" [R 9]
    v = k

procedure turn(p: Player) "Turn" [R 9]
    assumes v > 0
    decreases v, c1
    ensures v < 9
    var y: 0..3 = 0
    y += 1
    add x to u
    remove x from u
    clear u
    fill u
    move 3 m from bank_pool to purse[p]
    move up to 3 m from bank_pool to purse[p]
    move all m from purse[p] to bank_pool
    move all from purse[p] to bank_pool
    move all from deck to hand[p]
    if u is empty or purse[p] is not empty and not (deck is empty)
        v = 1
    move t1 from deck to hand[p]
    move t1 to hand[p]
    assert v > 0 "why"
    t1.done(p)
    for e in E where e in u
        keeps v < 9
        v = 1
    while v > 0 decreases v, c1
        keeps v < 9
        choose p repeatedly decreases v as main "prompt": act(k = 2) when v > 0, other
    choose p optionally: e in E, k in 0..3 where k > 0 "reason"
    choose each q in Player where q != p secretly as bid "bid {n}": n in 0..v
    roll d in 1..6 where d > 1 weight d
    draw g: K from bank_pool
    draw s from deck where s.age = 1
    return
    end

setup [R 1]
    turn(a)

play
    end

scoring [R 1]
    tie most v when r [R 2]
    score p = v / 4 + 1 [R 3]
    tie fewest v

invariant inv "Inv" when r [R 1]
    reaches(a, b by f) and distance(a, b by f within 3) < 4 and component(a by f) = a

relation step(p: Player, n: 0..3) on c in Cell "steps" [R 1]
    to beside[c, d] as e for d in Dir, k in 0..n where open[e] and k > 0 costs 2 * k [R 2]
    joined with beside[c, d]

invariant fields
    (a in spread from each x in Cell where hut[x] = p by step(p, 2)
        and steps from a to b by step(p, 1) within (n + 1) <= 2
        and legs from a to b by step(p, 1) within 3 stopping at each x in Cell up to 4 < 5
        and component of a by step(p, 3) = a
        and -steps from a to b by step(p, 1) within 3 = 0)

waive progress turn "on purpose"

provisional example "Ex" [R 1]
    players 3
    with o = 3
    seed 7
    given v = 3
    given every p in Player: purse[p].m = 1
    start turn(a)
    do "act", "other"
    allow "act"
    refuse "other" because "no"
    refuse "x"
    expect v = 3
    expect winners a, b
    expect scores a 3, b -1 / 2, c (v + 1) / 2
    expect over
"""

VARIANT = """\
variant v of g "V" ru "В" [R 1]
    const c1 = 5
    option o = 3
    ruling r = false

    amend action act [R 1]
        drop require "no"
        require v > 1 "reason" [R 2]
        except "label" to "no" when v = 1
        except "label" when v = 2
        before
            v = 1
        after
            v = 2

    amend procedure turn
        after
            v = 3

    replace function f(): bool = true
    replace row T.t1 "New": 2, [0, 0]
    add row T.t3: 1

    add action third by p
        v = 1

    add const c9 = 1
    add option third(k = 1) when v > 0 to turn.main
    drop invariant inv
    drop row T.t2
    drop example "Ex"
    drop option other from turn.main
    label x "XX"

    example "New"
        expect v = 0
"""
