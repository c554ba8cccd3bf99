// SPDX-License-Identifier: MIT
//
// Explores in several processes, also on other machines (outpost.hpp). The verdict is the same as with one process.
//
// The team keeps a list of the parts of the exploration, in the order in which one process would come to them. When a
// worker donates work, the donated part follows its own. The team counts only the log of the first part; the other logs
// wait. So the ledger gets the same executions in the same order, independent of the workers. When it stops, it has
// counted no execution that one process would have visited later.
//
// The team replaces a worker that dies. The new one repeats the part up to the last report of the dead one, continues
// from there, and reports each place that it reaches. When two workers die at one place, the team leaves out the rest
// of that part, and the verdict has a caveat. The parts of a machine that is lost go to the other workers.
#pragma once

#include <list>
#include <memory>
#include <string>
#include <vector>

#include "mc/parallel/worker.hpp"
#include "mc/verdict/ledger.hpp"
#include "mc/verdict/watch.hpp"

namespace rehearse::mc::parallel {

class Team {
 public:
  Team(const Exploration& exploration, verdict::Ledger& ledger, verdict::Watch& watch);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // Does the remaining work of the exploration. False: no process could be started, and nothing was done.
  bool run();

  // Prepares for a call of remaining().
  void will_save() { will_save_ = true; }
  // The state of the ledger when it stopped, and the remaining work. Empty: no work remains, or continuing is useless.
  const std::string& remaining() const { return remaining_; }
  // The same for an exploration by one process.
  static std::string remaining_of(const verdict::Ledger& ledger, const reduction::ReceivesFromExplorer& explorer);
  // Reads the parts, which follow the state of the ledger.
  void load(records::Reader& from);

 private:
  struct Part {
    Assignment assignment;
    std::string log;             // entries not counted yet
    std::uint64_t received = 0;  // number of executions received
    bool is_finished = false;
    std::optional<reduction::Path> rest;  // remaining work of a stopped worker
    double begin = 0;                     // position in the exploration
    std::string place_of_death;           // schedule at the death of the last careful worker
  };
  using Parts = std::list<Part>;

  // An execution that was read and not counted yet.
  struct Read {
    std::uint64_t operations = 0;
    verdict::Execution execution;
    std::size_t behind = 0;  // bytes of the log after it
  };

  struct Member {
    pid_t pid = -1;  // -1: a helper, or none
    Channel channel;
    Shared::Slot* slot = nullptr;
    bool is_helper = false;
    std::size_t machine = 0;              // 0: this one
    std::uint64_t assignments = 0;        // sent
    std::optional<Parts::iterator> part;  // current part
    std::string standing;
  };

  void start_members(bool is_new);
  bool start(Member& member, bool inherits);
  void add_helpers();
  void listen(int milliseconds);
  void handle(Member& member, const Frame& frame);
  void take_donation(Member& member, records::Reader& message);
  void replace_dead(Member& member);
  void give_up_part(Member& member, const std::string& how);
  bool has_died_too_often();
  void leave_out(Part& part, const std::string& how);
  bool count_log(Part& part);
  bool count_executions(records::Reader& reader, std::size_t& remaining);
  bool count_finished();
  void count_all();
  void assign_waiting();
  void ask_for_donations();
  std::optional<std::string> objection();
  std::uint64_t most_bytes() const;
  void collect();
  void save();
  static void put_part(const Part& part, records::Writer& to);
  double fraction_done() const;
  void halt(const std::string& reason);
  void end_all();

  Exploration exploration_;
  verdict::Ledger& ledger_;
  verdict::Watch& watch_;
  Shared* shared_;
  std::vector<std::unique_ptr<Member>> members_;
  Parts parts_;                           // in the order of the exploration
  std::vector<Parts::iterator> waiting_;  // parts without a worker
  std::vector<Read> read_;
  std::uint32_t deaths_ = 0, started_ = 0;  // of workers
  bool will_save_ = false;
  std::string remaining_;
  bool is_hopeless_ = false;  // the program is not deterministic
  std::uint64_t executions_before_, operations_before_;
  double asked_at_ = 0;
};

}  // namespace rehearse::mc::parallel
