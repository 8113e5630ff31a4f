/* The binding: Python functions made from the stable ABI alone. Python hands in the addresses of
   what is needed, so that neither its headers nor its library are needed to build this. */

typedef struct object object;
typedef long long size; /* Py_ssize_t on every 64-bit platform */

typedef struct {
    void *buf;
    object *obj;
    size len, itemsize;
    int readonly, ndim;
    char *format;
    size *shape, *strides, *suboffsets;
    void *internal;
} buffer;

typedef struct {
    const char *name;
    void *call;
    int flags;
    const char *doc;
} method;

typedef struct {
    const char *name;
    object *(*get)(object *, void *);
    int (*set)(object *, object *, void *);
    const char *doc;
    void *closure;
} attribute;

/* In the order of `API` in compiler/native/library.py. */
static struct {
    object *(*function)(method *, object *, object *);
    object *(*bytes)(const char *, size);
    object *(*integer)(long long);
    object *(*natural)(unsigned long long);
    unsigned long long (*mask)(object *);
    long long (*whole)(object *);
    object *(*list)(size);
    int (*set_item)(object *, size, object *);
    object *(*slice)(object *, size, size);
    int (*set_slice)(object *, size, size, object *);
    object *(*tuple)(size);
    int (*set_part)(object *, size, object *);
    int (*get_buffer)(object *, buffer *, int);
    void (*release)(buffer *);
    object *(*occurred)(void);
    void (*error)(object *, const char *);
    int (*signals)(void);
    void *(*save)(void);
    void (*restore)(void *);
    void *(*allocate)(unsigned long long);
    void (*free)(void *);
    object *(*no_memory)(void);
    void (*keep)(object *);
    void (*drop)(object *);
    object *(*call)(object *, object *);
    object *(*vectorcall)(object *, object *const *, u64, object *);
    object *(*type)(object *);
    object *(*instance)(object *, size);
    void (*untrack)(void *);
    char *(*bytes_at)(object *);
    size (*bytes_size)(object *);
    size (*tuple_size)(object *);
    object *(*describe_method)(object *, method *);
    object *(*describe_attribute)(object *, attribute *);
    object *value_error;
    object *none;
    object *yes;
    object *no;
} api;

#define FASTCALL 0x0080
#define KEYWORDS 0x0002
#define SIMPLE 0
#define WRITABLE 1
/* Decisions between two looks at what the user wants, such as Ctrl-C. */
#define BUDGET 1000000

static object *refuse(const char *text) {
    api.error(api.value_error, text);
    return 0;
}

/* One workspace is kept for the next call. */
static Work *spare;

static Work *workspace(void) {
    Work *w = __atomic_exchange_n(&spare, (Work *)0, __ATOMIC_ACQ_REL);
    if (!w && (w = api.allocate(sizeof(Work)))) fresh(&w->s);
    if (w) forget(&w->s);
    else api.no_memory();
    return w;
}

static void give_back(Work *w) {
    w = __atomic_exchange_n(&spare, w, __ATOMIC_ACQ_REL);
    if (w) api.free(w);
}

/* Copy a state; sizes and numbers of points are checked, as anybody may hand in anything. */
static i32 take(S *s, const u8 *from, size len) {
    if (len != SIZE && !(MOVING && len > SIZE && len < CAPACITY)) {
        refuse("these are not the cells of a position of this game");
        return 0;
    }
    load(s, from, (u32)len);
#if MOVING
    if (FRAME(s, FRAME_POINTER) > s->len) {
        refuse("the position is damaged: its frame pointer is outside");
        return 0;
    }
#endif
    return 1;
}

static Work *state(object *cells) {
    buffer view;
    Work *w = workspace();
    i32 taken;
    if (!w) return 0;
    if (api.get_buffer(cells, &view, SIMPLE)) {
        give_back(w);
        return 0;
    }
    taken = take(&w->s, view.buf, view.len);
    api.release(&view);
    if (taken) return w;
    give_back(w);
    return 0;
}

/* After a fault the call is handed to Python, whose code says what is wrong. */
static object *fault(Work *w, object *self, u32 number, object *const *args, size count) {
    object *all = api.tuple(count + 1), *found;
    if (w) give_back(w);
    if (!all) return 0;
    api.set_part(all, 0, api.integer(number));
    for (size k = 0; k < count; k++) {
        api.keep(args[k]);
        api.set_part(all, k + 1, args[k]);
    }
    found = api.call(self, all);
    api.drop(all);
    return found;
}

