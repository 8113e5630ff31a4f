/* The rules of one game as C: no headers and no library.

   A state is the bytes that the Python back end uses, in the same places. A fault (the rules do
   something impossible) is noted and the run goes on with a value in range until the next block:
   the caller drops the state and lets the Python back end say what happened. */

typedef unsigned char u8;
typedef signed char i8;
typedef unsigned short u16;
typedef short i16;
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
