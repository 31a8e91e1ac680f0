/* api.h - what surrounds the declarations of every header
 *
 * For the other headers. Between DAE_API_BEGIN and DAE_API_END stands what the shared library exports, with
 * the names of C in C++, too; all else in it is hidden.
 */
#ifndef DAELAB_API_H
#define DAELAB_API_H

#ifdef __cplusplus
#define DAE_API_BEGIN extern "C" { _Pragma("GCC visibility push(default)")
#define DAE_API_END _Pragma("GCC visibility pop") }
#else
#define DAE_API_BEGIN _Pragma("GCC visibility push(default)")
#define DAE_API_END _Pragma("GCC visibility pop")
#endif

#endif
