// SPDX-License-Identifier: MIT
//
// Members of one collective that do not call the same: collective.operation, collective.root, collective.operator,
// collective.count and collective.signature (types). One finding per collective, which says who calls what in groups,
// the smallest one first: where few differ from many, it is they who are probably wrong.
#include <algorithm>
#include <array>
#include <map>

#include "properties/judge.hpp"
#include "properties/words.hpp"

namespace rehearse::properties {

namespace {

struct Kind {
  const char* mismatch;
  const char* text;
};
// The first that applies is told.
constexpr std::array kinds = {
    Kind{"operation", "call different collectives"}, Kind{"root", "name different roots"},
    Kind{"operator", "name different operators"},    Kind{"signature", "name different types"},
    Kind{"count", "name different counts"},
};

constexpr std::size_t told_per_group = 4;

// Members that call the same at the same place.
struct Group {
  std::vector<ActorId> actors;
  std::vector<Location> places;  // of some of them; none: they are not there any more
  std::string what;
};

bool are_of_one(const PendingRequest& a, const PendingRequest& b) {
  return a.kind == PendingRequest::Kind::collective && b.kind == PendingRequest::Kind::collective &&
         a.context == b.context && a.number == b.number;
}

class Disagreement {
 public:
  Disagreement(const Outcome& outcome, const PendingRequest& one, const Describe& describe) {
    const PendingRequest* gone_on = nullptr;  // says with whom it disagrees
    std::vector<ActorId> there;
    for (const PendingRequest& pending : outcome.pending) {
      if (!are_of_one(pending, one)) continue;
      there.push_back(pending.actor);
      note(pending.mismatch);
      if (!pending.mismatch.empty()) gone_on = &pending;
      if (pending.completed)
        add_gone_on(pending);
      else
        add(pending.actor, pending.name, describe);
    }
    if (gone_on != nullptr && std::find(there.begin(), there.end(), gone_on->mismatch_with) == there.end())
      groups_["has gone on"] = {{gone_on->mismatch_with}, {}, "past " + gone_on->mismatch_name};
    number_ = one.number;
  }

  Finding finding() const {
    Finding finding;
    finding.id = std::string("collective.") + kind_->mismatch;
    std::vector<const Group*> order;
    for (const auto& [key, group] : groups_) order.push_back(&group);
    std::stable_sort(order.begin(), order.end(), [](const Group* a, const Group* b) {
      return std::pair(a->actors.size(), a->actors.front()) < std::pair(b->actors.size(), b->actors.front());
    });
    for (const Group* group : order) {
      if (!finding.message.empty()) finding.message += ", ";
      finding.message += many_ranks(group->actors) + (group->actors.size() == 1 ? " is " : " are ") + group->what;
      finding.actors.insert(finding.actors.end(), group->actors.begin(), group->actors.end());
      finding.locations.insert(finding.locations.end(), group->places.begin(), group->places.end());
    }
    std::sort(finding.actors.begin(), finding.actors.end());
    finding.message += std::string(": they ") + kind_->text + " as the " + ordinal(number_ + 1) +
                       " collective on one communicator";
    return finding;
  }

 private:
  void note(const std::string& mismatch) {
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& k) { return mismatch == k.mismatch; });
    if (found != kinds.end() && &*found < kind_) kind_ = &*found;
  }

  void add(ActorId actor, const std::string& name, const Describe& describe) {
    Location where = place(actor, describe, "takes part in " + name);
    const std::string at = call_and_line(where);
    // Who only started it stands elsewhere now.
    const bool is_in_it = at.starts_with(name + "(");
    Group& group = groups_[name + at];
    if (group.actors.empty()) group.what = is_in_it ? "in " + at : "in " + name + " (now in " + at + ")";
    group.actors.push_back(actor);
    if (group.places.size() < told_per_group) group.places.push_back(std::move(where));
  }

  // It waited for none of those who disagree.
  void add_gone_on(const PendingRequest& pending) {
    Location where;
    where.actor = pending.actor;
    where.call = std::string(pending.origin.call);
    where.file = pending.started_at.file;
    where.line = pending.started_at.line;
    where.function = pending.started_at.function;
    where.what = "took part in " + pending.name;
    Group& group = groups_["past " + pending.name + call_and_line(where)];
    if (group.actors.empty()) group.what = "past " + call_and_line(where);
    group.actors.push_back(pending.actor);
    if (group.places.size() < told_per_group) group.places.push_back(std::move(where));
  }

  std::map<std::string, Group> groups_;
  const Kind* kind_ = &kinds.back();
  std::uint64_t number_ = 0;
};

}  // namespace

std::vector<Finding> judge_disagreements(const Outcome& outcome, const Describe& describe) {
  std::vector<Finding> findings;
  std::vector<const PendingRequest*> told;
  for (const PendingRequest& pending : outcome.pending) {
    if (pending.kind != PendingRequest::Kind::collective || pending.mismatch.empty()) continue;
    if (std::any_of(told.begin(), told.end(), [&](const PendingRequest* other) { return are_of_one(*other, pending); }))
      continue;
    told.push_back(&pending);
    findings.push_back(Disagreement(outcome, pending, describe).finding());
  }
  return findings;
}

}  // namespace rehearse::properties
