/* Positions as Python holds them (compiler/runtime/state.py): what a loop over `moves` and `play`
   calls, done here at once. A class of states has its methods as written in Python and these; where
   anything is unusual (a text, a move of another position, a fault) the Python method is called,
   which does the same or says what is wrong. */

/* What Python tells: where an object keeps its attributes, in bytes from its address. In the order
   of `_places` in compiler/native/states.py. */
enum {
    TYPE, GAME, SEED, BEFORE, CELLS, MADE, CODES, DRAWS, KEY, LISTED,
    BY, MOVE_CELLS, CODE, NOTATION, POINT, RULES, TEXT, WORDS,
    FIRST_ITEM, COUNT, PLACES
};
static i64 places[PLACES];
#define PART(o, place) (*(object **)((char *)(o) + places[place]))
#define ITEMS(tuple) ((object **)((char *)(tuple) + places[FIRST_ITEM]))

enum { SLOW_MOVES, SLOW_PLAY, KEEPER, MOVE, MOVE_NOTATION, MOVE_RULES, PARTS };

/* The moves of a player at a decision point, by number, as far as they were ever asked for.
   `maker` makes one; it is None if moves are written differently in different positions. */
typedef struct {
    object *maker;
    object **made;
} Known;

/* Where there are more moves than this, legal or not, they are made anew for each position. */
#define MOST_KNOWN 100000

/* A class of states: `part` has its slow methods, what gives a `maker`, and what moves are made of. */
typedef struct Class {
    struct Class *next;
    object *type; /* not counted: a class takes itself off the list when it goes */
    object *part[PARTS];
    Known known[POINTS][PLAYERS];
} Class;
static Class *classes;

static Class *class_of(object *self) {
    object *type = PART(self, TYPE);
    Class *c = classes;
    while (c && c->type != type) c = c->next;
    if (!c) refuse("this class of states was closed");
    return c;
}

static object *slowly(object *function, object *self, object *const *args, size count, object *names) {
    object *all[8] = {self};
    size more = count + (names ? api.tuple_size(names) : 0);
    if (more > 7) return refuse("too many arguments");
    for (size k = 0; k < more; k++) all[k + 1] = args[k];
    return api.vectorcall(function, all, (u64)count + 1, names);
}

static void put(object *self, i32 place, object *value) {
    api.keep(value);
    PART(self, place) = value;
}

/* One workspace belongs to states: Python runs one of their methods at a time, and C calls nothing
   that runs other Python code while it is held. */
static Work *own;

static Work *held(void) {
    Work *w = own;
    own = 0;
    if (!w) return workspace();
    forget(&w->s);
    return w;
}

static void let_go(Work *w) {
    if (own) give_back(w);
    else own = w;
}

/* A workspace with the cells of a state; without error if the state is not as Python makes it. */
static Work *loaded(object *self) {
    object *cells = PART(self, CELLS);
    const u8 *from = cells ? (const u8 *)api.bytes_at(cells) : 0;
    Work *w = from ? held() : 0;
    if (!w || take(&w->s, from, api.bytes_size(cells))) return w;
    let_go(w);
    return 0;
}

/* Whether the moves of the player who decides are kept by number; -1 after an error. */
static i32 numbered(Class *c, object *cells, Known *known, u32 point) {
    object *ask[1] = {cells};
    if (known->maker) return known->made != 0;
    if (last_at(point) >= MOST_KNOWN) api.keep(known->maker = api.none);
    else if (!(known->maker = api.vectorcall(c->part[KEEPER], ask, 1, 0))) return -1;
    if (known->maker == api.none) return 0;
    u64 room = sizeof(object *) * (u64)(last_at(point) + 1);
    if (!(known->made = api.allocate(room))) {
        api.no_memory();
        return -1;
    }
    fill((u8 *)known->made, (u32)room);
    return 1;
}

