/* Bytes as a whole, arithmetic that rounds down, and random numbers. */

static inline void fill(u8 *at, u32 size) { for (u32 k = 0; k < size; k++) at[k] = 0; }
/* Go on from other bytes: answers are kept if the cells are the same that they were read from. */
static inline void load(S *s, const u8 *from, u32 len) {
    compare(s, from);
    __builtin_memcpy(s->b, from, len);
    s->len = len;
}
static inline void grow(S *s, u32 size) { fill(s->b + s->len, size); s->len += size; }

static inline i32 narrow32(S *s, i32 v, i32 lo, i32 hi) {
    if (v < lo || v > hi) { s->fault = 1; return lo; }
    return v;
}
static inline i64 narrow64(S *s, i64 v, i64 lo, i64 hi) {
    if (v < lo || v > hi) { s->fault = 1; return lo; }
    return v;
}
static inline i32 min32(i32 a, i32 b) { return a < b ? a : b; }
static inline i64 min64(i64 a, i64 b) { return a < b ? a : b; }
static inline i32 max32(i32 a, i32 b) { return a > b ? a : b; }
static inline i64 max64(i64 a, i64 b) { return a > b ? a : b; }
static inline i32 abs32(i32 a) { return a < 0 ? -a : a; }
static inline i64 abs64(i64 a) { return a < 0 ? -a : a; }
static inline i64 div64(S *s, i64 a, i64 b) {
    if (b == 0) { s->fault = 1; return 0; }
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
static inline i64 mod64(S *s, i64 a, i64 b) { return b == 0 ? (s->fault = 1, 0) : a - b * div64(s, a, b); }
/* The same for divisors above 0. */
static inline i32 part32(i32 a, i32 b) { return a / b - (a % b < 0); }
static inline i64 part64(i64 a, i64 b) { return a / b - (a % b < 0); }
static inline i32 rest32(i32 a, i32 b) { i32 r = a % b; return r + (r >> 31 & b); }
static inline i64 rest64(i64 a, i64 b) { i64 r = a % b; return r + (r >> 63 & b); }
static inline i32 div32(S *s, i32 a, i32 b) { return (i32)div64(s, a, b); }
static inline i32 mod32(S *s, i32 a, i32 b) { return (i32)mod64(s, a, b); }

#define GOLDEN 0x9E3779B97F4A7C15ULL
#define DECISIONS 0xD1B54A32D192ED03ULL

static inline u64 mix(u64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

static inline u32 point_of(const S *s) {
    return PC_WIDTH == 1 ? s->b[PC_AT] : (u32)(s->b[PC_AT] | s->b[PC_AT + 1] << 8);
}
