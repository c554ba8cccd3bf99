// SPDX-License-Identifier: MIT
//
// The steps of a group of actors that share memory. The group is the only actor of its Program; its steps are the ways
// of its Choose operations (simcore/way.hpp).
#pragma once

#include <vector>

#include "mc/graph/graph.hpp"
#include "mc/history/history.hpp"
#include "mc/reduction/steps.hpp"

namespace rehearse::mc::reduction {

class GroupSteps final : public Steps {
 public:
  // Whether the Program is one group that reports the objects that its ways access. Required.
  static bool suits(history::History& history, std::uint32_t actors);

  explicit GroupSteps(history::History& history);

  void list(std::vector<Step>& steps) override;
  void take(Step& step) override;
  void take_back() override;
  bool doers_choose() const override { return false; }

  const graph::Graph& graph() const { return graph_; }
  bool has_strayed() const { return has_strayed_; }  // some step accessed more objects than announced
  void forget_what_is_behind();                      // drops local histories, if the History is full

 private:
  history::History& history_;
  graph::Graph graph_;
  bool has_strayed_ = false;
};

}  // namespace rehearse::mc::reduction
