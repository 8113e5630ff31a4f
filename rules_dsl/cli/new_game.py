"""The text of the small game that `rules new game` writes."""

GAME = """\
game {name} "{title}"
    players 2..4
    source R "Rules of {title}"

# Change one thing at a time, and run `rules check`, `rules play` and `rules verify` in between.
# [R 2] after a rule names its page in the rulebook.

const rounds_to_play = 3 [R 1]

good coin

table Card "cards"
    columns price: 1..5, points: 1..9
    row hut "Hut": 1, 1
    row mill "Mill": 2, 3
    row barn "Barn": 2, 3
    row farm "Farm": 3, 5
    row inn "Inn": 3, 5
    row tower "Tower": 5, 9

state
    rounds: 0..rounds_to_play
    points[Player]: 0..40
    pool bank bank
    pool purse[Player]
    zone deck of Card holds all hidden
    zone market of Card
    zone built[Player] of Card

# What a player can choose: what it needs, and then what it does.
action work by p "take 2 coins" [R 2]
    move 2 coin from bank to purse[p]

action build(c in market) by p "build {{c}}" [R 2]
    cost c.price coin from purse[p] to bank
    move c from market to built[p]
    points[p] += c.points

setup [R 1]
    for p in Player
        move 2 coin from bank to purse[p]
    for k in 1..2
        draw c from deck
        move c from deck to market

play [R 1]
    while rounds < rounds_to_play decreases rounds_to_play - rounds
        rounds += 1
        for p in Player
            turn(p)

procedure turn(p: Player) [R 2]
    choose p: work, build
    # An empty place in the market is filled.
    if count(c in market) < 2 and some c in Card: c in deck
        draw c from deck
        move c from deck to market

scoring [R 3]
    score p = points[p]
    tie most purse[p].coin

# What must always hold; `rules verify` proves it, or shows a game that breaks it.
invariant points_are_built "Points are those of the cards built"
    every p in Player: points[p] = sum(c in built[p]: c.points)

invariant two_in_the_market
    count(c in market) <= 2

example "A hut costs a coin" [R 2]
    players 2
    given hut in market
    given purse[p1].coin = 1
    start turn(p1)
    refuse "build Tower"
    do "build Hut"
    expect purse[p1].coin = 0
    expect hut in built[p1]
    expect points[p1] = 1
"""
