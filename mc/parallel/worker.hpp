// SPDX-License-Identifier: MIT
//
// Explores parts of an exploration in a child process and reports the results.
//
// Between two executions, a worker divides its part if another worker is idle.
//
// Errors: throws if the coordinator has gone.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "mc/explore.hpp"
#include "mc/history/history.hpp"
#include "mc/parallel/assignment.hpp"
#include "mc/parallel/channel.hpp"
#include "mc/records/bytes.hpp"
#include "mc/reduction/receives_from.hpp"
#include "mc/verdict/examiner.hpp"

namespace rehearse::mc::parallel {

// A monotonic clock with the resolution of the kernel's tick. It is read after each execution, and an execution can be
// as short as ten readings of an exact clock.
struct CoarseClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<CoarseClock>;
  static constexpr bool is_steady = true;
  static time_point now();
};

// Memory that the processes on one machine share.
struct Shared {
  struct Slot {  // of one worker and its replacements
    std::atomic<std::uint64_t> executions{0}, operations{0}, application_runs{0};
    std::atomic<std::uint64_t> bytes{0};
    std::atomic<double> position{0};  // in the exploration
  };
  std::atomic<std::int32_t> donations_wanted{0};  // number
  std::atomic<bool> stops{false};
  Slot slots[jobs_max];
};

// The kinds of reports of a worker. Before all kinds but `log` and `standing`, the worker sends its whole log.
enum class WorkerReport : std::uint8_t {
  log,        // the number of executions, then the entries
  donation,   // a Donation, made after the executions reported so far
  finished,   // no work of the part remains
  remaining,  // the worker was stopped: Path of the remaining work
  unchanged,  // the worker was stopped before it had begun: the assignment remains as it was
  standing,   // the schedule so far, in case the next step kills the worker; empty: reports no more
  // Only from another machine (outpost.hpp), which reports for its workers:
  progress,  // the numbers of the worker's Slot
  died,      // how, and the number of assignments before; the worker that took its place gets the later ones
};

void put(records::Writer& to, const Shared::Slot& slot);
void get(records::Reader& from, Shared::Slot& slot);

// The parts of an exploration and its progress.
struct Exploration {
  const ExploreOptions& options;
  std::uint32_t actors;
  history::History& history;
  verdict::Examiner& examiner;
  // Stopped between two executions; null: the remaining work comes from Team::load.
  reduction::ReceivesFromExplorer* explorer;
};

// Starts a worker in a child process: start_child() with preparations. The child goes on with the remaining work of the
// inherited explorer if it `inherits`, and then serves.
std::optional<Child> start_worker(const Exploration& exploration, Shared& shared, Shared::Slot& slot,
                                  const std::vector<int>& siblings, bool inherits);

class Worker {
 public:
  Worker(Exploration exploration, Channel& channel, Shared& shared, Shared::Slot& slot)
      : exploration_(exploration),
        channel_(channel),
        shared_(shared),
        slot_(slot),
        reported_runs_(exploration.history.application_runs()) {}

  // Continues with the remaining work of the inherited explorer.
  void go_on() { explore(*exploration_.explorer, {}); }

  // Explores assignments until the coordinator closes the channel.
  void serve();

 private:
  using Clock = std::chrono::steady_clock;

  void begin(const Assignment& assignment);
  void explore(reduction::ReceivesFromExplorer& explorer, const Assignment& assignment);
  bool visit(reduction::ReceivesFromExplorer& explorer, const graph::Graph& graph, const Assignment& assignment);
  void log_limits(const reduction::ReceivesFromExplorer& explorer);
  void log_end(const std::string& reason);
  void maybe_donate(reduction::ReceivesFromExplorer& explorer);
  void stand(const reduction::ReceivesFromExplorer& explorer, std::uint64_t skip);
  void flush();
  void send_report(WorkerReport kind, records::Writer& message);

  Exploration exploration_;
  Channel& channel_;
  Shared& shared_;
  Shared::Slot& slot_;
  verdict::Execution execution_;
  records::Writer log_;
  std::uint32_t logged_ = 0;   // executions in there
  std::uint64_t visited_ = 0;  // of this part
  std::size_t donated_ = 0;    // number of the assignment's donated parts that were passed
  std::uint64_t reported_operations_ = 0;
  std::uint64_t reported_runs_;
  std::size_t reported_limits_ = 0;
  bool is_careful_ = false;
  CoarseClock::time_point last_flush_, last_measure_;
  Clock::time_point last_donation_;
};

}  // namespace rehearse::mc::parallel
