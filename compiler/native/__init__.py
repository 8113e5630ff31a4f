"""The native back end: freestanding C from the IR, built at first use, and its Python binding."""
