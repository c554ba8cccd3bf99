// SPDX-License-Identifier: MIT
//
// One execution of each class, depth first by receives-from exploration, in one process or several.
//
// It begins in this process: most explorations are over before others would have started.
#pragma once

#include <optional>
#include <string>

#include "mc/parallel/team.hpp"
#include "mc/strategy/search_strategy.hpp"

namespace rehearse::mc::strategy {

class DepthFirst final : public SearchStrategy {
 public:
  // `remaining`: as in remaining_work.hpp; null: nobody wants to know.
  explicit DepthFirst(Session& session, std::string* remaining = nullptr) : session_(session), remaining_(remaining) {}

  // From now on run() continues where another exploration was left. False: these bytes were never left.
  bool load(records::Reader& from);

  void run() override;

 private:
  void begin();
  void resume();
  bool run_alone(reduction::ReceivesFromExplorer& explorer, double seconds);
  bool is_to_go_on_alone(double seconds);
  bool run_team(parallel::Team& team);
  parallel::Exploration exploration(reduction::ReceivesFromExplorer* explorer);

  Session& session_;
  std::string* remaining_;
  std::uint64_t counted_ = 0;  // of the exploration's events, in the ledger
  std::optional<parallel::Team> team_;
  bool is_resumed_ = false;
};

}  // namespace rehearse::mc::strategy
