// SPDX-License-Identifier: MIT
//
// Calls that send or receive: they pay for the computation before them, so that data leave and are read as late as on a
// slower machine. See slowdown.h.
#define _GNU_SOURCE
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "app/attach/library/slowdown.h"

#define SLOW_TRANSFER(result, name, parameters, arguments) \
  SLOW_EXPORT result name parameters;                      \
  SLOW_EXPORT result name parameters {                     \
    SLOW_REAL(result(*) parameters, #name);                \
    slow_pay();                                            \
    return real arguments;                                 \
  }

SLOW_TRANSFER(ssize_t, read, (int file, void* data, size_t bytes), (file, data, bytes))
SLOW_TRANSFER(ssize_t, __read_chk, (int file, void* data, size_t bytes, size_t room), (file, data, bytes, room))
SLOW_TRANSFER(ssize_t, readv, (int file, const struct iovec* parts, int count), (file, parts, count))
SLOW_TRANSFER(ssize_t, write, (int file, const void* data, size_t bytes), (file, data, bytes))
SLOW_TRANSFER(ssize_t, writev, (int file, const struct iovec* parts, int count), (file, parts, count))
SLOW_TRANSFER(ssize_t, recv, (int file, void* data, size_t bytes, int flags), (file, data, bytes, flags))
SLOW_TRANSFER(ssize_t, __recv_chk, (int file, void* data, size_t bytes, size_t room, int flags),
              (file, data, bytes, room, flags))
SLOW_TRANSFER(ssize_t, recvfrom,
              (int file, void* restrict data, size_t bytes, int flags, struct sockaddr* restrict from,
               socklen_t* restrict length),
              (file, data, bytes, flags, from, length))
SLOW_TRANSFER(ssize_t, recvmsg, (int file, struct msghdr* message, int flags), (file, message, flags))
SLOW_TRANSFER(ssize_t, send, (int file, const void* data, size_t bytes, int flags), (file, data, bytes, flags))
SLOW_TRANSFER(ssize_t, sendto,
              (int file, const void* data, size_t bytes, int flags, const struct sockaddr* to, socklen_t length),
              (file, data, bytes, flags, to, length))
SLOW_TRANSFER(ssize_t, sendmsg, (int file, const struct msghdr* message, int flags), (file, message, flags))
SLOW_TRANSFER(int, sendmmsg, (int file, struct mmsghdr* messages, unsigned count, int flags),
              (file, messages, count, flags))
SLOW_TRANSFER(int, recvmmsg, (int file, struct mmsghdr* messages, unsigned count, int flags, struct timespec* timeout),
              (file, messages, count, flags, timeout))
SLOW_TRANSFER(int, connect, (int file, const struct sockaddr* to, socklen_t length), (file, to, length))
SLOW_TRANSFER(int, accept, (int file, struct sockaddr* restrict from, socklen_t* restrict length), (file, from, length))
SLOW_TRANSFER(int, accept4, (int file, struct sockaddr* restrict from, socklen_t* restrict length, int flags),
              (file, from, length, flags))
