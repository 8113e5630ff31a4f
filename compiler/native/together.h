/* Choices that are made together: whether they can be finished is found out by trying, depth first.
   The state is put back after every trial. Positions are remembered by 128 bits of their bytes. */

#define MAX_DEPTH 400

static void fingerprint(const S *s, u64 *one, u64 *two) {
    u64 a = GOLDEN, b = DECISIONS;
    for (u32 k = 0; k < s->len; k++) {
        a = (a ^ s->b[k]) * 0xBF58476D1CE4E5B9ULL;
        a ^= a >> 29;
        b = (b + s->b[k]) * 0x94D049BB133111EBULL;
        b ^= b >> 31;
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
    u8 saved[len];
    i32 found;
    if (++s->depth > MAX_DEPTH) s->fault = 1;
    if (s->fault) return 0;
    for (u32 k = 0; k < len; k++) saved[k] = s->b[k];
    found = finishes(s, point ? play_at(s, point, move) : first);
    for (u32 k = 0; k < len; k++) s->b[k] = saved[k];
    s->len = len;
    CHANGED(s);
    s->depth--;
    return found;
}

/* Whether the choices that begin with a block, or go on with a move, can be finished. */
static i32 begins(S *s, i32 first) { return tried(s, 0, 0, first); }
static i32 after(S *s, u32 point, i32 move) { return tried(s, point, move, 0); }
