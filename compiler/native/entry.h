/* What the library gives to Python: its functions, once it knows where to find what they call. */

static method methods[] = {
    {"start", (void *)py_start, FASTCALL, "The cells of the opening position."},
    {"moves", (void *)py_moves, FASTCALL, "The numbers of the legal moves."},
    {"outcomes", (void *)py_outcomes, FASTCALL, "The outcomes of chance with their weights."},
    {"step", (void *)py_step, FASTCALL, "The cells after a move, and the number of draws."},
    {"playout", (void *)py_playout, FASTCALL, "The end of a random game."},
    {"games", (void *)py_games, FASTCALL, "Many random games."},
    {"batch", (void *)py_batch, FASTCALL, "One step of games side by side."},
    {"states", (void *)py_states, FASTCALL, "Methods and attributes for a class of states."},
    {"close", (void *)py_close, FASTCALL, "Give up what is kept for a class of states."},
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
