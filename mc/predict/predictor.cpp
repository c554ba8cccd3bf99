// SPDX-License-Identifier: MIT
//
// The questions in turn.
#include "mc/predict/predictor.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "simcore/support/format.hpp"

namespace rehearse::mc::predict {

namespace {

// Messages of channels in which it matters when a message is matched.
std::vector<bool> timed_messages(const Course& course, const std::vector<Completion>& completions) {
  std::set<std::pair<Index, Index>> channels;
  for (Index m = 0; m < course.messages.size(); ++m)
    if (completions[m] == Completion::by_room)
      channels.emplace(course.messages[m].source, course.messages[m].destination);
  std::vector<bool> result;
  for (const Message& message : course.messages)
    result.push_back(channels.contains({message.source, message.destination}));
  return result;
}

// Whether a receive with this buffer may object to the message, although it took another one in the execution.
bool may_clash(const Course& course, const Unseen& pair) {
  const Receive& receive = course.receives[pair.receive];
  const Message& message = course.messages[pair.message];
  if (message.bytes > receive.capacity) return true;
  return receive.took == none ? message.signature != 0 : course.messages[receive.took].signature != message.signature;
}

}  // namespace

Predictor::Predictor(const graph::Graph& graph, const std::vector<Policy>& policies, const std::string& actor_noun,
                     const Rules& rules, const Limits& limits)
    : course_(course_of(graph, actor_noun)), rules_(rules), limits_(limits) {
  if (MustOrder::words_of(course_) * policies.size() > MustOrder::words_max)
    course_.unsupported.push_back("the execution is too long");
  if (!course_.unsupported.empty()) return;
  for (const Policy& policy : policies) {
    std::vector<Completion> complete = completions(course_, policy);
    Clusters clusters = clusters_of(course_, timed_messages(course_, complete));
    MustOrder order(graph, course_, clusters, complete, policy);
    policies_.push_back({policy, std::move(complete), std::move(clusters), std::move(order)});
    const UnderPolicy& under = policies_.back();
    std::uint64_t messages = 0, receives = 0;
    for (const Cluster& cluster : under.clusters.undetermined) {
      messages += cluster.messages.size();
      receives += cluster.receives.size();
    }
    messages_ = std::max(messages_, messages);
    receives_ = std::max(receives_, receives);
  }
}

// The questions under one policy.
class Predictor::Asking {
 public:
  Asking(const Predictor& predictor, const UnderPolicy& under, const Replay& replay)
      : course_(predictor.course_),
        limits_(predictor.limits_),
        replay_(replay),
        encoding_(course_, under.clusters, under.completions, under.order, under.policy.eager_bytes, predictor.rules_) {
  }

  Predictions run() {
    const Term stuck = encoding_.is_complete() ? encoding_.is_stuck() : nullptr;
    if (!encoding_.is_complete()) {
      result_.open.push_back("too many messages compete for too many receives");
      return std::move(result_);
    }
    ask(stuck, limits_.ends, "deadlocks");
    if (!is_over_) ask(encoding_.loses_message(), 1, "lost messages");
    if (!is_over_) ask_for_unseen_matches();
    return std::move(result_);
  }

 private:
  void leave_open(std::string reason) {
    if (std::ranges::find(result_.open, reason) == result_.open.end()) result_.open.push_back(std::move(reason));
  }

  // Until there is no further solution, or enough of them.
  void ask(Term question, std::uint32_t ends, const char* what) {
    std::uint32_t refuted = 0;
    std::vector<Term> conditions{question};
    for (std::uint32_t found = 0; found < ends;) {
      ++result_.questions;
      const Reply reply = encoding_.ask(encoding_.all(conditions), limits_.steps);
      if (reply == Reply::no) return;
      if (reply == Reply::unknown)
        return leave_open(fmt::format("the question about {} takes the solver too long", what));
      const Shown shown = replay_(encoding_.solution());
      is_over_ = shown == Shown::stopped || shown == Shown::error;
      result_.confirmed += shown == Shown::error || shown == Shown::error_and_more;
      result_.refuted += shown == Shown::nothing || shown == Shown::unreal;
      if (is_over_) return;
      if (shown == Shown::error_and_more) {
        ++found;
        conditions.push_back(encoding_.other_end());
        continue;
      }
      conditions.push_back(encoding_.other_matches());
      if (++refuted == limits_.refuted)
        return leave_open(fmt::format("{} predicted executions with {} do not exist, or end otherwise", refuted, what));
    }
    leave_open(fmt::format("no further executions with {} were asked for", what));
  }

  // Receives of a group object to the same messages, and to all messages of a length and type or to none.
  void ask_for_unseen_matches() {
    std::map<std::tuple<Index, std::uint64_t, std::uint64_t>, std::vector<Term>> questions;
    for (const Unseen& pair : encoding_.unseen_matches()) {
      const Message& message = course_.messages[pair.message];
      if (may_clash(course_, pair))
        questions[{pair.receive, message.bytes, message.signature}].push_back(
            encoding_.takes(pair.receive, pair.message));
    }
    std::uint32_t asked = 0;
    for (const auto& [key, terms] : questions) {
      if (asked++ == limits_.unseen)
        return leave_open(fmt::format("only the first {} of {} pairs of receives and lengths or types of messages "
                                      "were asked for",
                                      limits_.unseen, questions.size()));
      ask_once(encoding_.any(terms));
      if (is_over_) return;
    }
  }

  // One replay shows whether the receive objects.
  void ask_once(Term question) {
    ++result_.questions;
    const Reply reply = encoding_.ask(question, limits_.steps);
    if (reply == Reply::no) return;
    if (reply == Reply::unknown) return leave_open("a question about lengths and types takes the solver too long");
    const Shown shown = replay_(encoding_.solution());
    is_over_ = shown == Shown::stopped || shown == Shown::error;
    result_.confirmed += shown == Shown::error || shown == Shown::error_and_more;
    result_.refuted += shown == Shown::unreal;
    if (shown == Shown::unreal) leave_open("a predicted match of a message of another length or type does not exist");
  }

  const Course& course_;
  const Limits& limits_;
  const Replay& replay_;
  Encoding encoding_;
  Predictions result_;
  bool is_over_ = false;
};

Predictions Predictor::predict(std::size_t policy, const Replay& replay) {
  const UnderPolicy& under = policies_[policy];
  if (under.clusters.undetermined.empty() && under.order.reaches_the_end()) return {};
  return Asking(*this, under, replay).run();
}

}  // namespace rehearse::mc::predict
