#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sockets between ranks, and MPI_Comm_join: programs that connect by sockets of their own, under run and check."""
import errno
import json
import socket

from checking import BEGIN, END, WithPrograms

import closing_line

HELPERS = """#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <assert.h>

/* A socket that listens on a free port; where: its address. */
static int listening(struct sockaddr_in* where) {
  int s = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
  socklen_t bytes = sizeof *where;
  memset(where, 0, sizeof *where);
  where->sin_family = AF_INET;
  where->sin_addr.s_addr = htonl(INADDR_ANY);
  assert(s >= 0 && setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0);
  assert(bind(s, (struct sockaddr*)where, sizeof *where) == 0);
  assert(getsockname(s, (struct sockaddr*)where, &bytes) == 0 && bytes == sizeof *where && where->sin_port != 0);
  assert(listen(s, 5) == 0);
  return s;
}

/* Connects to a port of a host. */
static int connected(const char* host, int port) {
  char service[16];
  struct addrinfo hints = {0}, *found = NULL;
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  snprintf(service, sizeof service, "%d", port);
  assert(getaddrinfo(host, service, &hints, &found) == 0);
  int s = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
  assert(s >= 0 && connect(s, found->ai_addr, found->ai_addrlen) == 0);
  freeaddrinfo(found);
  return s;
}
"""

# Rank 0 listens, and tells the others its host and port, which connect. The server accepts before any of them does.
MEET = """
  struct sockaddr_in where;
  char host[MPI_MAX_PROCESSOR_NAME] = "";
  int length, port = 0, fd = -1;
  if (rank == 0) {
    int listener = listening(&where);
    port = ntohs(where.sin_port);
    MPI_Get_processor_name(host, &length);
    MPI_Bcast(&port, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(host, sizeof host, MPI_CHAR, 0, MPI_COMM_WORLD);
    fd = accept(listener, NULL, NULL);
    assert(fd >= 0);
    close(listener);
  } else {
    MPI_Bcast(&port, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(host, sizeof host, MPI_CHAR, 0, MPI_COMM_WORLD);
    fd = connected(host, port);
  }
"""

JOIN = MEET + """
  MPI_Comm both;
  int theirs = -1;
  MPI_Comm_join(fd, &both);
  int inter, remote;
  MPI_Comm_test_inter(both, &inter);
  MPI_Comm_remote_size(both, &remote);
  assert(inter && remote == 1);
  MPI_Sendrecv(&rank, 1, MPI_INT, 0, 0, &theirs, 1, MPI_INT, 0, 0, both, MPI_STATUS_IGNORE);
  assert(theirs == 1 - rank);
  MPI_Comm again;
  MPI_Comm_join(fd, &again);
  MPI_Allreduce(&rank, &theirs, 1, MPI_INT, MPI_SUM, again);
  assert(theirs == 1 - rank);
  close(fd);
  MPI_Comm_disconnect(&again);
  MPI_Comm_disconnect(&both);
  if (rank == 0) printf("joined\\n");
"""

