// SPDX-License-Identifier: MIT
//
// The legal partial executions: matches, their order, and the waits that they let pass.
#include "mc/predict/encoding.hpp"

#include <algorithm>
#include <limits>

namespace rehearse::mc::predict {

namespace {

constexpr std::uint64_t weight_max = std::numeric_limits<std::int32_t>::max();

// Of each message of the cluster: the last message before it in its channel, for each tag.
std::vector<std::vector<Index>> messages_before(const Course& course, const Cluster& cluster) {
  std::vector<std::vector<Index>> result;
  std::map<Tag, Index> last;
  Index source = none;
  for (const Index m : cluster.messages) {
    const Message& message = course.messages[m];
    if (message.source != source) last.clear();
    source = message.source;
    std::vector<Index>& before = result.emplace_back();
    for (const auto& [tag, other] : last) before.push_back(other);
    last[message.tag] = m;
  }
  return result;
}

}  // namespace

Encoding::Encoding(const Course& course, const Clusters& clusters, const std::vector<Completion>& completions,
                   const MustOrder& order, std::uint64_t eager_bytes, const Rules& rules)
    : course_(course),
      clusters_(clusters),
      completions_(completions),
      order_(order),
      eager_bytes_(eager_bytes),
      rules_(rules),
      messages_(course.messages.size()),
      group_of_(course.receives.size(), {none, none}) {
  find_waits();
  for (const Cluster& cluster : clusters.undetermined) add_cluster(cluster);
  if (!is_complete_) return;
  for (const auto& [place, wait] : waits_) add_wait(place);
  for (const GivenAnswer& given : course.answers)
    answered_.push_back(given.wait == none ? std::optional(begin_of(given.actor, given.segment)) : std::nullopt);
}

bool Encoding::is_open(const Request& request) const {
  if (request.kind == Request::Kind::receive) return clusters_.message_of[request.index] == Clusters::open;
  if (request.kind == Request::Kind::arrival) return false;
  return completions_[request.index] != Completion::at_once && clusters_.receive_of[request.index] == Clusters::open;
}

// Polls and waits for some of several requests may stop an execution of this course wherever they are.
void Encoding::find_waits() {
  open_waits_.resize(course_.actor_count());
  for (Index a = 0; a < course_.actor_count(); ++a)
    for (Index w = 0; w < order_.last(a); ++w) {
      const Wait& wait = course_.waits[a][w];
      if (wait.kind == Wait::Kind::all && std::ranges::none_of(wait.needs, [&](const auto& r) { return is_open(r); }))
        continue;
      open_waits_[a].push_back(w);
      waits_.emplace(Place{a, w}, WaitTerms{formula_.boolean(), formula_.date()});
    }
}

// The last open waits that the past contains, without those that another one of them implies. `own`: of the actor, only
// the waits before this one.
Encoding::Point Encoding::behind(std::span<const Index> past, Index actor, Index own) {
  std::vector<Place> last;
  for (Index c = 0; c < course_.actor_count(); ++c) {
    const std::vector<Index>& waits = open_waits_[c];
    const auto end = std::ranges::lower_bound(waits, c == actor ? own : past[c]);
    if (end != waits.begin()) last.emplace_back(c, *std::prev(end));
  }
  const auto is_implied = [&](const Place& place) {
    return std::ranges::any_of(last, [&](const Place& other) {
      return other.first != place.first && order_.before(other.first, other.second + 1)[place.first] > place.second;
    });
  };
  Point point;
  std::vector<Term> passed;
  for (const Place& place : last) {
    if (last.size() > 1 && is_implied(place)) continue;
    passed.push_back(waits_.at(place).passed);
    point.dates.push_back(waits_.at(place).date);
  }
  point.begun = formula_.all(passed);
  return point;
}

const Encoding::Point& Encoding::begin_of(Index actor, Index segment) {
  const auto known = points_.find({actor, segment});
  if (known != points_.end()) return known->second;
  if (segment > order_.last(actor))
    return points_.emplace(Place{actor, segment}, Point{formula_.constant(false), {}}).first->second;
  return points_.emplace(Place{actor, segment}, behind(order_.before(actor, segment), actor, segment)).first->second;
}

void Encoding::require_before(Term condition, const Point& point, Term date) {
  formula_.require_implies(condition, point.begun);
  if (!rules_.causality) return;
  for (const Term earlier : point.dates) formula_.require_implies(condition, formula_.less(earlier, date));
}

void Encoding::add_cluster(const Cluster& cluster) {
  ClusterTerms& terms = cluster_terms_.emplace_back();
  terms.cluster = &cluster;
  for (Group& group : groups_of(course_, cluster, !rules_.groups))
    terms.groups.push_back({std::move(group), formula_.boolean(), nullptr, {}, {}});
  const auto number = static_cast<Index>(cluster_terms_.size() - 1);
  for (Index g = 0; g < terms.groups.size(); ++g)
    for (const Index r : terms.groups[g].group.receives) group_of_[r] = {number, g};
  pairs_ += terms.groups.size() * cluster.messages.size();
  if (pairs_ > pairs_max) is_complete_ = false;
  if (!is_complete_) return;
  add_candidates(terms);
  if (rules_.message_order) order_messages(terms);
  if (rules_.receive_order) order_receives(terms);
  if (rules_.one_match) bound_sums(terms);
}

void Encoding::order_messages(const ClusterTerms& terms) {
  const auto before = messages_before(course_, *terms.cluster);
  for (std::size_t i = 0; i < terms.cluster->messages.size(); ++i) {
    const MessageTerms& message = messages_[terms.cluster->messages[i]];
    for (const Match& match : message.matches)
      for (const Index earlier : before[i]) {
        const Receive& first = course_.receives[terms.groups[match.group].group.receives[0]];
        if (!accepts(first, course_.messages[earlier])) continue;
        formula_.require_implies(match.taken, earlier_match(earlier, match.group));
        if (rules_.causality)
          formula_.require_implies(match.taken, formula_.less(messages_[earlier].date, message.date));
      }
  }
}

// Both must begin, and the group's wait must not be passed before the message is sent.
bool Encoding::is_possible(const Group& group, Index message) const {
  const Message& it = course_.messages[message];
  const Receive& first = course_.receives[group.receives[0]];
  if (!accepts(first, it) || it.segment > order_.last(it.source) || first.segment > order_.last(first.actor))
    return false;
  return group.wait == none || order_.before(it.source, it.segment)[first.actor] <= group.wait;
}

void Encoding::add_candidates(ClusterTerms& terms) {
  for (const Index m : terms.cluster->messages) {
    MessageTerms& message = messages_[m];
    message.date = formula_.date();
    message.matched = formula_.constant(false);
    for (Index g = 0; g < terms.groups.size(); ++g) {
      GroupTerms& group = terms.groups[g];
      if (!is_possible(group.group, m)) continue;
      const Term taken = formula_.boolean();
      Term by_now = taken;
      if (!message.matches.empty()) {
        by_now = formula_.boolean();
        if (rules_.one_match) formula_.require_implies(taken, formula_.none(message.matched));
        formula_.require_same(by_now, formula_.any({message.matched, taken}));
      }
      message.matches.push_back({g, taken, by_now});
      message.matched = by_now;
      group.messages.push_back(m);
      group.taken.push_back(taken);
      const Receive& first = course_.receives[group.group.receives[0]];
      require_before(taken, begin_of(first.actor, first.segment), message.date);
    }
    require_before(message.matched, begin_of(course_.messages[m].source, course_.messages[m].segment), message.date);
  }
  for (GroupTerms& group : terms.groups) {
    const auto size = static_cast<std::uint32_t>(group.group.receives.size());
    if (rules_.one_match) formula_.require(formula_.at_most(group.taken, size));
    if (size == 1) {
      formula_.require_same(group.full, formula_.any(group.taken));
      continue;
    }
    formula_.require_implies(group.full, formula_.at_least(group.taken, size));
    formula_.require_implies(formula_.none(group.full), formula_.at_most(group.taken, size - 1));
  }
}

Term Encoding::earlier_match(Index message, Index group) const {
  Term result = formula_.constant(false);
  for (const Match& match : messages_[message].matches)
    if (match.group <= group) result = match.by_now;
  return result;
}

// Of each group: the groups before it that may still lack messages, the last for each pattern. One of the same pattern
// implies those before it.
void Encoding::order_receives(ClusterTerms& terms) {
  const auto first_of = [&](Index g) -> const Receive& { return course_.receives[terms.groups[g].group.receives[0]]; };
  for (Index g = 0; g < terms.groups.size(); ++g) {
    std::vector<Index> before;
    for (Index d = g; d-- > 0;) {
      const bool is_known = std::ranges::any_of(before, [&](Index other) {
        return first_of(other).pattern.source == first_of(d).pattern.source &&
               first_of(other).pattern.tag == first_of(d).pattern.tag;
      });
      if (!is_known) before.push_back(d);
    }
    std::erase_if(before, [&](Index d) {
      const Index wait = terms.groups[d].group.wait;
      return wait != none && wait < first_of(g).segment;
    });
    for (std::size_t i = 0; i < terms.groups[g].messages.size(); ++i)
      for (const Index d : before)
        if (accepts(first_of(d), course_.messages[terms.groups[g].messages[i]]))
          order_after(terms.groups[d], terms.groups[g].taken[i], messages_[terms.groups[g].messages[i]].date);
  }
}

void Encoding::order_after(GroupTerms& group, Term taken, Term date) {
  formula_.require_implies(taken, group.full);
  if (!rules_.causality) return;
  if (group.date == nullptr) {
    group.date = formula_.date();
    for (std::size_t i = 0; i < group.messages.size(); ++i)
      formula_.require_implies(group.taken[i],
                               formula_.none(formula_.less(group.date, messages_[group.messages[i]].date)));
  }
  formula_.require_implies(taken, formula_.less(group.date, date));
}

// Follows from the rest, but the solver does not see it: n receives take at most n messages.
void Encoding::bound_sums(const ClusterTerms& terms) {
  if (terms.groups.size() < 2) return;
  std::uint32_t receives = 0;
  for (Index g = 0; g < terms.groups.size(); ++g) {
    receives += static_cast<std::uint32_t>(terms.groups[g].group.receives.size());
    std::vector<Term> matched;
    for (const Index m : terms.cluster->messages)
      if (const Term by_now = earlier_match(m, g); by_now != formula_.constant(false)) matched.push_back(by_now);
    formula_.require(formula_.at_most(matched, receives));
  }
}

void Encoding::add_wait(const Place& place) {
  const auto [actor, wait] = place;
  const WaitTerms& terms = waits_.at(place);
  require_before(terms.passed, behind(order_.before(actor, wait + 1), actor, wait), terms.date);
  for (const Request& request : course_.waits[actor][wait].needs) need(request, terms);
}

void Encoding::need(const Request& request, const WaitTerms& wait) {
  if (!is_open(request)) return;
  if (request.kind == Request::Kind::message)
    return formula_.require_implies(wait.passed, completions_[request.index] == Completion::by_room
                                                     ? has_room(request.index, wait.date)
                                                     : is_matched_before(request.index, wait.date));
  const auto [cluster, number] = group_of_[request.index];
  const GroupTerms& group = cluster_terms_[cluster].groups[number];
  if (request.index != group.group.receives[0]) return;
  formula_.require_implies(wait.passed, group.full);
  if (!rules_.causality) return;
  for (std::size_t i = 0; i < group.messages.size(); ++i)
    formula_.require_implies(group.taken[i], formula_.less(messages_[group.messages[i]].date, wait.date));
}

// With a null date: at the end.
Term Encoding::is_matched_before(Index message, Term date) {
  const MessageTerms& it = messages_[message];
  if (date == nullptr || !rules_.causality) return it.matched;
  return formula_.all({it.matched, formula_.less(it.date, date)});
}

Term Encoding::has_room(Index message, Term date) {
  const Message& last = course_.messages[message];
  std::vector<Term> left;
  std::vector<std::uint32_t> bytes;
  for (Index m = 0; m <= message; ++m) {
    const Message& it = course_.messages[m];
    if (it.source != last.source || it.destination != last.destination || it.bytes == 0) continue;
    if (it.bytes > weight_max || eager_bytes_ > weight_max) {
      is_complete_ = false;
      return formula_.constant(false);
    }
    left.push_back(formula_.none(is_matched_before(m, date)));
    bytes.push_back(static_cast<std::uint32_t>(it.bytes));
  }
  return formula_.any({is_matched_before(message, date),
                       formula_.weighs_at_most(left, bytes, static_cast<std::uint32_t>(eager_bytes_))});
}

}  // namespace rehearse::mc::predict
