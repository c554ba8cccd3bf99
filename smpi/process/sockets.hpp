// SPDX-License-Identifier: MIT
//
// Stream sockets of a rank: connections between ranks are messages of the driver, so that ranks that wait for each
// other do not stop the others, and explorations visit the orders in which connections are accepted.
//
// Names:     a listening socket publishes its address at the server of names (name_server.hpp).
// Calls:     a connection is complete as soon as the other side listens. accept() takes the first request, of any rank.
//            Each write is a message; a read takes bytes of the first one, or waits for it.
// Outside:   in a run, a connection to an address at which no rank listens is one of the kernel. In a check of a
//            program in which no rank can listen, it fails if the kernel refuses it.
// Numbers:   in a run that of a socket of the kernel, which stands for ours; else from first_number on, below the limit
//            of select(). Several numbers may stand for one socket (dup). It ends when none does and no call is on it.
// Limits:    SO_RCVTIMEO in simulated time, for reads and accept(). SO_SNDTIMEO has no effect: writes never wait.
// Left out:  reads that get another part of the written bytes than here; the verdict of a check says so. Writes never
//            wait, and are never refused because the other side has closed.
// Errors:    as the system calls: -1 and errno. What cannot be explored ends the rank by name.
// Ownership: in the rank's memory, rolled back with it.
// Threads:   called on ranks only.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simcore/ids.hpp"
#include "smpi/process/socket_names.hpp"

namespace rehearse::smpi {

// How a call waits: as its socket says, not at all, or until all bytes are there.
struct ReadFlags {
  bool may_wait = true;
  bool stays = false;     // the bytes can be read again
  bool is_whole = false;  // waits for all bytes
};

// The other end of a connection, as MPI_Comm_join needs it.
struct JoinedSocket {
  enum class State : std::uint8_t { ready, none, not_connected, own, has_data, is_closed } state = State::none;
  ActorId peer;
  std::uint64_t meeting = 0;  // the same number at both ends, another one for each join
};

// Of the calls on a socket, in microseconds. 0: there is none; negative: they do not wait.
struct TimeLimits {
  std::int64_t receive = 0, send = 0;
};

class RankSockets {
 public:
  static constexpr int first_number = 512, end_number = 1024;

  bool contains(int number) const { return sockets_.contains(number); }

  int open(int family, int type, int protocol);
  int bind(int number, const SocketName& name);
  int listen(int number);
  int accept(int number, SocketName& peer, int flags);  // SOCK_NONBLOCK
  int connect(int number, const SocketName& to);
  std::ptrdiff_t write(int number, const void* from, std::size_t bytes);
  std::ptrdiff_t read(int number, void* to, std::size_t bytes, ReadFlags flags);
  int shut_down(int number, int how);
  int close(int number);
  void close_all();  // at the end of the rank, whose calls never return

  bool is_listening(int number) const { return at(number).state == State::listening; }
  int family(int number) const { return at(number).family; }
  const SocketName& own_name(int number) const { return at(number).own; }
  const SocketName* peer_name(int number) const;  // null: it is not connected
  bool is_nonblocking(int number) const { return at(number).is_nonblocking; }
  void set_nonblocking(int number, bool is_nonblocking) { at(number).is_nonblocking = is_nonblocking; }
  TimeLimits& time_limits(int number) { return at(number).limits; }

  // Another number for the same socket: the first free one from `least` on, or `wanted`, which is closed before.
  int duplicate(int number, int least);
  int duplicate_to(int number, int wanted);

  std::size_t readable_bytes(int number);

  // Whether a read or an accept would not wait, and a write. The first one asks the driver.
  bool can_read(int number);
  bool can_write(int number) const { return at(number).state == State::connected; }
  void wait_until_readable(int number);

  // Both ends call this. The answer says what is wrong, if something is.
  JoinedSocket join(int number);

  // The call that waits, "accept(5)", for reports; empty: none does.
  std::string waiting_call() const;

 private:
  enum class State : std::uint8_t { fresh, listening, connected };
  struct Socket {
    State state = State::fresh;
    int family = 0;
    bool is_nonblocking = false;
    TimeLimits limits;
    std::uint32_t numbers = 0;  // that stand for it
    std::uint32_t calls = 0;    // that are on it
    SocketName own, peer_name;
    std::string service;              // of a listening socket
    std::uint32_t listener = 0;       // its number
    ActorId peer;                     // of a connection
    ContextId gives, takes;           // the contexts of its bytes
    std::vector<std::byte> received;  // not yet read, behind the first `taken` ones
    std::size_t taken = 0;
    bool is_ended = false;            // the other side writes no more
    bool has_ended = false;           // this side writes no more
    bool is_deaf = false;             // this side reads no more
    std::uint32_t offered_joins = 0;  // by the other side
    std::uint32_t joins = 0;
  };

  // A call on a socket. The socket stays until the call is over, also if another thread closes its number. Without a
  // socket of this number, errno is EBADF.
  class Call {
   public:
    Call(RankSockets& sockets, int number, const char* function = nullptr);  // the one that may wait now
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    explicit operator bool() const { return socket_ != nullptr; }
    Socket& operator*() const { return *socket_; }

   private:
    RankSockets& sockets_;
    std::shared_ptr<Socket> socket_;
    bool may_wait_;
  };

  // Until when a call waits, as clock_seconds(); 0: not at all.
  struct Patience {
    const char* function = nullptr;
    double until = 0;
  };

  Socket& at(int number) { return *sockets_.at(number); }
  const Socket& at(int number) const { return *sockets_.at(number); }
  int add(Socket socket);
  int enter(int number, std::shared_ptr<Socket> socket);
  int free_number(int least) const;  // of an exploration; negative: errno
  void drop(int number);
  void end_if_unused(Socket& socket);
  static Patience patience_of(const Socket& socket, const char* function);
  // False: there is no message, and the patience is over.
  static bool await_message(ContextId context, std::optional<ActorId> from, const Patience& patience);
  void end_writing(Socket& socket);
  void close_listener(const Socket& socket);
  bool take_message(Socket& socket, const Patience& patience);  // false: there is none
  std::size_t take_all(Socket& socket);
  bool can_read(const Socket& socket) const;
  std::uint16_t free_port();

  std::map<int, std::shared_ptr<Socket>> sockets_;
  std::uint32_t listeners_ = 0, connections_ = 0, ports_ = 0;
  const char* waiting_ = nullptr;
  int waiting_number_ = 0;
};

// The sockets of the calling rank if this number is one of them; otherwise null.
RankSockets* sockets_of(int number);
// Whether stream sockets of the calling rank are ours.
bool has_sockets();
// Whether the calling rank is checked: then no socket of the kernel stands for one of ours.
bool sockets_are_explored();
// At the end of a rank.
void close_sockets();

// Functions that take sockets and files, for a number that is one of ours: readv (with the flags of recv), writev,
// fcntl and ioctl.
ssize_t read_parts(int number, const iovec* parts, std::size_t count, int flags);
ssize_t write_parts(int number, const iovec* parts, std::size_t count);
int control_socket(int number, int what, long argument);
int request_of_socket(int number, unsigned long what, void* argument);

}  // namespace rehearse::smpi
