/* Choices that are made together: whether they can be finished is found out by trying, depth first,
   as compiler/runtime/together.py says: in the same order, with the same memory and limits.
   The state is put back after every trial. Positions are remembered by 128 bits of the bytes that
   decide the answer. */

static inline void stir(u64 *a, u64 *b, u64 word) {
    *a = (*a ^ word) * 0xBF58476D1CE4E5B9ULL;
    *a ^= *a >> 29;
    *b = (*b + word) * 0x94D049BB133111EBULL;
    *b ^= *b >> 31;
}

/* Bytes that are looked at together. */
#define CHUNK 32

/* All positions that are remembered come from one, the root: what differs from it tells them apart.
   What is in two numbers already is added to. */
static void fingerprint(const S *s, const Bytes *spans, u32 count, u64 *one, u64 *two) {
    u64 a = GOLDEN + s->renew, b = DECISIONS + s->len, c = ~GOLDEN ^ *one, d = ~DECISIONS ^ *two;
    for (u32 span = 0; span < count; span++) {
        u32 k = spans[span].first, end = spans[span].end ? spans[span].end : s->len;
        u64 rest = 0, differ = 0;
        for (; k + CHUNK <= end && k + CHUNK <= s->root_len; k += CHUNK) {
            const u8 *now = s->b + k, *then = s->root + k;
            u64 w = word_at(now), x = word_at(now + 8), y = word_at(now + 16), z = word_at(now + 24);
            if (!((w ^ word_at(then)) | (x ^ word_at(then + 8)) | (y ^ word_at(then + 16)) |
                  (z ^ word_at(then + 24))))
                continue;
            differ++;
            stir(&a, &b, k), stir(&c, &d, w);
            stir(&a, &b, x), stir(&c, &d, y);
            stir(&a, &b, z);
        }
        for (; k + 8 <= end; k += 8) stir(&a, &b, word_at(s->b + k));
        for (; k < end; k++) rest = rest << 8 | s->b[k];
        stir(&a, &b, differ), stir(&c, &d, rest);
    }
    *one = mix(a ^ mix(c));
    *two = mix(b ^ mix(d));
}

static u32 search(const S *s, u32 first, u32 room, u64 one, u64 two) {
    u32 at = (u32)(one & (room - 1));
    while (s->tried[first + at].epoch == s->epoch &&
           (s->tried[first + at].one != one || s->tried[first + at].two != two))
        at = (at + 1) & (room - 1);
    return first + at;
}

/* Where a position is remembered, or would be. The first ones lie close together, which is faster, and
   most searches have no others. */
static u32 place_of(const S *s, u64 one, u64 two) {
    u32 at = search(s, 0, FEW, one, two);
    if (s->tried[at].epoch == s->epoch || s->remembered < FEW / 2) return at;
    return search(s, FEW, TRIED, one, two);
}

/* What tells a position apart from others: what has not changed since the first choice, which was
   noted there, and what changes. What choices only use up does not count if it is given back. */
static void told_apart(const S *s, u64 *one, u64 *two) {
    *one = s->start_one, *two = s->start_two;
    if (s->renew) fingerprint(s, lasting, LASTING, one, two);
    else fingerprint(s, changing, CHANGING, one, two);
}

/* What choices only use up, as it is now, and as it was at the first of them. */
static void note_start(S *s) {
    u8 *to = s->start;
    if (s->depth || !s->root_noted) {
        s->start_one = s->start_two = 0;
        fingerprint(s, fixed, FIXED, &s->start_one, &s->start_two);
    } else s->start_one = s->root_one, s->start_two = s->root_two;
    if (!s->depth) s->root_one = s->start_one, s->root_two = s->start_two, s->root_noted = 1;
    for (u32 span = 0; span < RENEWED; span++)
        for (u32 k = renewed_first[span]; k < renewed_end[span]; k++) *to++ = s->b[k];
    s->started = 1;
}

static void give_back_start(S *s) {
    const u8 *from = s->start;
    for (u32 span = 0; span < RENEWED; span++)
        for (u32 k = renewed_first[span]; k < renewed_end[span]; k++) s->b[k] = *from++;
    if (RENEWED_WATCHED) all_changed(s);
}