static object *cells_of(Work *w) {
    object *made = api.bytes((const char *)w->s.b, w->s.len);
    give_back(w);
    return made;
}

enum { START, MOVES, OUTCOMES, STEP, PLAYOUT, GAMES, BATCH };

/* start(seed or None): the opening position, with a seed after the chance that comes before the first
   decision; the number of draws, and the key of the stream that resolves chance. */
static object *py_start(object *self, object *const *args, size count) {
    Work *w;
    u64 key = 0, draws = 0;
    object *parts, *cells;
    if (count != 1) return refuse("start(seed)");
    if (args[0] != api.none) key = mix(api.mask(args[0]));
    if (api.occurred() || !(w = workspace())) return 0;
    begin(&w->s);
    if (args[0] != api.none && !w->s.fault) draws = settle(w, key, 0);
    if (w->s.fault) return fault(w, self, START, args, count);
    cells = cells_of(w);
    parts = cells ? api.tuple(3) : 0;
    if (!parts) return 0;
    api.set_part(parts, 0, cells);
    api.set_part(parts, 1, api.natural(draws));
    if (args[0] == api.none) api.keep(api.none);
    api.set_part(parts, 2, args[0] == api.none ? api.none : api.natural(key));
    return parts;
}

/* From this length on, a list of numbers is made from the one before. */
#define LONG_LIST 16

static object *numbers_anew(const u32 *from, u32 n) {
    object *made = api.list(n);
    for (u32 k = 0; made && k < n; k++) api.set_item(made, k, api.integer(from[k]));
    return made;
}

/* A list of numbers. One move rarely changes many of the next moves, and Python copies a list much
   faster than it takes one number after another: so the last list is kept, the part in which the
   new one differs is put in its place, and a copy is given away. */
static object *numbers(const u32 *from, u32 n) {
    static object *last;
    static u32 known[MAX_MOVES], length;
    u32 head = 0, tail = 0, shorter = n < length ? n : length;
    object *middle;
    if (n < LONG_LIST) return numbers_anew(from, n);
    while (head < shorter && known[head] == from[head]) head++;
    while (tail < shorter - head && known[length - 1 - tail] == from[n - 1 - tail]) tail++;
    if (head + tail < n || n < length) {
        if (!(middle = numbers_anew(from + head, n - head - tail))) return 0;
        if (!last) last = middle;
        else {
            i32 failed = api.set_slice(last, head, length - tail, middle);
            api.drop(middle);
            if (failed) return 0;
        }
        for (u32 k = head; k < n; k++) known[k] = from[k];
        length = n;
    }
    return api.slice(last, 0, n);
}

static object *py_moves(object *self, object *const *args, size count) {
    Work *w;
    u32 n;
    object *found;
    if (count != 1) return refuse("moves(cells)");
    if (!(w = state(args[0]))) return 0;
    n = w->s.b[WHO_AT] == CHANCE ? chance_at(&w->s, point_of(&w->s), w->moves, w->weights)
                                 : moves_at(&w->s, point_of(&w->s), w->moves);
    if (w->s.fault) return fault(w, self, MOVES, args, count);
    found = numbers(w->moves, n);
    give_back(w);
    return found;
}

static object *py_outcomes(object *self, object *const *args, size count) {
    Work *w;
    u32 n;
    object *found;
    if (count != 1) return refuse("outcomes(cells)");
    if (!(w = state(args[0]))) return 0;
    n = chance_at(&w->s, point_of(&w->s), w->moves, w->weights);
    if (w->s.fault) return fault(w, self, OUTCOMES, args, count);
    found = api.list(n);
    for (u32 k = 0; found && k < n; k++) {
        object *pair = api.tuple(2);
        if (!pair) break;
        api.set_part(pair, 0, api.integer(w->moves[k]));
        api.set_part(pair, 1, api.integer(w->weights[k]));
        api.set_item(found, k, pair);
    }
    give_back(w);
    return found;
}

/* step(cells, move, key, draws): the cells after a move and, unless the key is None, after the
   chance that follows it, and the number of draws so far. */
