/* scalar_loops.h - included first in files whose loops run over the few numbers of a state
 *
 * They were just stored one by one: to load two of them at once would wait until both have left the
 * store buffer, some 15 cycles, longer than the loop itself takes.
 */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-vectorize", "no-tree-slp-vectorize")
#endif
