/* Questions over relations: the steps of a relation lie one behind the other, by where they start. */

/* Steps for one from some places to those whose number is higher by as much, or lower. */
typedef struct {
    i32 by;
    u64 from[SET_WORDS];
} Shift;

typedef struct {
    i32 places;
    const i32 *head; /* the steps from place x are head[x] to head[x + 1] - 1 */
    const u16 *to;
    const i32 *price;
    u64 *heap; /* room for as many entries as there are steps and twice as many as places */
    i32 dear; /* whether a step may cost more than one */
    /* For few places and if no step is dear: sets of places. From place x at SET_WORDS * x those that a
       step leads to for nothing and for one, those that any number of steps for nothing lead to, and
       the places that have such steps. Steps that are the same in every position are shifts instead. */
    const u64 *free, *one, *area, *free_from, *one_from;
    const Shift *shift;
    i32 shifts;
} Steps;

#define FAR 0x7FFFFFFF

/* The price of the cheapest path to each place, FAR if it is dearer than `within`. A path ends where
   it enters a stop; a source may be one and is left. */
static void dijkstra(const Steps *g, const u8 *source, const u8 *stop, i64 within, i32 *best) {
    u64 *heap = g->heap;
    i32 count = 0;
    for (i32 x = 0; x < g->places; x++) {
        best[x] = FAR;
        if (source[x]) {
            best[x] = 0;
            heap[count++] = (u64)x; /* equal prices: any order is a heap */
        }
    }
    while (count) {
        u64 top = heap[0], last = heap[--count];
        i32 x = (i32)(top & 0xFFFFFFFFu), at = 0;
        i64 d = (i64)(top >> 32);
        for (;;) {
            i32 child = 2 * at + 1;
            if (child >= count) break;
            if (child + 1 < count && heap[child + 1] < heap[child]) child++;
            if (heap[child] >= last) break;
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = last;
        if (d > best[x] || (stop && stop[x] && !source[x])) continue;
        for (i32 k = g->head[x]; k < g->head[x + 1]; k++) {
            i64 total = d + g->price[k];
            i32 y = g->to[k];
            if (total > within || total >= best[y]) continue;
            best[y] = (i32)total;
            for (at = count++; at && heap[(at - 1) / 2] > ((u64)total << 32 | (u64)y); at = (at - 1) / 2)
                heap[at] = heap[(at - 1) / 2];
            heap[at] = (u64)total << 32 | (u64)y;
        }
    }
}

/* The same where a step costs nothing or one: what is near is found before what is far. Places wait
   in the order of their price; those that cost nothing more come before the others. */
static void nearest(const Steps *g, const u8 *source, const u8 *stop, i64 within, i32 *best) {
    u64 *now = g->heap, *next = g->heap + g->places;
    i32 count = 0;
    for (i32 x = 0; x < g->places; x++) {
        best[x] = FAR;
        if (source[x]) {
            best[x] = 0;
            now[count++] = (u64)x;
        }
    }
    for (i32 d = 0; count; d++) {
        i32 later = 0;
        for (i32 k = 0; k < count; k++) {
            i32 x = (i32)now[k];
            if (best[x] != d || (stop && stop[x] && !source[x])) continue;
            for (i32 e = g->head[x]; e < g->head[x + 1]; e++) {
                i32 y = g->to[e], total = d + g->price[e];
                if (total >= best[y] || total > within) continue;
                best[y] = total;
                if (total == d) now[count++] = (u64)y;
                else next[later++] = (u64)y;
            }
        }
        u64 *spare = now;
        now = next, next = spare, count = later;
    }
}

static void cheapest(const Steps *g, const u8 *source, const u8 *stop, i64 within, i32 *best) {
    (g->dear ? dijkstra : nearest)(g, source, stop, within, best);
}

/* The least number of legs to each place, most + 1 if there are more. */
static void count_legs(const Steps *g, const u8 *source, const u8 *stop, i64 within, i32 most,
                       i32 *legs, i32 *best, u8 *start) {
    i32 going = 1;
    for (i32 x = 0; x < g->places; x++) {
        legs[x] = source[x] ? 0 : most + 1;
        start[x] = source[x];
    }
    for (i32 leg = 1; leg <= most && going; leg++) {
        cheapest(g, start, stop, within, best);
        going = 0;
        for (i32 x = 0; x < g->places; x++) {
            i32 new = best[x] != FAR && legs[x] > most;
            if (new) legs[x] = leg;
            start[x] = (u8)(new && stop[x]);
            going |= start[x];
        }
    }
}

/* For each place the least one that is connected with it, steps taken both ways. */
static void connect(const Steps *g, i32 *least) {
    for (i32 x = 0; x < g->places; x++) least[x] = x;
    for (i32 x = 0; x < g->places; x++)
        for (i32 k = g->head[x]; k < g->head[x + 1]; k++) {
            i32 a = x, b = g->to[k];
            while (least[a] != a) a = least[a];
            while (least[b] != b) b = least[b];
            if (a < b) least[b] = a;
            else least[a] = b;
        }
    for (i32 x = 0; x < g->places; x++) least[x] = least[least[x]];
}
