// SPDX-License-Identifier: MIT
//
// See call_inspection.hpp.
#include "trace/call_inspection.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <variant>

#include "simcore/support/format.hpp"
#include "trace/trace.hpp"

namespace rehearse::trace {

namespace {

// By AnyAction::index().
constexpr std::array<const char*, std::variant_size_v<AnyAction>> kind_names = {
    "compute", "pause", "send", "receive", "send and receive", "wait", "wait for all", "wait for one", "collective"};

struct ActionCount {
  KindCount& counted;

  void operator()(const ComputeAction& action) const { counted.flops += action.flops; }
  void operator()(const SendAction& action) const { counted.bytes += action.bytes; }
  void operator()(const ExchangeAction& action) const { counted.bytes += action.send.bytes; }
  void operator()(const CollectiveAction& action) const {
    counted.bytes += action.bytes;
    counted.flops += action.flops;
  }
  template <class Other>
  void operator()(const Other&) const {}
};

std::string words_for(const SendAction& send) {
  constexpr std::array modes = {"", "synchronous ", "buffered ", "ready "};
  return fmt::format("{}send to {}, tag {}, {} bytes{}", modes[static_cast<std::size_t>(send.mode)], send.destination,
                     send.tag, send.bytes, send.blocking ? "" : ", nonblocking");
}

std::string words_for(const ReceiveAction& receive) {
  return fmt::format("receive from {}, {}{}{}", receive.source ? std::to_string(*receive.source) : "any source",
                     receive.tag ? "tag " + std::to_string(*receive.tag) : "any tag",
                     receive.bytes ? ", at most " + std::to_string(*receive.bytes) + " bytes" : "",
                     receive.blocking ? "" : ", nonblocking");
}

std::string words_for(const RequestName& name) {
  if (name == collective_name) return "wait for a nonblocking collective";
  return fmt::format("wait for the message from {} to {}, {}",
                     name.source == any ? "any source" : std::to_string(name.source), name.destination,
                     name.tag == any ? "any tag" : "tag " + std::to_string(name.tag));
}

// The actions of one rank in words that do not depend on the format: an exchange is two messages and two waits, a wait
// for all is one for each request, the volume of a collective is a computation behind it or behind its wait.
class CallWords {
 public:
  CallWords(const Trace& trace, std::uint32_t rank, bool with_volumes)
      : trace_(trace), rank_(rank), with_volumes_(with_volumes), reader_(trace.read(rank)) {}

  bool next() {
    if (!words_.empty()) words_.pop_front();
    while (words_.empty() && !is_at_end_) {
      if (reader_->next(action_)) {
        std::visit([this](const auto& what) { add(what); }, action_.what);
      } else {
        is_at_end_ = true;
        if (!problem()) wait_for_open();
      }
    }
    number_ += words_.empty() ? 0 : 1;
    return !words_.empty();
  }
  std::optional<Error> problem() const {
    if (reader_->problem()) return reader_->problem();
    if (reader_->unsupported()) return Error{*reader_->unsupported() + ": nobody replays this action"};
    return std::nullopt;
  }
  const std::string& words() const { return words_.front(); }
  void describe(std::size_t side, TraceDifference& difference) const {
    difference.number[side] = number_;
    difference.text[side] = words();
    difference.place[side] = is_at_end_ ? "" : reader_->place();
  }

 private:
  struct OpenRequest {
    RequestName name;
    RequestName in_words;
    double flops = 0;
  };

