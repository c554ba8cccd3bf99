// SPDX-License-Identifier: MIT
//
// A way is a step of its actor.
#include "mc/reduction/group_steps.hpp"

#include <algorithm>

#include "mc/reduction/questions.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::mc::reduction {
namespace {

Footprint footprint_of(const Way& way) {
  Footprint footprint;
  footprint.anything = way.touches_anything;
  footprint.touches.assign(way.touched().begin(), way.touched().end());
  return footprint;
}

// Whether the step from `before` to `after` has ended the execution although other doers had steps to take: by a crash,
// an exit or a race.
bool cuts(const history::Node& before, const history::Node& after, std::uint64_t doer) {
  if (std::holds_alternative<Choose>(after.operation)) return false;
  return std::ranges::any_of(before.ways.list, [&](const Way& way) {
    return way.who != doer && std::ranges::find(after.ways.list, way.who, &Way::who) == after.ways.list.end();
  });
}

}  // namespace

GroupSteps::GroupSteps(history::History& history) : history_(history), graph_(1) {
  graph_.stand_at(0, history_.start(ActorId{0}));
}

bool GroupSteps::suits(history::History& history, std::uint32_t actors) {
  if (actors != 1) return false;
  const history::Node& node = *history.start(ActorId{0});
  return std::holds_alternative<Choose>(node.operation) && !node.ways.list.empty();
}

void GroupSteps::list(std::vector<Step>& steps) {
  for (const Way& way : graph_.actor(0).node->ways.list) {
    Step& step = steps.emplace_back();
    step.who = way.who;
    step.is_possible = way.is_possible;
    step.footprint = footprint_of(way);
  }
}

void GroupSteps::take(Step& step) {
  const graph::Graph::Actor& group = graph_.actor(0);
  const history::Node& node = *group.node;
  graph::Option way;
  way.completed.push_back(0);
  while (node.ways.list[way.completed[0]].who != step.who) ++way.completed[0];
  graph_.append(0, graph::EventKind::observe);
  graph_.set_option(0, way);
  graph_.stand_at(0, history_.advance(&node, reply_key(graph_, 0, node, way),
                                      [&](history::Reply& reply) { make_reply(graph_, 0, node, way, reply); }));
  // Whatever the others would have done then is not known.
  if (cuts(node, *group.node, step.who)) step.footprint.anything = true;
  if (group.node->ways.strayed) has_strayed_ = step.footprint.anything = step.footprint.strayed = true;
}

void GroupSteps::take_back() { graph_.pop(0); }

void GroupSteps::forget_what_is_behind() {
  if (!history_.is_full()) return;
  const history::Node* const here[] = {graph_.actor(0).node};
  history_.collect(here);
}

}  // namespace rehearse::mc::reduction
