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
    object *value_error;
    object *none;
} api;

#define FASTCALL 0x0080
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
    for (size k = 0; k < len; k++) s->b[k] = from[k];
    s->len = (u32)len;
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

enum { START, MOVES, OUTCOMES, STEP, PLAYOUT, GAMES };

static object *py_start(object *self, object *const *args, size count) {
    Work *w = workspace();
    if (!w) return 0;
    begin(&w->s);
    return w->s.fault ? fault(w, self, START, args, count) : cells_of(w);
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
    found = api.list(n);
    for (u32 k = 0; found && k < n; k++) api.set_item(found, k, api.integer(w->moves[k]));
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
            for (u32 k = 0; k < from->s.len; k++) w->s.b[k] = from->s.b[k];
            w->s.len = from->s.len;
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

static method methods[] = {
    {"start", (void *)py_start, FASTCALL, "The cells of the opening position."},
    {"moves", (void *)py_moves, FASTCALL, "The numbers of the legal moves."},
    {"outcomes", (void *)py_outcomes, FASTCALL, "The outcomes of chance with their weights."},
    {"step", (void *)py_step, FASTCALL, "The cells after a move, and the number of draws."},
    {"playout", (void *)py_playout, FASTCALL, "The end of a random game."},
    {"games", (void *)py_games, FASTCALL, "Many random games."},
};

#define METHODS (sizeof(methods) / sizeof(methods[0]))

#ifdef _WIN32
__declspec(dllexport)
#else
__attribute__((visibility("default")))
#endif
object *rules_open(void **table, object *self) {
    void **into = (void **)&api;
    object *made;
    for (u32 k = 0; k < sizeof(api) / sizeof(void *); k++) into[k] = table[k];
    made = api.tuple(METHODS);
    for (u32 k = 0; made && k < METHODS; k++)
        api.set_part(made, k, api.function(&methods[k], self, 0));
    return made;
}