  void add(const ComputeAction& action) { add_volume(action.flops); }
  void add_volume(double flops) {
    if (with_volumes_ && flops > 0) words_.push_back(fmt::format("compute {} flops", flops));
  }
  void add(const SleepAction& action) {
    const std::int64_t picoseconds = Duration::from_seconds(action.seconds).picoseconds;
    if (with_volumes_ && picoseconds > 0) words_.push_back(fmt::format("pause of {} ps", picoseconds));
  }
  void add(const SendAction& action) {
    words_.push_back(words_for(action));
    if (!action.blocking) open(action.name, name_of(action));
  }
  void add(const ReceiveAction& action) {
    words_.push_back(words_for(action));
    if (!action.blocking) open(action.name, name_of(action));
  }
  RequestName name_of(const SendAction& send) const {
    return {static_cast<std::int32_t>(rank_), static_cast<std::int32_t>(send.destination), send.tag};
  }
  RequestName name_of(const ReceiveAction& receive) const {
    return {receive.source ? static_cast<std::int32_t>(*receive.source) : any, static_cast<std::int32_t>(rank_),
            receive.tag.value_or(any)};
  }
  // Numbers of requests have no meaning in another trace.
  void open(const RequestName& name, const RequestName& in_words) {
    open_.push_back({name, trace_.has_request_numbers() ? in_words : name});
  }
  void add(const ExchangeAction& action) {
    for (const std::string& words : {words_for(action.receive), words_for(action.send),
                                     words_for(name_of(action.receive)), words_for(name_of(action.send))})
      words_.push_back(words);
  }
  void add(const WaitAction& action) {
    const auto found =
        std::ranges::find_if(open_, [&](const OpenRequest& open) { return is_meant(open.name, action.name); });
    words_.push_back(words_for(found == open_.end() ? action.name : found->in_words));
    if (found == open_.end()) return;
    add_volume(found->flops);
    open_.erase(found);
  }
  void add(const WaitAllAction&) {
    double flops = 0;
    for (const OpenRequest& open : open_) flops += open.flops;
    wait_for_open();
    add_volume(flops);
  }
  void add(const WaitAnyAction&) {
    if (open_.size() < 2) return add(WaitAllAction{});
    words_.push_back(fmt::format("wait for one of {} requests", open_.size() - std::min(taken_, open_.size())));
    if (++taken_ < open_.size()) return;
    open_.clear();
    taken_ = 0;
  }
  void add(const CollectiveAction& action) {
    const bool has_root = action.flow == Flow::root_to_all || action.flow == Flow::all_to_root;
    std::string words = fmt::format("{} of {} ranks, {} bytes", action.name,
                                    trace_.communicators().members(action_.communicator).size(), action.bytes);
    if (has_root) words += fmt::format(", root {}", action.root);
    words_.push_back(std::move(words));
    if (!action.blocking) open_.push_back({collective_name, collective_name, action.flops});
    else add_volume(action.flops);
  }
  void wait_for_open() {
    if (taken_ > 0) words_.push_back("wait for the remaining requests");
    else
      for (const OpenRequest& open : open_) words_.push_back(words_for(open.in_words));
    open_.clear();
    taken_ = 0;
  }

  const Trace& trace_;
  std::uint32_t rank_;
  bool with_volumes_;
  std::unique_ptr<ActionReader> reader_;
  Action action_;
  std::deque<std::string> words_;  // of the action at hand, the current ones first
  std::vector<OpenRequest> open_;
  std::size_t taken_ = 0;  // of open_: by waits for one of them
  std::uint64_t number_ = 0;
  bool is_at_end_ = false;
};

}  // namespace

Result<Summary> summarise_calls(const std::string& path) {
  const auto opened = open_trace(path);
  if (!opened) return opened.error();
  const Trace& trace = *opened.value();
  Summary summary;
  summary.format = trace.format();
  summary.ranks = trace.ranks();
  std::array<KindCount, kind_names.size()> kinds;
  for (std::uint32_t rank = 0; rank < trace.ranks(); ++rank) {
    const auto reader = trace.read(rank);
    for (Action action; reader->next(action); ++summary.actions) {
      KindCount& counted = kinds[action.what.index()];
      ++counted.actions;
      std::visit(ActionCount{counted}, action.what);
    }
    if (reader->problem()) return *reader->problem();
    if (reader->unsupported()) summary.unsupported.push_back(*reader->unsupported());
  }
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    kinds[kind].kind = kind_names[kind];
    if (kinds[kind].actions > 0) summary.kinds.push_back(std::move(kinds[kind]));
  }
  for (std::uint32_t i = 0; i < trace.communicators().size(); ++i)
    summary.communicators.push_back(trace.communicators().members(i).size());
  return summary;
}

Result<std::vector<TraceDifference>> compare_calls(const std::string& one, const std::string& other,
                                                   bool with_volumes) {
  const auto first = open_trace(one), second = open_trace(other);
  if (!first) return first.error();
  if (!second) return second.error();
  const Trace &left_trace = *first.value(), &right_trace = *second.value();
  if (const auto error = other_ranks({one, left_trace.ranks()}, {other, right_trace.ranks()})) return *error;
  std::vector<TraceDifference> differences;
  for (std::uint32_t rank = 0; rank < left_trace.ranks(); ++rank) {
    CallWords left(left_trace, rank, with_volumes), right(right_trace, rank, with_volumes);
    while (true) {
      const bool has_left = left.next(), has_right = right.next();
      if (const auto problem = left.problem()) return *problem;
      if (const auto problem = right.problem()) return *problem;
      if (!has_left && !has_right) break;
      if (has_left && has_right && left.words() == right.words()) continue;
      TraceDifference& difference = differences.emplace_back();
      difference.rank = rank;
      if (has_left) left.describe(0, difference);
      if (has_right) right.describe(1, difference);
      break;
    }
  }
  return differences;
}

}  // namespace rehearse::trace
