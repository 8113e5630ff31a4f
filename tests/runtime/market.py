"""A small game for tests of the Python interface."""

from __future__ import annotations

# A game of its own, so that no change of a shipped game changes what is tested here.
MARKET = """\
game market "Market"
    players 2..3 named ann, bob, cid
    source S "A sheet of paper"

option rich: bool = false "Everybody starts with more"
option goal: 3, 5 = 3 "What is needed to win"
ruling change: kept, lost = kept "Is the change kept?" [S 1 "Paying"]

good coin [S 1 "Coins"]
goods Fruit: apple, pear
table Card "cards" [S 2 "Cards"]
    columns price: 1..3
    row cheap "Cheap one": 1
    row dear "Dear one": 3

state
    round: 0..9 = 0 "Round"
    pool bank bank
    pool purse[Player]
    pool basket[Player]
    sold: set of Fruit
    secret[Player]: 0..9 visible to owner
    zone deck of Card holds all hidden
    zone hand[Player] of Card visible to owner
    last: Player? = none

action buy(f: Fruit) by p "buy {f}" [S 3 "Buying"]
    require purse[p].coin >= 1 "you have {purse[p].coin} coins, one is needed" [S 3 "Prices"]
    require f not in sold "there is no {f} left"
    move 1 coin from purse[p] to bank
    move 1 f from bank to basket[p]
    add f to sold

action wait by p [S 3 "Waiting"]

setup
    for p in Player
        move (if rich then 4 else 1) coin from bank to purse[p]
    draw c from deck
    move c from deck to hand[ann]

play [S 1 "Course"]
    while round < goal decreases goal - round
        round += 1
        sold = sold
        for p in Player
            choose p: buy, wait
            last = p
        for f in Fruit
            remove f from sold
    for p in Player
        choose p as number: n in 0..2
        secret[p] = n

scoring [S 4 "Winning"]
    score p = basket[p].apple + basket[p].pear / 2
    tie most secret[p]
"""
