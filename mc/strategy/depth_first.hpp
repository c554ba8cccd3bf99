// SPDX-License-Identifier: MIT
//
// One execution of each class, depth first by receives-from exploration, in one process or several.
//
// It begins in this process, because most explorations end before other processes would have started.
#pragma once

#include <optional>
#include <string>

#include "mc/parallel/team.hpp"
#include "mc/strategy/search_strategy.hpp"

namespace rehearse::mc::strategy {

class DepthFirst final : public SearchStrategy {
 public:
  // `remaining`: as in remaining_work.hpp; null: not needed.
  explicit DepthFirst(Session& session, std::string* remaining = nullptr) : session_(session), remaining_(remaining) {}

  // Makes run() continue a saved exploration. False: the bytes are not a saved exploration.
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
  std::uint64_t counted_ = 0;  // events of the exploration that the ledger has counted
  std::optional<parallel::Team> team_;
  bool is_resumed_ = false;
};

}  // namespace rehearse::mc::strategy