BYTES = MEET + """
  char got[32] = "";
  if (rank == 0) {
    assert(recv(fd, got, 3, MSG_WAITALL | MSG_PEEK) == 3 && memcmp(got, "hel", 3) == 0);
    assert(recv(fd, got, 5, MSG_WAITALL) == 5 && memcmp(got, "hello", 5) == 0);
    int waiting = -1;
    assert(ioctl(fd, FIONREAD, &waiting) == 0 && (waiting == 0 || waiting == 6)); /* the second write may be late */
    struct iovec parts[2] = {{got, 2}, {got + 2, 4}};
    assert(readv(fd, parts, 2) == 6 && memcmp(got, " world", 6) == 0);
    assert(dprintf(fd, "%d bytes", 11) == 8);
    assert(shutdown(fd, SHUT_WR) == 0);
    assert(write(fd, got, 1) == -1 && errno == EPIPE);
    assert(read(fd, got, sizeof got) == 0);
  } else {
    assert(write(fd, "hello", 5) == 5);
    struct iovec parts[2] = {{" wor", 4}, {"ld", 2}};
    assert(writev(fd, parts, 2) == 6);
    assert(shutdown(fd, SHUT_WR) == 0);
    assert(recv(fd, got, sizeof got, MSG_WAITALL) == 8 && memcmp(got, "11 bytes", 8) == 0);
  }
  struct sockaddr_in peer, own;
  socklen_t bytes = sizeof peer, own_bytes = sizeof own;
  assert(getpeername(fd, (struct sockaddr*)&peer, &bytes) == 0);
  assert(getsockname(fd, (struct sockaddr*)&own, &own_bytes) == 0);
  int ports[2] = {ntohs(own.sin_port), ntohs(peer.sin_port)}, theirs[2];
  MPI_Sendrecv(ports, 2, MPI_INT, 1 - rank, 0, theirs, 2, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  assert(ports[0] == theirs[1] && ports[1] == theirs[0]);
  close(fd);
"""

# The client waits 2 s, so the server finds nothing at first.
POLLED = """
  struct sockaddr_in where;
  int port = 0, fd = -1, other;
  if (rank == 0) {
    int listener = listening(&where);
    port = ntohs(where.sin_port);
    MPI_Bcast(&port, 1, MPI_INT, 0, MPI_COMM_WORLD);
    assert(fcntl(listener, F_SETFL, O_NONBLOCK) == 0 && (fcntl(listener, F_GETFL) & O_NONBLOCK) != 0);
    assert(accept(listener, NULL, NULL) == -1 && errno == EAGAIN);
    struct pollfd one = {listener, POLLIN, 0};
    assert(poll(&one, 1, 0) == 0 && poll(&one, 1, 500) == 0);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(listener, &set);
    double begin = MPI_Wtime();
    struct timeval limit = {30, 0};
    assert(select(listener + 1, &set, NULL, NULL, &limit) == 1 && FD_ISSET(listener, &set));
    assert(MPI_Wtime() - begin > 1.4 && MPI_Wtime() - begin < 1.6);
    fd = accept(listener, NULL, NULL);
    one.fd = fd;
    one.events = POLLIN | POLLOUT;
    assert(poll(&one, 1, -1) == 1 && one.revents == POLLOUT);
    char got;
    assert(recv(fd, &got, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
    one.events = POLLIN;
    assert(poll(&one, 1, -1) == 1 && one.revents == POLLIN);
    assert(read(fd, &got, 1) == 1 && got == 'x');
  } else {
    MPI_Bcast(&port, 1, MPI_INT, 0, MPI_COMM_WORLD);
    usleep(2000000);
    fd = connected("127.0.0.1", port);
    usleep(1000000);
    assert(send(fd, "x", 1, 0) == 1);
  }
  close(fd);
"""

UNIX = """
  struct sockaddr_un where = {AF_UNIX, "meeting.socket"};
  int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), fd = s;
  if (rank == 0) {
    assert(bind(s, (struct sockaddr*)&where, sizeof where) == 0 && listen(s, 1) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    fd = accept(s, NULL, NULL);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    assert(connect(s, (struct sockaddr*)&where, sizeof where) == 0);
  }
  MPI_Comm both;
  MPI_Comm_join(fd, &both);
  MPI_Comm_disconnect(&both);
"""

# Which client the server accepts first is open. It prints its rank.
WHO = """
  struct sockaddr_in where;
  int port = 0;
  if (rank == 0) {
    int listener = listening(&where);
    port = ntohs(where.sin_port);
    MPI_Bcast(&port, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 1; i < size; ++i) {
      MPI_Comm client;
      int who = 0, fd = accept(listener, NULL, NULL);
      MPI_Comm_join(fd, &client);
      MPI_Recv(&who, 1, MPI_INT, 0, 0, client, MPI_STATUS_IGNORE);
      printf("%d", who);
      MPI_Comm_disconnect(&client);
      close(fd);
    }
  } else {
    MPI_Comm server;
    MPI_Bcast(&port, 1, MPI_INT, 0, MPI_COMM_WORLD);
    int fd = connected("localhost", port);
    MPI_Comm_join(fd, &server);
    MPI_Send(&rank, 1, MPI_INT, 0, 0, server);
    MPI_Comm_disconnect(&server);
    close(fd);
  }
"""

