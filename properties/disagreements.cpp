// SPDX-License-Identifier: MIT
//
// Members of one collective that make different calls: collective.operation, collective.root, collective.operator,
// collective.count and collective.signature (types). One finding per communicator, about the first collective with a
// disagreement, because it causes later ones. The message lists the calls in groups, the smallest group first, because
// few members that differ from many are probably wrong.
#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "properties/judge.hpp"
#include "properties/words.hpp"

namespace rehearse::properties {

namespace {

struct Kind {
  const char* mismatch;
  const char* verb;
  const char* noun;  // the argument that differs
};
// The first kind that applies is reported.
constexpr std::array kinds = {
    Kind{"operation", "call", "collectives"}, Kind{"root", "name", "roots"},   Kind{"operator", "name", "operators"},
    Kind{"signature", "name", "types"},       Kind{"count", "name", "counts"},
};

constexpr std::size_t reported_per_group = 4;

// Members that make the same call at the same place.
struct Group {
  std::vector<ActorId> actors;
  std::vector<Location> places;  // of some members; empty: not known
  std::string what;
  const CollectiveCall* call = nullptr;
  std::vector<std::pair<std::string, std::string>> common_arguments;
};

bool are_of_one(const PendingRequest& a, const PendingRequest& b) {
  return a.kind == PendingRequest::Kind::collective && b.kind == PendingRequest::Kind::collective &&
         a.context == b.context && a.number == b.number;
}

class Disagreement {
 public:
  Disagreement(const Outcome& outcome, const PendingRequest& one, const Describe& describe) {
    const PendingRequest* continued = nullptr;  // names the member with which it disagrees
    std::vector<ActorId> there;
    for (const PendingRequest& pending : outcome.pending) {
      if (!are_of_one(pending, one)) continue;
      there.push_back(pending.actor);
      note(pending.mismatch);
      if (!pending.mismatch.empty()) continued = &pending;
      add(pending, describe);
    }
    if (continued != nullptr) {
      if (std::find(there.begin(), there.end(), continued->mismatch_with) == there.end()) add_continued(*continued);
      for (auto& [key, group] : groups_)
        if (group.call == nullptr && std::ranges::count(group.actors, continued->mismatch_with) > 0)
          group.call = &continued->other;
    }
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
    finding.message += std::string(": they ") + difference(order) + " as the " + ordinal(number_ + 1) +
                       " collective on " + communicator();
    return finding;
  }

 private:
  void note(const std::string& mismatch) {
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& k) { return mismatch == k.mismatch; });
    if (found != kinds.end() && &*found < kind_) kind_ = &*found;
  }

  void note_name(const std::string& name, ActorId member) {
    if (name.empty()) return;
    auto found = std::ranges::find(names_, name, [](const auto& known) { return known.first; });
    if (found == names_.end()) found = names_.insert(found, {name, {}});
    found->second.push_back(member);
  }

  // "comm#1", or "comm#3, which is comm#1 for ranks 1 and 2": members that have made more communicators count further.
  std::string communicator() const {
    if (names_.empty()) return "one communicator";
    std::vector<std::string> others;
    for (std::size_t i = 1; i < names_.size(); ++i)
      others.push_back(names_[i].first + " for " + many_ranks(names_[i].second));
    return names_.front().first + (others.empty() ? "" : ", which is " + joined(others, " and "));
  }

