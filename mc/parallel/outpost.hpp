// SPDX-License-Identifier: MIT
//
// The workers of a team whose coordinator is on another machine.
//
// Each worker has a connection to the coordinator. This process passes on the assignments and the reports. It replaces
// what the processes of one machine share: it carries out the orders for donations and stops, and it reports progress
// and deaths. The dead worker's reports come before the report of its death.
//
// Frames: in this machine's byte order; all machines run the same executable.
// Errors: none. A lost connection ends its worker.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "mc/parallel/worker.hpp"

namespace rehearse::mc::parallel {

class Outpost {
 public:
  // `coordinator`: the connections, one for each worker. The outpost closes them.
  Outpost(const Exploration& exploration, std::vector<Channel> coordinator);
  ~Outpost();
  Outpost(const Outpost&) = delete;
  Outpost& operator=(const Outpost&) = delete;

  // Returns when the coordinator has closed all connections, or no worker can be started.
  void serve();

 private:
  struct Post {
    Channel coordinator;
    Shared::Slot* slot = nullptr;
    pid_t pid = -1;
    Channel worker;
    std::uint64_t passed = 0;  // number of assignments
  };

  bool start_worker_of(Post& post);
  void listen();
  bool pass_orders(Post& post);
  bool pass_reports(Post& post);
  bool report_death(Post& post);
  void report_progress();
  void end(Post& post);

  Exploration exploration_;
  Shared* shared_;
  std::vector<std::unique_ptr<Post>> posts_;
  std::chrono::steady_clock::time_point next_progress_;
};

}  // namespace rehearse::mc::parallel