static object *py_step(object *self, object *const *args, size count) {
    Work *w;
    long long move;
    u64 key = 0, draws;
    object *pair, *cells;
    if (count != 4) return refuse("step(cells, move, key, draws)");
    move = api.whole(args[1]);
    if (move == -1 && api.occurred()) return 0;
    if (args[2] != api.none) key = api.mask(args[2]);
    draws = api.mask(args[3]);
    if (draws == (u64)-1 && api.occurred()) return 0;
    if (!(w = state(args[0]))) return 0;
    if (move < first_at(point_of(&w->s)) || move > last_at(point_of(&w->s))) {
        give_back(w);
        return refuse("there is no such move at this point");
    }
    play(&w->s, (u32)move);
    if (args[2] != api.none) draws = settle(w, key, draws);
    if (w->s.fault) return fault(w, self, STEP, args, count);
    cells = cells_of(w);
    pair = cells ? api.tuple(2) : 0;
    if (!pair) return 0;
    api.set_part(pair, 0, cells);
    api.set_part(pair, 1, api.natural(draws));
    return pair;
}

/* Play at random to the end without holding Python up; 0 if the user interrupts. */
static i32 finish(Work *w, Course *c) {
    for (;;) {
        void *thread = api.save();
        i32 over = random_game(w, c, BUDGET);
        api.restore(thread);
        if (over) return 1;
        if (api.signals()) return 0;
    }
}

static object *py_playout(object *self, object *const *args, size count) {
    Work *w;
    Course c;
    object *parts, *cells;
    if (count != 1) return refuse("playout(seed)");
    c = course(api.mask(args[0]));
    if (api.occurred() || !(w = workspace())) return 0;
    begin(&w->s);
    if (!finish(w, &c)) {
        give_back(w);
        return 0;
    }
    if (w->s.fault) return fault(w, self, PLAYOUT, args, count);
    cells = cells_of(w);
    parts = cells ? api.tuple(3) : 0;
    if (!parts) return 0;
    api.set_part(parts, 0, cells);
    api.set_part(parts, 1, api.natural(c.decisions));
    api.set_part(parts, 2, api.natural(c.draws));
    return parts;
}

/* games(cells or None, seed, scores, winners, lengths, used): play as many games as `winners` has
   room for, with seeds seed, seed + 1, …, from a position or from the opening, and write what they
   came to. */
static object *py_games(object *self, object *const *args, size count) {
    buffer view[4];
    Work *w = 0, *from = 0;
    u64 seed;
    i64 *scores, done = 0, games = 0;
    u64 *winners, *used;
    u32 *lengths;
    i32 held = 0, stopped = 0;
    if (count != 6) return refuse("games(cells, seed, scores, winners, lengths, used)");
    seed = api.mask(args[1]);
    if (api.occurred()) return 0;
    if (!(from = args[0] == api.none ? workspace() : state(args[0]))) return 0;
    if (args[0] == api.none) begin(&from->s);
    w = workspace();
    while (w && held < 4 && !api.get_buffer(args[2 + held], &view[held], WRITABLE)) held++;
    if (held == 4) {
        scores = view[0].buf, winners = view[1].buf, lengths = view[2].buf, used = view[3].buf;
        games = view[1].len / 8;
        if (view[0].len < games * 8 * PLAYERS || view[2].len < games * 4 || view[3].len < 8 * OPTIONS)
            refuse("the buffers are too small"), stopped = 1;
        for (; !stopped && done < games && !from->s.fault; done++) {
            Course c = course(seed + (u64)done);
            c.used = used;
            forget(&w->s);
            load(&w->s, from->s.b, from->s.len);
            if (!finish(w, &c)) stopped = 1;
            if (stopped || w->s.fault) break;
            winners[done] = result(&w->s, scores + done * PLAYERS);
            if (w->s.fault) break;
            lengths[done] = (u32)c.decisions;
        }
    }
    while (held) api.release(&view[--held]);
    if (w) give_back(w);
    give_back(from);
    if (stopped || api.occurred()) return 0;
    if (done < games) {
        object *one[2] = {args[0], api.natural(seed + (u64)done)}, *found;
        found = fault(0, self, GAMES, one, 2);
        api.drop(one[1]);
        return found;
    }
    return api.integer(done);
}

/* One slot of a batch: make a move, or start a game if `first`; a game that ends makes room for the
   next one. Nothing of the slot is written before the position is known to be sound. */
typedef struct {
    i64 *chosen;
    u8 *states;
    u64 *seeds, *draws;
    i32 *moves, *counts, *player;
    u8 *done;
    i64 *scores, slots, width;
    u64 *winners;
} Batch;