  void add(const PendingRequest& pending, const Describe& describe) {
    const CallDescription standing = describe(pending.actor);
    note_name(name_of(standing, pending.context), pending.actor);
    Location where = place(pending.actor, standing, "takes part in " + pending.name);
    const std::string at = call_and_line(where);
    // A member that only started the collective, or that needed no other member, is at another place now.
    const bool is_in_it = !pending.completed && at.starts_with(pending.name + "(");
    Location called = place_at(pending.actor, pending.name, pending.own.at, "called it");
    const bool is_place_known = !called.file.empty();
    const std::string call = is_place_known ? call_and_line(called) : pending.name;
    const std::string what = is_in_it            ? "in " + at
                             : pending.completed ? "past " + call
                                                 : "in " + call + " (now in " + at + ")";
    // Calls with equal texts may differ in lists or in operators of the program.
    std::string key = pending.name + what + pending.own.spelled.manner + " " + pending.own.spelled.elements;
    if (is_in_it)
      for (const auto& [name, value] : standing.common_arguments) key += " " + value;
    Group& group = groups_[key];
    if (group.actors.empty()) {
      group.what = what;
      group.call = pending.mismatch.empty() ? nullptr : &pending.own;
      if (is_in_it) group.common_arguments = standing.common_arguments;
    }
    group.actors.push_back(pending.actor);
    if (group.places.size() >= reported_per_group) return;
    if (!is_in_it && is_place_known) group.places.push_back(std::move(called));
    if (is_in_it || !pending.completed || !is_place_known) group.places.push_back(std::move(where));
  }

  void add_continued(const PendingRequest& pending) {
    const Location called = place_at(pending.mismatch_with, pending.mismatch_name, pending.other.at, "called it");
    Group& group = groups_["has continued"];
    group.actors = {pending.mismatch_with};
    group.what = "past " + call_and_line(called);
    group.call = &pending.other;
    if (!called.file.empty()) group.places.push_back(called);
  }

  // The value of the group's members for the argument that differs; empty: unknown.
  std::string value(const Group& group) const {
    if (group.call == nullptr) return "";
    const std::string kind = kind_->mismatch;
    if (kind == "root") return std::to_string(group.call->root);
    if (kind == "operator") return group.call->spelled.manner;
    if (kind == "signature" || kind == "count") return group.call->spelled.elements;
    return "";
  }

  // An argument that must be equal on all members and is not: "pass different periods ({1} and {0})".
  std::string differing_argument(const std::vector<const Group*>& groups) const {
    for (const auto& [name, value] : groups.front()->common_arguments)
      for (const Group* group : groups)
        for (const auto& [their_name, theirs] : group->common_arguments)
          if (their_name == name && theirs != value)
            return std::string("pass different ") + name + " (" + value + " and " + theirs + ")";
    return "";
  }

  std::string difference(const std::vector<const Group*>& groups) const {
    const std::string kind = kind_->mismatch;
    if (kind == "signature" || kind == "count") {
      const std::string argument = differing_argument(groups);
      if (!argument.empty()) return argument;
    }
    std::vector<std::string> values;
    for (const Group* group : groups) {
      const std::string each = value(*group);
      if (!each.empty() && std::find(values.begin(), values.end(), each) == values.end()) values.push_back(each);
    }
    const std::string text = std::string(kind_->verb) + " different " + kind_->noun;
    return values.size() < 2 ? text : text + " (" + joined(values, " and ") + ")";
  }

  std::map<std::string, Group> groups_;
  const Kind* kind_ = &kinds.back();
  std::uint64_t number_ = 0;
  std::vector<std::pair<std::string, std::vector<ActorId>>> names_;  // of the communicator, as each member numbers it
};

// For each communicator, the call of one member of the first collective on which the members disagree.
std::vector<const PendingRequest*> first_disagreements(const Outcome& outcome) {
  std::vector<const PendingRequest*> firsts;
  for (const PendingRequest& pending : outcome.pending) {
    if (pending.kind != PendingRequest::Kind::collective || pending.mismatch.empty()) continue;
    const auto known =
        std::ranges::find_if(firsts, [&](const PendingRequest* first) { return first->context == pending.context; });
    if (known == firsts.end()) firsts.push_back(&pending);
    else if (pending.number < (*known)->number) *known = &pending;
  }
  return firsts;
}

}  // namespace

std::vector<Finding> judge_disagreements(const Outcome& outcome, const Describe& describe) {
  std::vector<Finding> findings;
  for (const PendingRequest* first : first_disagreements(outcome))
    findings.push_back(Disagreement(outcome, *first, describe).finding());
  return findings;
}

}  // namespace rehearse::properties