ONE_JOINS = MEET + """
  MPI_Comm both;
  if (rank == 0) MPI_Comm_join(fd, &both);
  else MPI_Recv(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
"""

NOBODY = """
  struct sockaddr_in where;
  if (rank == 0) accept(listening(&where), NULL, NULL);
  MPI_Barrier(MPI_COMM_WORLD);
"""

UNREAD = MEET + """
  MPI_Comm both;
  if (rank == 1) assert(write(fd, "x", 1) == 1);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int error = MPI_Comm_join(fd, &both);
  MPI_Error_class(error, &error);
  assert(rank == 1 || (error == MPI_ERR_ARG && both == MPI_COMM_NULL));
  if (rank == 1) MPI_Comm_free(&both);
"""

NO_SOCKET = """
  MPI_Comm both;
  MPI_Comm_join(7, &both);
"""

# Nobody listens at port 1 of this machine.
REFUSED = """
  struct sockaddr_in where = {0};
  int s = socket(AF_INET, SOCK_STREAM, 0);
  where.sin_family = AF_INET;
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  where.sin_port = htons(1);
  assert(connect(s, (struct sockaddr*)&where, sizeof where) == -1 && errno == ECONNREFUSED);
  if (rank > 0) listen(s, 1);
"""

# Arguments: a port of this machine, or no number, and the error that connect() must have.
CONNECTS = """
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  struct sockaddr_in port = {0};
  struct sockaddr_un path = {0};
  port.sin_family = AF_INET;
  port.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  port.sin_port = htons(atoi(argv[1]));
  path.sun_family = AF_UNIX;
  strcpy(path.sun_path, "/nobody/listens/here");
  const int is_port = port.sin_port != 0, s = socket(is_port ? AF_INET : AF_UNIX, SOCK_STREAM, 0);
  assert(s >= 0);
  errno = 0;
  if (is_port) connect(s, (struct sockaddr*)&port, sizeof port);
  else connect(s, (struct sockaddr*)&path, sizeof path);
  assert(errno == atoi(argv[2]));
  close(s);
  MPI_Finalize();
  return 0;
}
"""

# The second one to listen at a port of one host is refused.
TWICE = """
  struct sockaddr_in where = {0};
  where.sin_family = AF_INET;
  where.sin_port = htons(4711);
  int s = socket(AF_INET, SOCK_STREAM, 0);
  assert(bind(s, (struct sockaddr*)&where, sizeof where) == 0);
  if (rank == 0) assert(listen(s, 1) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) assert(listen(s, 1) == -1 && errno == EADDRINUSE);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) close(s);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) assert(listen(s, 1) == 0);
"""

# A rank that ends closes its sockets.
ENDED = MEET + """
  char got;
  MPI_Finalize();
  if (rank == 0) assert(read(fd, &got, 1) == 0);
  return 0;
"""


# One thread of a rank serves another one.
THREADS = """
  struct sockaddr_in where;
  int listener = listening(&where);
  pthread_t server;
  char got = 0;
  pthread_create(&server, NULL, serve, &listener);
  int fd = connected("127.0.0.1", ntohs(where.sin_port));
  assert(write(fd, "x", 1) == 1 && read(fd, &got, 1) == 1 && got == 'y');
  pthread_join(server, NULL);
  close(fd);
"""
SERVER = """
#include <pthread.h>
static void* serve(void* listener) {
  char got = 0;
  int fd = accept(*(int*)listener, NULL, NULL);
  assert(read(fd, &got, 1) == 1 && got == 'x' && write(fd, "y", 1) == 1);
  close(fd);
  return NULL;
}
"""