static void slot(Work *w, const Batch *b, i64 k) {
    S *s = &w->s;
    u64 seed = b->seeds[k], draws = b->draws[k], winners = 0;
    i64 scores[PLAYERS];
    i32 over;
    u32 n = 0;
    forget(s);
    if (b->chosen && b->chosen[k] < 0) { /* the slot stays as it is */
        b->done[k] = 0;
        return;
    }
    if (b->chosen) {
        load(s, b->states + k * SIZE, SIZE);
        play(s, (u32)b->chosen[k]);
    } else {
        begin(s);
        draws = 0;
    }
    draws = settle(w, mix(seed), draws);
    if (s->fault) return;
    over = s->b[WHO_AT] == OVER;
    if (over) {
        winners = result(s, scores);
        if (s->fault) return;
        seed += (u64)b->slots;
        begin(s);
        draws = settle(w, mix(seed), 0);
        if (s->fault) return;
    }
    if (s->b[WHO_AT] < OVER) n = moves_at(s, point_of(s), w->moves);
    if (s->fault) return;
    for (u32 at = 0; at < SIZE; at++) b->states[k * SIZE + at] = s->b[at];
    for (i32 p = 0; over && p < PLAYERS; p++) b->scores[k * PLAYERS + p] = scores[p];
    if (over) b->winners[k] = winners;
    for (u32 m = 0; m < n; m++) b->moves[k * b->width + m] = (i32)w->moves[m];
    for (i32 m = (i32)n; m < b->counts[k] && m < b->width; m++) b->moves[k * b->width + m] = -1;
    b->counts[k] = (i32)n;
    b->player[k] = s->b[WHO_AT] < OVER ? s->b[WHO_AT] : s->b[WHO_AT] == OVER ? -1 : -2;
    b->done[k] = (u8)over;
    b->seeds[k] = seed;
    b->draws[k] = draws;
}

/* batch(chosen or None, states, seeds, draws, moves, counts, player, done, scores, winners) */
static object *py_batch(object *self, object *const *args, size count) {
    buffer view[10];
    Batch b = {0};
    Work *w = 0;
    i32 held = 0, sized = 0;
    i64 k = 0;
    if (count != 10)
        return refuse("batch(chosen, states, seeds, draws, moves, counts, player, done, scores, winners)");
    for (; held < 10; held++) {
        if (!held && args[0] == api.none) view[0].buf = 0, view[0].len = 0;
        else if (api.get_buffer(args[held], &view[held], held ? WRITABLE : SIMPLE)) break;
    }
    if (held == 10) {
        b.chosen = view[0].buf, b.states = view[1].buf, b.seeds = view[2].buf, b.draws = view[3].buf;
        b.moves = view[4].buf, b.counts = view[5].buf, b.player = view[6].buf, b.done = view[7].buf;
        b.scores = view[8].buf, b.winners = view[9].buf, b.slots = view[2].len / 8;
        b.width = b.slots ? view[4].len / 4 / b.slots : 0;
        sized = (!b.chosen || view[0].len == b.slots * 8) && view[1].len == b.slots * SIZE &&
                view[3].len == b.slots * 8 && b.width >= MAX_CHOICES && view[5].len == b.slots * 4 &&
                view[6].len == b.slots * 4 && view[7].len == b.slots &&
                view[8].len == b.slots * 8 * PLAYERS && view[9].len == b.slots * 8;
        for (i64 at = 0; b.chosen && sized && at < b.slots; at++) {
            u8 *from = b.states + at * SIZE;
            u32 point = PC_WIDTH == 1 ? from[PC_AT] : (u32)(from[PC_AT] | from[PC_AT + 1] << 8);
            sized = b.chosen[at] == -1 ||
                    (b.chosen[at] >= first_at(point) && b.chosen[at] <= last_at(point));
        }
        if (!sized || MOVING) refuse("these arrays are not a batch of this game");
        else if ((w = workspace())) {
            void *thread = api.save();
            for (k = 0; k < b.slots; k++) {
                slot(w, &b, k);
                if (w->s.fault) break;
            }
            api.restore(thread);
        }
    }
    while (held)
        if (--held || args[0] != api.none) api.release(&view[held]);
    if (!w) return 0;
    give_back(w);
    if (k < b.slots) {
        object *one[1] = {api.integer(k)}, *found = fault(0, self, BATCH, one, 1);
        api.drop(one[0]);
        return found;
    }
    api.keep(api.none);
    return api.none;
}
