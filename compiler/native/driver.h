/* Playing: blocks run until somebody must decide; chance and random players draw from SplitMix64,
   as compiler/runtime/randomness.py says. */

typedef struct {
    S s;
    i64 weights[MAX_OUTCOMES];
    u32 moves[MAX_MOVES + 1]; /* one that is not legal may stand behind them */
} Work;

/* The upper half of a product: a choice among `b` by a number of the stream. */
static inline u64 upper(u64 a, u64 b) {
    u64 low = (a & 0xFFFFFFFFu) * (b & 0xFFFFFFFFu);
    u64 one = (a >> 32) * (b & 0xFFFFFFFFu) + (low >> 32);
    u64 two = (a & 0xFFFFFFFFu) * (b >> 32) + (one & 0xFFFFFFFFu);
    return (a >> 32) * (b >> 32) + (one >> 32) + (two >> 32);
}

static void run(S *s, i32 number) {
    u32 steps = 0;
    while (number >= 0 && !s->fault) {
        if (steps++ == MAX_BLOCKS) s->fault = 3;
        else number = block(s, number);
    }
}

static void begin(S *s) {
    forget(s);
    load(s, INITIAL, SIZE);
    run(s, ENTRY);
}

static inline void play(S *s, u32 m) { run(s, play_at(s, point_of(s), (i32)m)); }

/* Let chance decide by number `draws` of a stream. */
static void draw(Work *w, u64 key, u64 draws) {
    S *s = &w->s;
    u32 n = chance_at(s, point_of(s), w->moves, w->weights);
    i64 total = 0, rest;
    u32 k;
    for (k = 0; k < n; k++) total += w->weights[k];
    if (!n) s->fault = 1;
    if (s->fault) return;
    rest = (i64)upper(mix(key + (draws + 1) * GOLDEN), (u64)total);
    for (k = 0; k + 1 < n && rest >= w->weights[k]; k++) rest -= w->weights[k];
    play(s, w->moves[k]);
}

static u64 settle(Work *w, u64 key, u64 draws) {
    u64 most = draws + MAX_BLOCKS;
    while (w->s.b[WHO_AT] == CHANCE && !w->s.fault) {
        draw(w, key, draws++);
        if (draws > most) w->s.fault = 3;
    }
    return draws;
}

typedef struct {
    u64 luck, will, draws, decisions;
    u64 *used; /* how often each option was chosen, if somebody counts */
} Course;

static inline Course course(u64 seed) {
    Course c = {mix(seed), mix(seed ^ DECISIONS), 0, 0, 0};
    return c;
}

/* Play at random; whether the game came to its end within so many decisions. */
static i32 random_game(Work *w, Course *c, u64 budget) {
    S *s = &w->s;
    u64 most = c->draws + MAX_BLOCKS;
    while (!s->fault) {
        u8 who = s->b[WHO_AT];
        u32 point, n, m;
        if (who == OVER) return 1;
        if (who == CHANCE) {
            draw(w, c->luck, c->draws++);
            if (c->draws > most) s->fault = 3;
            continue;
        }
        if (!budget--) return 0;
        point = point_of(s);
        n = moves_at(s, point, w->moves);
        if (!n) s->fault = 1;
        if (s->fault) break;
        c->decisions++;
        most = c->draws + MAX_BLOCKS;
        m = w->moves[upper(mix(c->will + c->decisions * GOLDEN), n)];
        if (c->used) c->used[option_at(point, m)]++;
        run(s, play_at(s, point, (i32)m));
    }
    return 1;
}

/* Scores, and a bit for each winner. */
static u64 result(S *s, i64 *scores) {
    u64 winners = 0;
    for (i32 p = 0; p < PLAYERS; p++) scores[p] = score(s, p);
    for (i32 p = 0; p < PLAYERS; p++) {
        i32 best = 1;
        for (i32 q = 0; q < PLAYERS; q++) best &= !above(s, q, p, scores);
        winners |= (u64)best << p;
    }
    return winners;
}
