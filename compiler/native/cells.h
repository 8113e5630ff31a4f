/* Reading and writing cells. */

#ifdef RULES_CHECKED
/* The debug build: an index or a value outside its range is a fault of the compiler. */
static i64 checked(S *s, i64 v, i64 lo, i64 hi) {
    if (v < lo || v > hi) {
        if (!s->fault) s->fault = 2;
        return lo;
    }
    return v;
}
#define AT(i, n) (i32) checked(s, i, 0, (n) - 1)
#define SPAN(i, k, n) (i32) checked(s, i, 0, (n) - (k))
#define KEEP32(v, lo, hi) ((i32)checked(s, v, lo, hi))
#define KEEP64(v, lo, hi) checked(s, v, lo, hi)
#else
#define AT(i, n) (i)
#define SPAN(i, k, n) (i)
#define KEEP32(v, lo, hi) ((i32)(v))
#define KEEP64(v, lo, hi) ((i64)(v))
#endif

#define FRAME(s, at) ((u32)(s)->b[at] | (u32)(s)->b[(at) + 1] << 8)

static inline i32 get1(const S *s, u32 a) { return s->b[a]; }
/* Bytes one after another from a pointer: compilers make one load of them. */
static inline u32 two_at(const u8 *p) { return (u32)p[0] | (u32)p[1] << 8; }
static inline u32 four_at(const u8 *p) { return two_at(p) | (u32)p[2] << 16 | (u32)p[3] << 24; }
static inline u64 word_at(const u8 *p) {
    return (u64)p[0] | (u64)p[1] << 8 | (u64)p[2] << 16 | (u64)p[3] << 24 | (u64)p[4] << 32 |
           (u64)p[5] << 40 | (u64)p[6] << 48 | (u64)p[7] << 56;
}
static inline i32 get2(const S *s, u32 a) { return (i32)two_at(s->b + a); }
static inline u32 get4(const S *s, u32 a) { return four_at(s->b + a); }
static inline u64 get8(const S *s, u32 a) { return word_at(s->b + a); }

/* Which of up to 64 cells of one byte from `a` on hold a byte: a bit for each. */
static inline u64 equal_cells(const S *s, u32 a, i32 n, u8 byte) {
    const u64 low = 0x7F7F7F7F7F7F7F7FULL, sought = byte * 0x0101010101010101ULL;
    u64 found = 0;
    for (i32 k = 0; k < n; k += 8) {
        u64 x = get8(s, a + (u32)k) ^ sought;
        x = ~(((x & low) + low) | x | low); /* the highest bit of each byte that is 0 */
        found |= (x >> 7) * 0x0102040810204080ULL >> 56 << k;
    }
    return n < 64 ? found & (((u64)1 << n) - 1) : found;
}
static inline u64 other_cells(const S *s, u32 a, i32 n, u8 byte) {
    return ~equal_cells(s, a, n, byte) & (n < 64 ? ((u64)1 << n) - 1 : ~(u64)0);
}

/* All ones stand for -1, which is `none`. */
static inline i32 none1(const S *s, u32 a) { return s->b[a] == 255 ? -1 : s->b[a]; }
static inline i32 none2(const S *s, u32 a) { i32 v = get2(s, a); return v == 65535 ? -1 : v; }
static inline i64 none4(const S *s, u32 a) { u32 v = get4(s, a); return v == ~0u ? -1 : (i64)v; }
static inline i64 none8(const S *s, u32 a) { return (i64)get8(s, a); }

static inline void put1(S *s, u32 a, i64 v) { s->b[a] = (u8)v; }
static inline void put2(S *s, u32 a, i64 v) { put1(s, a, v); s->b[a + 1] = (u8)(v >> 8); }
static inline void put4(S *s, u32 a, i64 v) { put2(s, a, v); put2(s, a + 2, v >> 16); }
static inline void put8(S *s, u32 a, i64 v) { put4(s, a, v); put4(s, a + 4, v >> 32); }