# The client comes after 2 s and writes after 3 s.
LIMITS = """
  struct sockaddr_in where;
  int port = 0, fd = -1;
  char got[4];
  if (rank == 0) {
    int listener = listening(&where);
    port = ntohs(where.sin_port);
    MPI_Bcast(&port, 1, MPI_INT, 0, MPI_COMM_WORLD);
    struct timeval half = {0, 500000}, wrong = {0, 1000000}, minute = {60, 0}, told = {1, 1};
    socklen_t bytes = sizeof told;
    assert(getsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &told, &bytes) == 0 && bytes == sizeof told);
    assert(told.tv_sec == 0 && told.tv_usec == 0);
    assert(setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &wrong, sizeof wrong) == -1 && errno == EDOM);
    assert(setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &half, sizeof half) == 0);
    double begin = MPI_Wtime();
    assert(accept(listener, NULL, NULL) == -1 && errno == EAGAIN);
    assert(MPI_Wtime() - begin > 0.499999 && MPI_Wtime() - begin < 0.50001);
    assert(setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &minute, sizeof minute) == 0);
    fd = accept(listener, NULL, NULL);
    assert(fd >= 0 && MPI_Wtime() - begin > 1.9999 && MPI_Wtime() - begin < 2.001);
    assert(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &half, sizeof half) == 0);
    assert(getsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &told, &bytes) == 0 && told.tv_sec == 0 && told.tv_usec == 500000);
    assert(read(fd, got, 1) == -1 && errno == EAGAIN);
    assert(MPI_Wtime() - begin > 2.4999 && MPI_Wtime() - begin < 2.501);
    assert(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &minute, sizeof minute) == 0);
    assert(setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &half, sizeof half) == 0);
    assert(read(fd, got, 1) == 1 && got[0] == 'x');
    assert(MPI_Wtime() - begin > 2.9999 && MPI_Wtime() - begin < 3.001);
    assert(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &half, sizeof half) == 0);
    assert(recv(fd, got, 4, MSG_WAITALL) == 1 && got[0] == 'y'); /* the rest comes too late */
    assert(MPI_Wtime() - begin > 3.4999 && MPI_Wtime() - begin < 3.501);
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    MPI_Bcast(&port, 1, MPI_INT, 0, MPI_COMM_WORLD);
    usleep(2000000);
    fd = connected("127.0.0.1", port);
    usleep(1000000);
    assert(write(fd, "x", 1) == 1 && write(fd, "y", 1) == 1);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  close(fd);
"""

# The connection ends with its last number, and all of them have its flags.
COPIES = MEET + """
  MPI_Comm both;
  char got = 0;
  int first = dup(fd), second = fcntl(fd, F_DUPFD, 700), other = socket(AF_INET, SOCK_STREAM, 0);
  assert(first >= 0 && first != fd && second >= 700 && other >= 0);
  assert(dup2(second, second) == second && dup3(second, second, 0) == -1 && errno == EINVAL);
  assert(fcntl(first, F_SETFL, O_NONBLOCK) == 0 && (fcntl(second, F_GETFL) & O_NONBLOCK) != 0);
  assert(fcntl(second, F_SETFL, 0) == 0);
  assert(close(fd) == 0 && close(second) == 0);
  assert(dup3(first, other, O_CLOEXEC) == other && close(first) == 0);
  assert(read(first, &got, 1) == -1 && errno == EBADF);
  MPI_Comm_join(other, &both);
  MPI_Comm_disconnect(&both);
"""
COPIES_END = """
  fd = dup(other);
  close(other);
  if (rank == 0) {
    usleep(1000000);
    assert(write(fd, "x", 1) == 1 && close(fd) == 0);
  } else {
    assert(read(fd, &got, 1) == 1 && got == 'x' && read(fd, &got, 1) == 0 && close(fd) == 0);
  }
"""
COPIED_OVER_STREAM = MEET + "  dup2(fd, 1);\n"
# Each of these ends the rank.
REFUSED_CALLS = {
    "epoll_ctl": "struct epoll_event event = {EPOLLIN}; epoll_ctl(epoll_create1(0), EPOLL_CTL_ADD, fd, &event);",
    "sendmmsg": "struct mmsghdr message = {0}; sendmmsg(fd, &message, 1, 0);",
    "recvmmsg": "struct mmsghdr message = {0}; recvmmsg(fd, &message, 1, 0, NULL);",
    "fdopen": "fdopen(fd, \"r\");"}

