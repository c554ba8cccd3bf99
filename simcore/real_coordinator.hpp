// SPDX-License-Identifier: MIT
//
// Leads the processes of an actor program that runs for real (docs/design/real-actors.md): it starts their run at a
// common date, knows the home of each mailbox, finds out when nothing can happen any more, and gathers their reports.
//
// Shape:    messages in, messages out: the owner of this object has the sockets and the processes.
// Protocol: give each message of a process to receive(), and the loss of its connection to lost(), until is_over().
//           Then the processes end by themselves.
// Units:    seconds since the common start; bytes; floating-point operations.
// Threads:  none.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/remote_actor_program.hpp"

namespace rehearse {

// The variable by which a process of the program finds its coordinator, and its value.
inline constexpr const char* real_actors_variable = "REHEARSE_REAL_ACTORS";
struct RealActorsPlace {
  std::string coordinator;  // unix:PATH or tcp:ADDRESS:PORT. The address `ssh` is that of the peer of the SSH session
  std::uint32_t process = 0;
  std::string secret;
  std::string address;  // at which the other processes reach it; `ssh`: its own one in the SSH session

  std::string text() const;
  // False: it is no such text.
  static bool read(std::string_view text, RealActorsPlace& place);
};

struct RealMessage {
  std::uint32_t kind = 0;
  std::string body;
};

// Messages from a stream of bytes.
class RealMessageReader {
 public:
  void add(std::string_view bytes) { bytes_.append(bytes); }
  bool next(RealMessage& message);

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};
std::string to_bytes(const RealMessage& message);

// The first message of a connection names its process. False: it is none of this job.
bool read_greeting(const RealMessage& message, std::string_view secret, std::uint32_t& process);

// In the standard output and the standard error of each process: a run begins or ends here.
std::string real_output_mark(std::string_view secret, bool begins);

struct RealActor {
  std::uint32_t number = 0;  // as ActorHandle::pid()
  std::string name, host;
  bool is_daemon = false;
  bool has_ended = false;
  double end = 0;
  std::uint32_t process = 0;
};

struct RealProcess {
  std::uint64_t messages = 0;      // that have arrived at its actors
  double bytes = 0;                // their sizes, as the program has given them
  std::uint64_t socket_bytes = 0;  // written to other processes
  double flops = 0;                // performed
  double flop_seconds = 0;         // of threads that computed
  double clock_error = 0;          // greatest difference of its clock from the coordinator's
  bool is_lost = false;            // its connection broke before the end
};

struct RealActorRun {
  bool has_run = false;  // a run() has ended in all processes that are left
  std::string platform;
  double end = 0;  // of the last actor that was no daemon
  std::vector<RealActor> actors;
  std::vector<RealProcess> processes;
  ActorsEnd stops;
  int exit_status = 0;   // the first one that is not 0
  std::string id, what;  // of a failure or deadlock, as in Fail; empty: none
  std::string refused;   // a feature that does not exist between processes, or another error; empty: none
};

class RealCoordinator {
 public:
  using Send = std::function<void(std::uint32_t process, RealMessage message)>;

  // `program`: path, for source lines.
  RealCoordinator(std::uint32_t processes, std::string program, Send send);
  ~RealCoordinator();
  RealCoordinator(const RealCoordinator&) = delete;
  RealCoordinator& operator=(const RealCoordinator&) = delete;

  void receive(std::uint32_t process, const RealMessage& message);
  void lost(std::uint32_t process);                                        // its connection is closed
  void ended(std::uint32_t process, int status, std::string_view errors);  // of waitpid()

  // The present run is to end as soon as all processes have reported; run() then has what was done so far.
  void interrupt();
  bool is_refused() const;  // end all processes
  bool has_started() const;
  // All processes are gone.
  bool is_over() const;
  const RealActorRun& run() const;

 private:
  class Core;
  std::unique_ptr<Core> core_;
};

}  // namespace rehearse
