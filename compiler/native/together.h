/* Choices that are made together: whether they can be finished is found out by trying, depth first.
   The state is put back after every trial. Positions are remembered by 128 bits of the bytes that
   decide the answer. */

#define MAX_DEPTH 400

/* Eight bytes at once: compilers make one load of it. */
static inline u64 word_at(const u8 *at) {
    return (u64)at[0] | (u64)at[1] << 8 | (u64)at[2] << 16 | (u64)at[3] << 24 | (u64)at[4] << 32 |
           (u64)at[5] << 40 | (u64)at[6] << 48 | (u64)at[7] << 56;
}

static inline void stir(u64 *a, u64 *b, u64 word) {
    *a = (*a ^ word) * 0xBF58476D1CE4E5B9ULL;
    *a ^= *a >> 29;
    *b = (*b + word) * 0x94D049BB133111EBULL;
    *b ^= *b >> 31;
}

static void fingerprint(const S *s, u64 *one, u64 *two) {
    u64 a = GOLDEN, b = DECISIONS;
    for (u32 span = 0; span < SPANS; span++) {
        u32 k = span_first[span], end = span_end[span] ? span_end[span] : s->len;
        for (; k + 8 <= end; k += 8) stir(&a, &b, word_at(s->b + k));
        for (; k < end; k++) stir(&a, &b, s->b[k]);
    }
    *one = mix(a);
    *two = mix(b);
}

/* Whether the choices can be finished from where a trial run waits. */
static i32 waits(S *s) {
    u64 one, two;
    u32 at;
    if (!among(point_of(s))) return 1;
    fingerprint(s, &one, &two);
    at = (u32)(one & (TRIED - 1));
    if (s->tried[at].one == one && s->tried[at].two == two) return s->tried[at].known;
    {
        i32 known = leads_on(s, point_of(s));
        if (s->fault) return 0;
        s->tried[at].one = one, s->tried[at].two = two, s->tried[at].known = known;
        return known;
    }
}

/* Run from a block; the state is left where the trial ends. */
static i32 finishes(S *s, i32 number) {
    u32 steps = 0;
    while (number >= 0 && !s->fault) {
        if (finished(number)) return 1;
        number = block(s, number);
        if (++steps > MAX_BLOCKS) s->fault = 3;
    }
    return !s->fault && waits(s);
}

static i32 tried(S *s, u32 point, i32 move, i32 first) {
    u32 len = s->len;
    u64 now = s->now;
    u8 saved[len];
    i32 found;
    if (++s->depth > MAX_DEPTH) s->fault = 1;
    if (s->fault) return 0;
    for (u32 k = 0; k < len; k++) saved[k] = s->b[k];
    found = finishes(s, point ? play_at(s, point, move) : first);
    for (u32 k = 0; k < len; k++) s->b[k] = saved[k];
    s->len = len;
    s->now = now; /* answers from before the trial are right again */
    s->depth--;
    return found;
}

/* Whether the choices that begin with a block, or go on with a move, can be finished. */
static i32 begins(S *s, i32 first) { return tried(s, 0, 0, first); }
static i32 after(S *s, u32 point, i32 move) { return tried(s, point, move, 0); }
