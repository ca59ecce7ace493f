/*
 * errno.h: error numbers, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_ERRNO_H
#define TESTS_SOLARIS_ERRNO_H

extern int *___errno(void);
#define errno (*(___errno()))

#define EPERM 1
#define ENOENT 2
#define ESRCH 3
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define EBADF 9
#define ECHILD 10
#define EAGAIN 11
#define EWOULDBLOCK EAGAIN
#define ENOMEM 12
#define EACCES 13
#define EFAULT 14
#define EBUSY 16
#define EEXIST 17
#define ENODEV 19
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define ENOTTY 25
#define EFBIG 27
#define ENOSPC 28
#define ESPIPE 29
#define EROFS 30
#define EPIPE 32
#define EDOM 33
#define ERANGE 34
#define EDEADLK 45
#define ECANCELED 47
#define ENOTSUP 48
#define ETIME 62
#define EPROTO 71
#define ENAMETOOLONG 78
#define EOVERFLOW 79
#define EILSEQ 88
#define ENOSYS 89
#define ELOOP 90
#define EPROTONOSUPPORT 120
#define EOPNOTSUPP 122
#define EAFNOSUPPORT 124
#define EADDRINUSE 125
#define EADDRNOTAVAIL 126
#define ENETUNREACH 128
#define ECONNABORTED 130
#define ECONNRESET 131
#define ENOBUFS 132
#define EISCONN 133
#define ENOTCONN 134
#define ETIMEDOUT 145
#define ECONNREFUSED 146
#define EHOSTUNREACH 148
#define EALREADY 149
#define EINPROGRESS 150

#endif