/* A move that is kept, or one made for this position alone; a new reference. */
static object *made(Class *c, Known *known, object *cells, object *const *at, u32 number) {
    object *code, *ask[1], *move = known->made ? known->made[number] : 0;
    if (!move && (code = api.integer(number))) {
        if (known->made) {
            ask[0] = code;
            move = known->made[number] = api.vectorcall(known->maker, ask, 1, 0);
        } else if ((move = api.instance(c->part[MOVE], 0))) {
            api.untrack(move); /* nothing that it refers to knows of it */
            PART(move, CODE) = code;
            put(move, NOTATION, c->part[MOVE_NOTATION]);
            put(move, RULES, c->part[MOVE_RULES]);
            put(move, MOVE_CELLS, cells);
            put(move, POINT, at[0]);
            put(move, BY, at[1]);
            put(move, WORDS, api.none);
            put(move, TEXT, api.none);
            return move;
        }
        api.drop(code);
    }
    if (move) ++*(size *)((char *)move + places[COUNT]); /* `keep`, without a call */
    return move;
}

/* The legal moves of the player who decides; 0 without an error if Python has to say it. */
static object *list_moves(Class *c, Work *w, object *cells) {
    u32 point = point_of(&w->s), who = w->s.b[WHO_AT], n, k = 0;
    object *at[2] = {0, 0}, *all = 0;
    Known *known;
    i32 kept;
    if (who >= PLAYERS || point >= POINTS) return 0;
    known = &c->known[point][who];
    kept = numbered(c, cells, known, point);
    n = kept < 0 ? 0 : moves_at(&w->s, point, w->moves);
    if (kept < 0 || w->s.fault) return 0;
    if (!kept && (!(at[0] = api.integer(point)) || !(at[1] = api.integer(who)))) n = 0;
    else all = api.tuple(n);
    for (; all && k < n; k++)
        if (!(ITEMS(all)[k] = made(c, known, cells, at, w->moves[k]))) break;
    if (at[0]) api.drop(at[0]);
    if (at[1]) api.drop(at[1]);
    if (all && k == n) {
        if (n) api.untrack(all);
        return all;
    }
    if (all) api.drop(all);
    return 0;
}

static object *state_moves(object *self, object *const *args, size count, object *names) {
    object *listed = PART(self, LISTED), *all = 0;
    Class *c;
    Work *w;
    if (listed && listed != api.none && !count && !names) {
        api.keep(listed);
        return listed;
    }
    if (!(c = class_of(self))) return 0;
    if (listed && !count && !names && (w = loaded(self))) {
        all = list_moves(c, w, PART(self, CELLS));
        let_go(w);
    }
    if (!all) return api.occurred() ? 0 : slowly(c->part[SLOW_MOVES], self, args, count, names);
    listed = PART(self, LISTED);
    put(self, LISTED, all);
    api.drop(listed);
    return all;
}

static object *state_play(object *self, object *const *args, size count, object *names) {
    object *listed = PART(self, LISTED), *move = count ? args[0] : 0, *after = 0, *type;
    object *cells, *draws;
    Class *c;
    Work *w = 0;
    size n, k = 0;
    if (!(c = class_of(self))) return 0;
    /* Only a move that this very state has listed is legal without a further look. */
    n = listed && listed != api.none && count == 1 && !names ? api.tuple_size(listed) : 0;
    while (k < n && ITEMS(listed)[k] != move) k++;
    if (k < n) w = loaded(self);
    if (w) {
        object *code = PART(move, CODE);
        u64 before = 0, now = 0;
        play(&w->s, (u32)api.whole(code));
        if (w->s.b[WHO_AT] == CHANCE && PART(self, KEY) != api.none) {
            before = api.mask(PART(self, DRAWS));
            now = settle(w, api.mask(PART(self, KEY)), before);
        }
        if (!w->s.fault && !api.occurred()) {
            type = PART(self, TYPE);
            cells = api.bytes((const char *)w->s.b, w->s.len);
            draws = now == before ? PART(self, DRAWS) : api.natural(now);
            if (now == before) api.keep(draws);
            after = cells && draws ? api.instance(type, 0) : 0;
            if (after) {
                PART(after, CELLS) = cells;
                PART(after, DRAWS) = draws;
                put(after, BEFORE, self);
                put(after, MADE, code);
                put(after, GAME, PART(self, GAME));
                put(after, SEED, PART(self, SEED));
                put(after, KEY, PART(self, KEY));
                put(after, CODES, api.none);
                put(after, LISTED, api.none);
            } else {
                if (cells) api.drop(cells);
                if (draws) api.drop(draws);
            }
        }
        let_go(w);
    }
    if (after || api.occurred()) return after;
    return slowly(c->part[SLOW_PLAY], self, args, count, names);
}

