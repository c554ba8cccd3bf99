// SPDX-License-Identifier: MIT
//
// Stream sockets of a rank: connections between ranks are messages of the driver, so that ranks that wait for each
// other do not stop the others, and explorations visit the orders in which connections are accepted.
//
// Names:     a listening socket publishes its address at the server of names (name_server.hpp).
// Calls:     a connection is complete as soon as the other side listens. accept() takes the first request, of any rank.
//            Each write is a message; a read takes bytes of the first one, or waits for it.
// Outside:   in a run, a connection to an address at which no rank listens is one of the kernel.
// Numbers:   in a run that of a socket of the kernel, which stands for ours; else from first_number on, below the limit
//            of select().
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
  void close_all();

  bool is_listening(int number) const { return sockets_.at(number).state == State::listening; }
  int family(int number) const { return sockets_.at(number).family; }
  const SocketName& own_name(int number) const { return sockets_.at(number).own; }
  const SocketName* peer_name(int number) const;  // null: it is not connected
  bool is_nonblocking(int number) const { return sockets_.at(number).is_nonblocking; }
  void set_nonblocking(int number, bool is_nonblocking) { sockets_.at(number).is_nonblocking = is_nonblocking; }
  std::size_t readable_bytes(int number);

  // Whether a read or an accept would not wait, and a write. The first one asks the driver.
  bool can_read(int number);
  bool can_write(int number) const;
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

  // The function that may wait now.
  class Waiting {
   public:
    Waiting(RankSockets& sockets, const char* function, int number) : sockets_(sockets) {
      sockets_.waiting_ = function;
      sockets_.waiting_number_ = number;
    }
    ~Waiting() { sockets_.waiting_ = nullptr; }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

   private:
    RankSockets& sockets_;
  };

  int add(Socket socket);
  void end_writing(Socket& socket);
  void close_listener(const Socket& socket);
  bool take_message(Socket& socket, bool may_wait);  // false: there is none
  std::uint16_t free_port();

  std::map<int, Socket> sockets_;
  std::uint32_t listeners_ = 0, connections_ = 0, ports_ = 0;
  const char* waiting_ = nullptr;
  int waiting_number_ = 0;
};

// The sockets of the calling rank if this number is one of them; otherwise null.
RankSockets* sockets_of(int number);
// Whether stream sockets of the calling rank are ours.
bool has_sockets();
// At the end of a rank.
void close_sockets();

// Functions that take sockets and files, for a number that is one of ours: readv (with the flags of recv), writev,
// fcntl and ioctl.
ssize_t read_parts(int number, const iovec* parts, std::size_t count, int flags);
ssize_t write_parts(int number, const iovec* parts, std::size_t count);
int control_socket(int number, int what, long argument);
int request_of_socket(int number, unsigned long what, void* argument);

}  // namespace rehearse::smpi
