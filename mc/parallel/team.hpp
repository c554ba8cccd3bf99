// SPDX-License-Identifier: MIT
//
// Explores in several processes, so that the verdict is that of one.
//
// The team keeps a list of the parts of the exploration, in the order in which one process would come to them. When a
// worker donates work, the donated part follows its own. The team counts only the log of the first part; the other logs
// wait. So the ledger gets the same executions in the same order, whoever explored them and when, and when it says
// stop, it has counted nothing that would have come later.
//
// The team replaces a worker that dies. The new one repeats the part up to what the dead one had reported, continues
// from there, and reports where it stands. When two of these die at one place, the team leaves out what follows in that
// part, and the verdict says so.
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

  // Does the remaining work of the exploration, from where it stands. False: there can be no other processes, and
  // nothing was done.
  bool run();

  // From now on remaining() is needed.
  void will_save() { will_save_ = true; }
  // What the ledger had counted when it was stopped, and the remaining work; empty: none, or there is no use in going
  // on.
  const std::string& remaining() const { return remaining_; }
  // The same of an exploration by one process.
  static std::string remaining_of(const verdict::Ledger& ledger, const reduction::ReceivesFromExplorer& explorer);
  // Of what the ledger did not read.
  void load(records::Reader& from);

 private:
  struct Part {
    Assignment assignment;
    std::string log;             // that was not counted yet
    std::uint64_t received = 0;  // executions, since the path
    bool is_finished = false;
    std::optional<reduction::Path> rest;  // where it was made to stop
    double begin = 0;                     // position in the exploration
    std::string place_of_death;           // where the last one died that reported it
  };
  using Parts = std::list<Part>;

  // An execution that was read and not counted yet.
  struct Read {
    std::uint64_t operations = 0;
    verdict::Execution execution;
    std::size_t behind = 0;  // bytes of the log
  };

  struct Member {
    pid_t pid = -1;
    Channel channel;
    Shared::Slot* slot = nullptr;
    std::optional<Parts::iterator> part;  // that it is busy with
    std::string standing;
  };

  bool start(Member& member, bool inherits);
  void listen(int milliseconds);
  void hear(Member& member, const Frame& frame);
  void take_donation(Member& member, records::Reader& message);
  void bury(Member& member);
  void leave_out(Part& part, const std::string& how);
  bool count_log(Part& part);
  bool count_executions(records::Reader& reader, std::size_t& remaining);
  bool count_finished();
  void count_all();
  void feed();
  void ask_for_donations();
  std::optional<std::string> objection();
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
  std::vector<Parts::iterator> waiting_;  // that nobody is busy with
  std::vector<Read> read_;
  std::uint32_t deaths_ = 0;
  bool will_save_ = false;
  std::string remaining_;
  bool is_hopeless_ = false;  // the program is not deterministic
  std::uint64_t executions_before_, operations_before_;
  double asked_at_ = 0;
};

}  // namespace rehearse::mc::parallel