/* Who decides, as the bytes say it; -1 after an error. */
static i32 decider(object *self) {
    object *cells = PART(self, CELLS);
    const u8 *from = cells ? (const u8 *)api.bytes_at(cells) : 0;
    if (from && api.bytes_size(cells) >= SIZE) return from[WHO_AT];
    if (!api.occurred()) refuse("a state has no cells");
    return -1;
}

static object *state_over(object *self, void *closure) {
    i32 who = decider(self);
    object *found = who == OVER ? api.yes : api.no;
    (void)closure;
    if (who < 0) return 0;
    api.keep(found);
    return found;
}

static object *state_player(object *self, void *closure) {
    i32 who = decider(self);
    (void)closure;
    if (who < 0) return 0;
    if (who < OVER) return api.integer(who);
    api.keep(api.none);
    return api.none;
}

static method state_methods[] = {
    {"moves", (void *)state_moves, FASTCALL | KEYWORDS,
     "The legal moves; empty when chance decides and at the end."},
    {"play", (void *)state_play, FASTCALL | KEYWORDS,
     "The position after a move, given as a `Move` or in notation; raises `IllegalMove`."},
};
static attribute state_attributes[] = {
    {"over", state_over, 0, "Whether the game is over.", 0},
    {"player", state_player, 0, "The player to decide; None when chance decides and at the end.", 0},
};

/* states(class, places, parts …): the methods and attributes for a class. */
static object *py_states(object *self, object *const *args, size count) {
    buffer view;
    Class *c;
    object *found;
    if (count != 2 + PARTS) return refuse("states(class, places, parts …)");
    if (api.get_buffer(args[1], &view, SIMPLE)) return 0;
    for (u32 k = 0; k < PLACES && view.len == sizeof places; k++) places[k] = ((i64 *)view.buf)[k];
    api.release(&view);
    if (!(c = api.allocate(sizeof *c))) return api.no_memory();
    fill((u8 *)c, sizeof *c);
    c->type = args[0];
    for (u32 k = 0; k < PARTS; k++) {
        api.keep(args[2 + k]);
        c->part[k] = args[2 + k];
    }
    c->next = classes;
    classes = c;
    if (!(found = api.tuple(4))) return 0;
    for (u32 k = 0; k < 2; k++) {
        api.set_part(found, k, api.describe_method(args[0], &state_methods[k]));
        api.set_part(found, k + 2, api.describe_attribute(args[0], &state_attributes[k]));
    }
    return found;
}

/* close(address of a class): what was kept for it is given up. */
static object *py_close(object *self, object *const *args, size count) {
    Class **at = &classes, *c;
    if (count != 1) return refuse("close(address)");
    u64 address = api.mask(args[0]);
    while (*at && (u64)(*at)->type != address) at = &(*at)->next;
    if ((c = *at)) {
        *at = c->next;
        for (u32 p = 0; p < POINTS; p++)
            for (u32 q = 0; q < PLAYERS; q++) {
                Known *known = &c->known[p][q];
                for (i64 k = 0; known->made && k <= last_at(p); k++)
                    if (known->made[k]) api.drop(known->made[k]);
                if (known->made) api.free(known->made);
                if (known->maker) api.drop(known->maker);
            }
        for (u32 k = 0; k < PARTS; k++) api.drop(c->part[k]);
        api.free(c);
    }
    api.keep(api.none);
    return api.none;
}
