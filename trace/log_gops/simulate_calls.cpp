// SPDX-License-Identifier: MIT
//
// A trace of calls in LogGOPS, without a schedule of all its operations: a rank's next action is converted when its
// last operations let the next one begin.
//
// Exact: an operation waits for those before it, so none can be free before the last ones let it. Hence every operation
//        is there before it becomes free, and the events and their order are those of the whole schedule.
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "simcore/support/large_vector.hpp"
#include "trace/goal/call_conversion.hpp"
#include "trace/goal/goal_builder.hpp"
#include "trace/log_gops.hpp"
#include "trace/log_gops/event_loop.hpp"
#include "trace/log_gops/open_operations.hpp"

namespace rehearse::trace {

namespace log_gops {
namespace {

// See event_loop.hpp.
class CalledOperations {
 public:
  static constexpr bool are_few = true;

  CalledOperations(const Trace& trace, const GoalConversion& options, const LogGopsParameters& parameters)
      : all_(trace, options), loads_(trace.ranks(), parameters) {
    for (std::uint32_t rank = 0; rank < trace.ranks(); ++rank) ranks_.push_back(std::make_unique<Rank>(*this, rank));
  }

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(ranks_.size()); }
  const LargeVector<GoalOperation>& operations() const { return open_.operations(); }
  LargeVector<Progress>& progress() { return open_.progress(); }
  bool is_given_up() const { return is_given_up_; }

  void start(std::uint32_t rank, std::vector<std::uint32_t>& freed) { go_on(*ranks_[rank], freed); }
  void begin(std::uint32_t operation, std::uint64_t date, std::vector<std::uint32_t>& freed) {
    open_.begin(operation, date, freed);
    Rank& rank = *ranks_[open_.progress()[operation].rank];
    if (rank.conversion.depends_on(operation, true)) go_on(rank, freed);
  }
  void finish(std::uint32_t operation, std::uint64_t date, std::vector<std::uint32_t>& freed) {
    Rank& rank = *ranks_[open_.progress()[operation].rank];
    open_.finish(operation, date, freed);
    if (rank.conversion.depends_on(operation, false)) go_on(rank, freed);
  }
  void forget_message(std::uint32_t send) { open_.forget_message(send); }

  // Whether all operations of all ranks have ended, and all messages were received.
  bool has_ended() const { return !is_given_up_ && ended_ == ranks_.size() && open_.unfinished() == 0; }
  std::uint64_t actions() const { return actions_; }
  LogGopsLoads& loads() { return loads_; }

 private:
  // Takes the operations of one rank.
  struct Sink {
    CalledOperations& all;
    std::uint32_t rank;

    std::uint32_t add(const GoalOperation& operation, std::uint32_t) { return all.add(operation, rank); }
    void require(std::uint32_t after, std::uint32_t before, bool begun) { all.require(after, before, begun); }
    void keep(std::uint32_t operation) { all.open_.keep(operation); }
    void drop(std::uint32_t operation) { all.open_.drop(operation); }
    void note_message(std::uint32_t, const goal::CollectiveMessage&, bool) {}
  };
  struct Rank {
    Rank(CalledOperations& all, std::uint32_t rank) : sink{all, rank}, conversion(all.all_, sink, rank) {}
    Sink sink;
    goal::CallConversion<Sink> conversion;
    bool has_ended = false;
  };

  std::uint32_t add(const GoalOperation& operation, std::uint32_t rank) {
    loads_.add(rank, operation);
    ++added_;
    return fresh_.emplace_back(open_.add(operation, rank));
  }
  void require(std::uint32_t after, std::uint32_t before, bool begun) {
    ++edges_;
    open_.require(after, before, begun);
  }

  // Converts the actions of the rank that can begin now.
  void go_on(Rank& rank, std::vector<std::uint32_t>& freed) {
    const auto is_over = [this](std::uint32_t operation, bool begun) { return open_.is_over(operation, begun); };
    while (!rank.has_ended && rank.conversion.is_free(is_over)) {
      fresh_.clear();
      if (rank.conversion.next()) ++actions_;
      else end(rank);
      is_given_up_ = is_given_up_ || is_too_large();
      for (const std::uint32_t operation : fresh_)
        if (open_.is_free(operation)) freed.push_back(operation);
    }
  }

  void end(Rank& rank) {
    rank.has_ended = true;
    ++ended_;
    const ActionReader& reader = rank.conversion.reader();
    const bool is_good = rank.conversion.refusal().empty() && rank.conversion.unsupported().empty() &&
                         !reader.problem() && !reader.unsupported();
    is_given_up_ = is_given_up_ || !is_good;
  }

  // For the simulation of the whole schedule, which says so.
  bool is_too_large() const {
    return added_ >= GoalSchedule::most_operations || edges_ >= goal::most_edges || loads_.may_be_too_long();
  }

  goal::ConversionOfAll all_;
  OpenOperations open_;
  LogGopsLoads loads_;
  std::vector<std::unique_ptr<Rank>> ranks_;
  std::vector<std::uint32_t> fresh_;  // operations of the action at hand
  std::size_t ended_ = 0;             // ranks
  std::uint64_t actions_ = 0, added_ = 0, edges_ = 0;
  bool is_given_up_ = false;
};

}  // namespace
}  // namespace log_gops

std::optional<SimulatedCalls> simulate_calls(const Trace& trace, const GoalConversion& options,
                                             const LogGopsParameters& parameters) {
  using log_gops::CalledOperations, log_gops::SingleRanks;
  if (trace.ranks() > log_gops::most_ranks) return std::nullopt;
  CalledOperations operations(trace, options, parameters);
  log_gops::EventLoop<SingleRanks, CalledOperations> loop(operations, SingleRanks(trace.ranks()), parameters);
  LogGopsResult result = loop.run();
  if (!operations.has_ended()) return std::nullopt;
  result.loads = std::move(operations.loads().of_ranks());
  return SimulatedCalls{std::move(result), operations.actions()};
}

}  // namespace rehearse::trace
