// SPDX-License-Identifier: MIT
//
// Messages between `rehearse` and a program of actors that it drives, over a socket.
//
// Protocol: the program says hello, and gets its orders. In its first run() it is ready, and becomes a server: for each
//           `fork`, a copy of it begins an execution. The copy answers `take` with its state, its stop, or its end, and
//           `describe` with texts; `quit` ends it. The server reports the end of each copy. States have a protocol of
//           their own.
// Threads:  none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "simcore/cost_model.hpp"
#include "simcore/stop_token.hpp"

namespace rehearse::remote {

inline constexpr std::uint32_t protocol_version = 4;
inline constexpr std::uint32_t steps_max = 1u << 20;        // of a path to a state
inline constexpr const char* variable = "REHEARSE_ACTORS";  // the number of the descriptor of the socket
inline constexpr const char* note_section = ".note.rehearse.actors";

enum class MessageKind : std::uint32_t {
  // ---- to the program
  orders,    // Orders, Reported
  fork,      // begin an execution
  take,      // choices, one after the other
  describe,  // what would you do with each choice?
  quit,
  // ---- from the program
  hello,    // protocol_version, base address of its code
  ready,    // it has called run(), on a platform of this name
  begun,    // process id of the copy
  state,    // see State
  texts,    // one for each choice
  last,     // no step is left; a State without choices
  stopped,  // actors raced, failed or wait forever; see Stop
  refused,  // a feature that cannot be driven
  crashed,  // a signal; see CrashNotice
  done,     // a run() has ended, with its date and the name of its platform
  ended,    // of the copy, from the server: its status of waitpid()
  event,    // of a timed run; see TimedEvent
  begins,   // a run() in simulated time: the number of hosts with actors
  uses,     // of a simulation in time; see UseMap
  cut,      // the run goes on behind Reported::latest; `done` and the end of the program follow
  // ---- of states: to the program, with steps (uint64 each)
  successors,  // show each state after these steps and one more
  trace,       // show each state on the way, and the last one
  // ---- of states: from the program
  global_state,  // see GlobalState; after `begun`, which names the process
  traced,        // see TracedStep
  tried,         // a successor has been shown, or its process has ended before; its status of waitpid(). After a
                 // signal, an empty message must follow before the next one is tried
};

enum class Orders : std::uint32_t {
  explore,  // without time
  replay,   // each choice comes from outside, the dates from the platform
  record,   // in simulated time, as without a session
  states,   // without time; see simcore/kernel/state_server.hpp
};

// What a program that runs in time reports of each simulation.
struct Reported {
  bool events = false;                  // TimedEvent
  bool uses = false;                    // UseMap
  TimePoint latest = CostModel::never;  // the program ends at this date
};

struct Message {
  MessageKind kind = MessageKind::quit;
  std::string body;
};

// Sent by a handler of signals, which cannot allocate.
struct CrashNotice {
  static constexpr std::uint32_t frames_max = 48;
  std::int32_t signal = 0;
  std::int32_t code = 0;
  std::uint64_t address = 0;
  char actor[96] = {};  // empty: outside of actors
  char host[96] = {};
  std::uint32_t frame_count = 0;
  std::uint64_t frames[frames_max] = {};
};

class Connection {
 public:
  // Takes over the descriptor.
  explicit Connection(int socket) : socket_(socket) {}
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int descriptor() const { return socket_; }
  bool send(const Message& message);  // false: the other end is closed

  enum class Received : std::uint8_t { message, closed, stopped };
  Received receive(Message& message, const StopToken& stop = {});
  // Without allocating. False: the other end is closed, or the body has more than `limit` bytes.
  bool receive_raw(MessageKind& kind, void* body, std::size_t limit, std::uint32_t& bytes);

 private:
  bool read_all(char* to, std::size_t bytes);

  int socket_;
};

// Writes a message without allocating, for handlers of signals.
void send_raw(int socket, MessageKind kind, const void* body, std::uint32_t bytes);

}  // namespace rehearse::remote
