// SPDX-License-Identifier: MIT
//
// The legal partial executions of a course under a policy, as a formula.
//
// A solution says which waits have been passed, which messages have been matched by which groups of receives, and in
// which order (dates). Only waits that an undetermined match can delay have variables; all other waits are passed as
// soon as those before them in the must-order.
//
//   begun(s)      segment s has begun: the waits before it in the must-order are passed
//   taken(m, g)   message m is matched by a receive of group g
//   full(g)       all receives of g have a message
//   date(.)       of a match, of a passed wait, of the begin of a segment: dates grow along every dependency
//
// Rules, by the names of the members of Rules:
//   one_match      a message is matched once, and a receive too
//   causality      a match comes behind the begin of the segments of its message and receive, a wait is passed behind
//                  the matches that it needs
//   message_order  m is matched by g only if each earlier message of its channel that g accepts was matched before, by
//                  g or a group posted before it
//   receive_order  m is matched by g only if each group posted before it that accepts m is full, before
//   maximality     at the end, no message and receive are left that could be matched, and each actor whose wait is not
//                  passed lacks something that the wait needs
//
// Sources: clocks, "no match possible" and groups: Forejt et al., TOPLAS 2017 (as groups.hpp). Their order of receives
//          is not exact where a receive that names its source is posted before one that does not; the condition
//          on such pairs in Khanna, Sharma, Rodriguez, Purandare, FM 2018 (the tool Hermes), is replaced by
//          receive_order, which is exact. Buffers of a bounded size, collectives that do not synchronise, and the
//          elimination of determined waits are ours.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "mc/predict/clusters.hpp"
#include "mc/predict/completion.hpp"
#include "mc/predict/course.hpp"
#include "mc/predict/formula.hpp"
#include "mc/predict/groups.hpp"
#include "mc/predict/must_order.hpp"
#include "simcore/schedule.hpp"

namespace rehearse::mc::predict {

// All must be true. The others are negative controls: without any one of them, some answer is wrong.
struct Rules {
  bool one_match = true, causality = true, message_order = true, receive_order = true, maximality = true;
  bool groups = true;  // false: each receive is a group (slow, not wrong)
};

// A receive, and a message that it did not take in the execution.
struct Unseen {
  Index receive, message;
};

class Encoding {
 public:
  // The number of pairs of a message and a group up to which a formula is made.
  static constexpr std::size_t pairs_max = 400'000;

  // All arguments must outlive the encoding.
  Encoding(const Course& course, const Clusters& clusters, const std::vector<Completion>& completions,
           const MustOrder& order, std::uint64_t eager_bytes, const Rules& rules);

  // Whether all pairs were encoded.
  bool is_complete() const { return is_complete_; }

  // Some actor waits forever.
  Term is_stuck();
  // All actors have ended, and an undetermined message was not received.
  Term loses_message();
  // The receive, which is the first of its group, or another one of its group takes the message.
  Term takes(Index receive, Index message) const;
  // Candidates for takes(): the message has another length or type than the one that the receive took in the execution.
  std::vector<Unseen> unseen_matches() const;

  Term any(std::span<const Term> terms) { return formula_.any(terms); }
  Term all(std::span<const Term> terms) { return formula_.all(terms); }
  Reply ask(Term question, std::uint32_t steps_max) { return formula_.ask(question, steps_max); }
  // After the answer yes: the matches and answers of the solution.
  Schedule solution();
  // Conditions that exclude solutions with exactly these undetermined matches, or with exactly these waits passed.
  Term other_matches();
  Term other_end();

 private:
  struct Point {
    Term begun;
    std::vector<Term> dates;  // of the waits that must have been passed
  };
  struct Match {  // a candidate
    Index group;  // of the cluster
    Term taken;
    Term by_now;  // matched by this group or one posted before it
  };
  struct GroupTerms {
    Group group;
    Term full;
    Term date = nullptr;          // not before the last match of the group; null: not needed
    std::vector<Index> messages;  // candidates
    std::vector<Term> taken;      // of these
  };
  struct ClusterTerms {
    const Cluster* cluster;
    std::vector<GroupTerms> groups;
  };
  struct MessageTerms {
    std::vector<Match> matches;  // by group, ascending
    Term date = nullptr;
    Term matched = nullptr;
  };
  struct WaitTerms {
    Term passed, date;
  };
  using Place = std::pair<Index, Index>;  // actor and wait or segment

  void find_waits();
  bool is_open(const Request& request) const;
  const Point& begin_of(Index actor, Index segment);
  Point behind(std::span<const Index> past, Index actor, Index own);
  void require_before(Term condition, const Point& point, Term date);
  void add_cluster(const Cluster& cluster);
  void add_candidates(ClusterTerms& terms);
  bool is_possible(const Group& group, Index message) const;
  void order_messages(const ClusterTerms& terms);
  void order_receives(ClusterTerms& terms);
  void order_after(GroupTerms& group, Term taken, Term date);
  void bound_sums(const ClusterTerms& terms);
  void add_wait(const Place& place);
  void need(const Request& request, const WaitTerms& wait);
  Term is_matched_before(Index message, Term date);
  Term has_room(Index message, Term date);
  Term is_incomplete(const Request& request);
  Term stands_still(const Place& place);
  Term stays_there(Index actor);
  void add_leftovers(const ClusterTerms& terms, std::vector<Term>& conditions);
  Term is_maximal();
  Term earlier_match(Index message, Index group) const;
  void read_matches(Schedule& schedule);
  void read_answers(Schedule& schedule);

  const Course& course_;
  const Clusters& clusters_;
  const std::vector<Completion>& completions_;
  const MustOrder& order_;
  std::uint64_t eager_bytes_;
  Rules rules_;
  Formula formula_;
  bool is_complete_ = true;
  std::size_t pairs_ = 0;
  std::vector<std::vector<Index>> open_waits_;  // by actor: those with variables, ascending
  std::map<Place, WaitTerms> waits_;            // the same
  std::map<Place, Point> points_;               // by segment
  std::vector<ClusterTerms> cluster_terms_;
  std::vector<MessageTerms> messages_;
  std::vector<std::pair<Index, Index>> group_of_;  // by receive: cluster and group
  std::vector<std::optional<Point>> answered_;     // by GivenAnswer
  Term maximal_ = nullptr;
};

}  // namespace rehearse::mc::predict