# A thread reads while another one closes the number: the read goes on, and the connection ends behind it.
CLOSED_MEANWHILE = MEET + """
  pthread_t reader;
  char got = 0;
  if (rank == 0) {
    pthread_create(&reader, NULL, read_one, &fd);
    assert(close(fd) == 0);
    int other = socket(AF_INET, SOCK_STREAM, 0); /* takes the memory of what is gone */
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(reader, NULL);
    close(other);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    assert(write(fd, "x", 1) == 1);
    assert(read(fd, &got, 1) == 0);
    close(fd);
  }
"""
READER = """
#include <pthread.h>
static void* read_one(void* number) {
  char got = 0;
  assert(read(*(int*)number, &got, 1) == 1 && got == 'x');
  return NULL;
}
"""

ONE_HOST = ("--no-summary", "--on", "cluster:1")  # for addresses of the host itself, and for paths


class Sockets(WithPrograms):
    def program(self, statements):
        return self.compile(self.write("program.c", HELPERS + BEGIN + statements + END))

    def report(self, statements, ranks, *options):
        done = self.rehearse("check", "-n", ranks, *options, "--json", "-", self.program(statements), status=None)
        return json.loads(done.stdout)

    def test_two_ranks_join(self):
        program = self.program(JOIN)
        for options in ([], ["--on", "cluster:2"]):
            self.assertEqual(self.rehearse("run", "--no-summary", "-n", 2, *options, program).stdout, "joined\n")
        report = self.report(JOIN, 2)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 1), report)

    def test_the_order_of_connections_is_open(self):
        output = self.rehearse("run", *ONE_HOST, "-n", 3, self.program(WHO)).stdout
        self.assertIn(output, ("12", "21"))
        report = self.report(WHO, 3)
        # Two orders of the connections, and for each two orders of the questions for the address.
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 4), report)
        self.assertEqual(self.report(WHO, 3, "--deterministic", "output")["verdict"], "violation")

    def test_bytes(self):
        self.rehearse("run", "--no-summary", "-n", 2, self.program(BYTES))
        report = self.report(BYTES, 2)
        self.assertEqual(report["verdict"], "inconclusive", report)
        self.assertIn("the bytes on a socket", " ".join(report["reasons"]))

    def test_waits_for_several_files_take_simulated_time(self):
        self.rehearse("run", *ONE_HOST, "-n", 2, self.program(POLLED))
        report = self.report(POLLED, 2)  # the client may come before: the program is wrong
        self.assertIn("poll or select (of a socket, with others or a limit)", " ".join(report["reasons"]))
        self.assertEqual({finding["id"] for finding in report["findings"]}, {"assertion.failed"})

    def test_sockets_with_paths(self):
        self.rehearse("run", *ONE_HOST, "-n", 2, self.program(UNIX))
        self.assertEqual(self.report(UNIX, 2)["verdict"], "verified")

    def test_ports_of_hosts(self):
        self.rehearse("run", *ONE_HOST, "-n", 2, self.program(TWICE))
        self.assertEqual(self.report(TWICE, 2)["verdict"], "verified")
        done = self.rehearse("run", "--no-summary", "-n", 2, "--on", "cluster:2", "program", status=1)
        self.assertIn("EADDRINUSE", done.stderr)  # other hosts have other ports

    def test_a_rank_that_ends_closes_its_sockets(self):
        self.rehearse("run", "--no-summary", "-n", 2, self.program(ENDED))

    def test_threads_of_a_rank_serve_each_other(self):
        program = self.compile(self.write("program.c", HELPERS + SERVER + BEGIN + THREADS + END), "program", "-pthread")
        self.rehearse("run", "--no-summary", "-n", 2, program)

    def test_a_socket_that_is_closed_while_a_thread_reads_it(self):
        text = HELPERS + READER + BEGIN + CLOSED_MEANWHILE + END
        program = self.compile(self.write("program.c", text), "program", "-pthread")
        self.rehearse("run", "--no-summary", "-n", 2, program)

    def test_limits_of_time(self):
        self.rehearse("run", *ONE_HOST, "-n", 2, "--compute", "none", self.program(LIMITS))
        report = self.report(LIMITS, 2)
        self.assertIn("accept (of a socket, with a limit of time)", " ".join(report["reasons"]))

    def test_several_numbers_of_a_socket(self):
        for statements in (COPIES, COPIES + COPIES_END):
            self.rehearse("run", *ONE_HOST, "-n", 2, self.program(statements))
        self.assertEqual(self.report(COPIES, 2)["verdict"], "verified")
        for verb in ("run", "check"):
            done = self.rehearse(verb, "-n", 2, self.program(COPIED_OVER_STREAM), status=3)
            self.assertIn("dup2 (of a socket between ranks, to a descriptor of something else)", done.stderr)

    def test_functions_that_do_not_know_them_are_refused_by_name(self):
        for function, statement in REFUSED_CALLS.items():
            text = HELPERS + "#include <sys/epoll.h>\n" + BEGIN + MEET + statement + END
            program = self.compile(self.write("program.c", text))
            for verb in ("run", "check"):
                done = self.rehearse(verb, "-n", 2, program, status=3)
                self.assertIn(f"{function} (of a socket between ranks)", done.stderr)

    def test_deadlocks(self):
        for statements, call in ((ONE_JOINS, "MPI_Comm_join"), (NOBODY, "accept")):
            program = self.program(statements)
            for verb in ("run", "check"):
                done = self.rehearse(verb, "-n", 2, program, status=1)
                self.assertIn("deadlock.", done.stdout + done.stderr)
                self.assertIn(call, done.stdout + done.stderr)

    def test_sockets_that_cannot_be_joined(self):
        self.rehearse("run", "--no-summary", "-n", 2, self.program(UNREAD))
        for verb in ("run", "check"):
            done = self.rehearse(verb, "-n", 1, self.program(NO_SOCKET), status=1)
            self.assertIn("fd 7 is no stream socket between ranks of this run", done.stdout + done.stderr)

    def test_an_address_outside(self):
        self.rehearse("run", "--no-summary", "-n", 1, self.program(REFUSED))
        report = self.report(REFUSED, 1)
        self.assertEqual(report["verdict"], "inconclusive", report)
        self.assertIn("connect (to an address at which no rank listens)", " ".join(report["reasons"]))

    def test_a_pair_of_sockets_is_not_explored(self):
        statement = "int s[2]; assert(socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0);"
        program = self.compile(self.write("program.c", "#include <sys/socket.h>\n" + BEGIN + statement + END))
        done = self.rehearse("check", "-n", 1, program, status=3)
        self.assertRegex(done.stderr, "inconclusive: socketpair .*not supported yet")

    def test_a_program_that_does_not_listen(self):
        # What the kernel refuses is refused; a connection to a server of the machine is not explored.
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            program = self.compile(self.write("program.c", CONNECTS))
            done = self.rehearse("check", "-n", 1, program, port, 0, status=3)
            self.assertIn("connect (to an address at which no rank listens)", done.stderr)
            self.rehearse("run", "--no-summary", "-n", 1, program, port, 0)
        for words in ((port, errno.ECONNREFUSED), ("no path", errno.ENOENT)):
            for verb in ("run", "check"):
                self.rehearse(verb, "-n", 2, program, *words)


if __name__ == "__main__":
    closing_line.main()
