/* The same questions over few places: sets of them are bits, and all places of a price are looked at
   together. */

#define EACH_WORD for (i32 k = 0; k < SET_WORDS; k++)
#define HOLDS(set, x) ((set)[(x) >> 6] |= (u64)1 << ((x) & 63))
#define HAS(set, x) ((set)[(x) >> 6] >> ((x) & 63) & 1)

/* Add what a step leads to from places that are in both sets. */
static inline void follow(const u64 *steps, const u64 *some, const u64 *others, u64 *to) {
    EACH_WORD
        for (u64 left = some[k] & others[k]; left; left &= left - 1) {
            const u64 *next = steps + SET_WORDS * (64 * k + __builtin_ctzll(left));
            for (i32 word = 0; word < SET_WORDS; word++) to[word] |= next[word];
        }
}

/* What any number of steps for nothing leads to: such steps lead both ways. */
static void areas(const u64 *free, const u64 *from, u64 *area) {
    u64 done[SET_WORDS] = {0};
    EACH_WORD
        for (u64 todo; (todo = from[k] & ~done[k]);) {
            u64 found[SET_WORDS] = {0}, front[SET_WORDS] = {0}, some = 1;
            HOLDS(front, 64 * k + __builtin_ctzll(todo));
            for (i32 word = 0; word < SET_WORDS; word++) found[word] = front[word];
            while (some) {
                u64 more[SET_WORDS] = {0};
                follow(free, front, front, more);
                some = 0;
                for (i32 word = 0; word < SET_WORDS; word++) {
                    some |= front[word] = more[word] & ~found[word];
                    found[word] |= front[word];
                }
            }
            for (i32 word = 0; word < SET_WORDS; word++) {
                done[word] |= found[word];
                for (u64 left = found[word]; left; left &= left - 1) {
                    u64 *own = area + SET_WORDS * (64 * word + __builtin_ctzll(left));
                    for (i32 w = 0; w < SET_WORDS; w++) own[w] = found[w];
                }
            }
        }
}

/* Add to the places of a price all areas that they are in. No area has a stop, so it is reached as a
   whole: none of it was seen before. */
static inline void whole_areas(const Steps *g, u64 *layer, u64 *seen) {
    u64 found[SET_WORDS] = {0};
    EACH_WORD
        for (u64 left; (left = layer[k] & g->free_from[k] & ~found[k]);) {
            const u64 *area = g->area + SET_WORDS * (64 * k + __builtin_ctzll(left));
            for (i32 word = 0; word < SET_WORDS; word++) found[word] |= area[word];
        }
    EACH_WORD layer[k] |= found[k], seen[k] |= found[k];
}

static inline void follow_shift(const Shift *shift, const u64 *some, u64 *to) {
    u64 moved[SET_WORDS + 2] = {0}; /* nothing lies before and behind them */
    i32 words = shift->by >> 6, bits = shift->by & 63;
    EACH_WORD moved[k + 1] = some[k] & shift->from[k];
    EACH_WORD {
        i32 at = k - words + 1;
        if (at > 0 && at <= SET_WORDS + 1) {
            to[k] |= moved[at] << bits;
            if (bits) to[k] |= moved[at - 1] >> (64 - bits);
        }
    }
}

/* Add to the places of a price those that cost nothing more. `left` are those that a path may leave. */
static inline void freely(const Steps *g, const u64 *left, u64 *layer, u64 *seen) {
    u64 fresh[SET_WORDS], some = 0;
    EACH_WORD some |= fresh[k] = layer[k] & g->free_from[k];
    while (some) {
        u64 more[SET_WORDS] = {0};
        follow(g->free, fresh, left, more);
        some = 0;
        EACH_WORD {
            more[k] &= ~seen[k];
            seen[k] |= more[k], layer[k] |= more[k];
            some |= fresh[k] = more[k] & g->free_from[k];
        }
    }
}

/* Go on to the places that cost one more; whether there are any. */
static inline i32 onwards(const Steps *g, const u64 *left, u64 *layer, u64 *seen) {
    u64 next[SET_WORDS] = {0}, going[SET_WORDS], some = 0;
    EACH_WORD going[k] = layer[k] & left[k];
    for (i32 n = 0; n < g->shifts; n++) follow_shift(&g->shift[n], going, next);
    follow(g->one, going, g->one_from, next);
    EACH_WORD {
        layer[k] = next[k] & ~seen[k];
        seen[k] |= layer[k];
        some |= layer[k];
    }
    return some != 0;
}

/* The places that a path leads to which costs at most `within`; `best` is their price if it is asked.
   A path ends where it enters a stop; a source may be one and is left. */
static inline void flood(const Steps *g, const u64 *source, const u64 *stop, i64 within, u64 *seen,
                         i32 *best) {
    u64 left[SET_WORDS], layer[SET_WORDS], stopped = 0;
    EACH_WORD seen[k] = layer[k] = source[k];
    EACH_WORD left[k] = stop ? ~stop[k] | source[k] : ~(u64)0;
    if (stop) EACH_WORD stopped |= stop[k] & g->free_from[k];
    for (i32 d = 0;; d++) {
        if (stopped) freely(g, left, layer, seen);
        else whole_areas(g, layer, seen);
        if (best) EACH_WORD
            for (u64 those = layer[k]; those; those &= those - 1)
                best[64 * k + __builtin_ctzll(those)] = d;
        if (d >= within || !onwards(g, left, layer, seen)) return;
    }
}

static void spread_over(const Steps *g, const u64 *source, const u64 *stop, i64 within, u64 *seen) {
    flood(g, source, stop, within, seen, 0);
}

static void steps_over(const Steps *g, const u64 *source, const u64 *stop, i64 within, i32 *best) {
    u64 seen[SET_WORDS];
    for (i32 x = 0; x < g->places; x++) best[x] = FAR;
    flood(g, source, stop, within, seen, best);
}

/* The least number of legs to each place, most + 1 if there are more. */
static void legs_over(const Steps *g, const u64 *source, const u64 *stop, i64 within, i32 most,
                      i32 *legs) {
    u64 reached[SET_WORDS], start[SET_WORDS], seen[SET_WORDS], going = 0;
    for (i32 x = 0; x < g->places; x++) legs[x] = HAS(source, x) ? 0 : most + 1;
    EACH_WORD going |= reached[k] = start[k] = source[k];
    for (i32 leg = 1; leg <= most && going; leg++) {
        flood(g, start, stop, within, seen, 0);
        going = 0;
        EACH_WORD {
            u64 fresh = seen[k] & ~reached[k];
            reached[k] |= fresh;
            going |= start[k] = fresh & stop[k];
            for (; fresh; fresh &= fresh - 1) legs[64 * k + __builtin_ctzll(fresh)] = leg;
        }
    }
}