static i32 waits(S *s);

/* Whether they could be finished if what is used up were given back; if in doubt, true. */
static i32 hopeful(S *s) {
    u32 len = s->len, depth = s->depth;
    Now now = s->now;
    u8 saved[len];
    u64 one, two;
    i32 found;
    s->renew = 1;
    told_apart(s, &one, &two);
    u32 at = place_of(s, one, two);
    if (s->tried[at].epoch == s->epoch) {
        s->renew = 0;
        return s->tried[at].known;
    }
    for (u32 k = 0; k < len; k++) saved[k] = s->b[k];
    found = waits(s);
    s->renew = 0;
    if (s->fault == 1) { /* what was worked out since then may be wrong */
        s->fault = 0, found = 1;
        no_answers(s);
    }
    for (u32 k = 0; k < len; k++) s->b[k] = saved[k];
    s->len = len;
    s->depth = depth;
    s->now = now;
    return found;
}

/* Whether the choices can be finished from where a trial run waits. */
static i32 waits(S *s) {
    u64 one, two;
    u32 at;
    i32 known = 0;
    if (!among(point_of(s))) return 1;
    if (!s->started) note_start(s);
    told_apart(s, &one, &two);
    at = place_of(s, one, two);
    if (s->tried[at].epoch == s->epoch) return s->tried[at].known;
    if (++s->looked_at > MAX_POSITIONS) {
        s->fault = 3;
        return 0;
    }
    if (s->renew) give_back_start(s);
    if (s->renew || !RENEWED || s->looked_at <= PATIENCE || hopeful(s))
        known = leads_on(s, point_of(s));
    if (s->fault) return 0;
    at = place_of(s, one, two);
    s->remembered++;
    s->tried[at].one = one, s->tried[at].two = two;
    s->tried[at].epoch = s->epoch, s->tried[at].known = known;
    return known;
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
    Now now = s->now;
    u8 saved[len];
    i32 found;
    if (s->depth > MAX_DEPTH) s->fault = 3;
    if (s->fault) return 0;
    s->depth++;
    for (u32 k = 0; k < len; k++) saved[k] = s->b[k];
    found = finishes(s, point ? play_at(s, point, move) : first);
    for (u32 k = 0; k < len; k++) s->b[k] = saved[k];
    s->len = len;
    s->now = now; /* answers from before the trial are right again */
    s->depth--;
    return found;
}

/* Trials from another position begin with an empty memory, so that limits are the same. */
static void trials_from(S *s) {
    if (s->depth) return;
    if (s->root_len == s->len && !__builtin_memcmp(s->root, s->b, s->len)) return;
    __builtin_memcpy(s->root, s->b, s->len);
    s->root_len = s->len, s->root_noted = 0;
    s->looked_at = s->remembered = 0;
    if (++s->epoch) return;
    for (u32 k = 0; k < FEW + TRIED; k++) s->tried[k].epoch = 0;
    s->epoch = 1;
}

/* Whether the choices can be finished that begin with a block, or after a move of a decision. */
static i32 apart(S *s, u32 point, i32 move, i32 first) {
    u8 saved[sizeof s->start];
    u32 started = s->started;
    u64 start_one = s->start_one, start_two = s->start_two;
    i32 found;
    trials_from(s);
    for (u32 k = 0; k < sizeof s->start; k++) saved[k] = s->start[k];
    s->started = 0;
    if (point && among(point)) note_start(s);
    found = tried(s, point, move, first);
    for (u32 k = 0; k < sizeof s->start; k++) s->start[k] = saved[k];
    s->started = started;
    s->start_one = start_one, s->start_two = start_two;
    return found;
}
static i32 begins(S *s, i32 first) { return apart(s, 0, 0, first); }
static i32 after(S *s, u32 point, i32 move) { return apart(s, point, move, 0); }

/* The same for a move that is tried in the course of a trial. */
static i32 goes_on(S *s, u32 point, i32 move) { return tried(s, point, move, 0); }
