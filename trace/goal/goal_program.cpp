// SPDX-License-Identifier: MIT
//
// See goal_program.hpp.
#include "trace/goal_program.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <utility>

#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"
#include "trace/call_operations.hpp"

namespace rehearse::trace {
namespace {

constexpr std::uint32_t no_operation = ~0u;
constexpr std::uint64_t first_signal = std::uint64_t{1} << 40;  // behind the contexts of messages

class EmptySchedule final : public CollectiveSchedule {
 public:
  std::uint32_t rounds() const override { return 0; }
  void plan(std::uint32_t, std::uint32_t, Round&) const override {}
};

class EmptySchedules final : public CollectiveSchedules {
 public:
  std::shared_ptr<const CollectiveSchedule> find(const CollectiveShape&) override { return schedule_; }

 private:
  std::shared_ptr<const CollectiveSchedule> schedule_ = std::make_shared<EmptySchedule>();
};

}  // namespace

std::unique_ptr<CollectiveSchedules> empty_schedules() { return std::make_unique<EmptySchedules>(); }

// A processor of a rank. It waits for work, computes, and says that it is done.
class GoalProgram::Processor {
 public:
  Processor(std::uint32_t rank, std::uint8_t cpu, ActorId self, std::uint64_t number)
      : rank(rank), cpu(cpu), members_{ActorId{rank}, self}, number_(number) {}

  // The rank's signal that there is work, or that there is none any more: the processor waits for it.
  Collective work(bool is_rank) { return signal(2 * number_, 0, is_rank); }
  // The processor's signal that it is done: the rank's call is open until then.
  Collective done(bool is_rank) { return signal(2 * number_ + 1, 1, is_rank); }

  const Operation& operation() const { return operation_; }
  void go_on() {
    switch (step_) {
      case Step::waits:
        step_ = is_over ? Step::ends : Step::computes;
        if (is_over) operation_ = End{};
        else operation_ = Compute{flops};
        return;
      case Step::computes:
        step_ = Step::reports;
        operation_ = done(false);
        return;
      case Step::reports:
        step_ = Step::waits;
        operation_ = work(false);
        return;
      case Step::ends: return;
    }
  }
  void start() { operation_ = work(false); }

  const std::uint32_t rank;
  const std::uint8_t cpu;
  std::uint32_t current = no_operation;  // in work
  double flops = 0;                      // of it
  bool is_over = false;
  std::deque<std::uint32_t> queue;

 private:
  enum class Step : std::uint8_t { waits, computes, reports, ends } step_ = Step::waits;

  // From one member to the other. The call of the rank to start a wait is nonblocking.
  Collective signal(std::uint64_t context, std::uint32_t root, bool is_rank) {
    Collective signal;
    signal.context = {first_signal + context};
    signal.members = members_;
    signal.name = "signal";
    signal.flow = Flow::root_to_all;
    signal.root = root;
    signal.hints.kind = CollectiveKind::broadcast;
    signal.blocking = !is_rank || root == 0;
    signal.request = {is_rank ? 0 : next_request_++};
    return signal;
  }

  const std::array<ActorId, 2> members_;
  const std::uint64_t number_;
  std::uint32_t next_request_ = 0;
  Operation operation_ = End{};
};

class GoalProgram::Rank {
 public:
  Rank(GoalProgram& program, std::uint32_t rank, double flops_per_second)
      : program_(program), schedule_(program.schedule_), rank_(rank), flops_per_ns_(flops_per_second / 1e9) {
    const GoalSchedule::Block& block = schedule_.blocks[rank];
    first_ = block.first;
    needs_.resize(block.count);
    states_.resize(block.count, State::waits);
    for (std::uint32_t i = 0; i < block.count; ++i) {
      needs_[i] = schedule_.operations[first_ + i].needs;
      if (needs_[i] == 0) free_.push_back(first_ + i);
    }
  }

  // Each operation waits for the one before it, and for its end if that is a calculation. So messages go on beside a
  // calculation, but nothing can begin.
  bool is_chain() const {
    for (std::uint32_t i = 0; i + 1 < needs_.size(); ++i) {
      const std::uint32_t at = first_ + i;
      const auto has_next = [at](std::span<const std::uint32_t> successors) {
        return std::ranges::find(successors, at + 1) != successors.end();
      };
      const bool computes = schedule_.operations[at].kind == GoalKind::calculation && schedule_.operations[at].size > 0;
      if (!has_next(schedule_.after_done(at)) && (computes || !has_next(schedule_.after_begun(at)))) return false;
    }
    return true;
  }
  void add(Processor& processor) { processors_.emplace(processor.cpu, &processor); }

  const Operation& operation() const { return operation_; }
  std::uint32_t current() const { return current_; }
  bool has_begun(std::uint32_t operation) const { return states_[operation - first_] != State::waits; }
  bool has_ended(std::uint32_t operation) const { return states_[operation - first_] == State::done; }
  // The operation that the request is for.
  std::uint32_t of(RequestId request) const {
    return request.value < requests_.size() ? requests_[request.value] : no_operation;
  }

  void go_on(const Observation& observation) {
    if (observes_) {
      observes_ = false;
      finish(observation.completions);
    } else if (own_calculation_ != no_operation) {
      end(std::exchange(own_calculation_, no_operation));
    }
    advance();
  }

  // To the next Operation.
  void advance() {
    if (signals_ != nullptr) return wait_for(*std::exchange(signals_, nullptr));
    while (!free_.empty()) {
      const std::uint32_t operation = free_.front();
      free_.pop_front();
      if (begin(operation)) return;
    }
    for (const auto& [cpu, processor] : processors_)
      if (processor->current == no_operation && !processor->queue.empty()) return start(*processor);
    if (!own_queue_.empty()) return compute();
    if (!open_.empty()) return observe();
    finish_processors();
  }

 private:
  enum class State : std::uint8_t { waits, begun, done };
  struct Open {
    RequestId request;
    std::uint32_t operation = no_operation;
    Processor* processor = nullptr;  // that works on it
  };

  void release(std::span<const std::uint32_t> successors) {
    for (const std::uint32_t each : successors)
      if (--needs_[each - first_] == 0) free_.push_back(each);
  }
  void note_begin(std::uint32_t operation) {
    ++program_.actions_;
    states_[operation - first_] = State::begun;
    release(schedule_.after_begun(operation));
  }
  void end(std::uint32_t operation) {
    states_[operation - first_] = State::done;
    release(schedule_.after_done(operation));
  }
  RequestId next_request(std::uint32_t operation) {
    requests_.push_back(operation);
    return {static_cast<std::uint32_t>(requests_.size() - 1)};
  }

  // False: it asks for nothing now.
  bool begin(std::uint32_t number) {
    const GoalOperation& at = schedule_.operations[number];
    current_ = number;
    if (at.kind == GoalKind::calculation) {
      if (at.size > 0) {
        const auto processor = processors_.find(at.cpu);
        (processor == processors_.end() ? own_queue_ : processor->second->queue).push_back(number);
        return false;
      }
      note_begin(number);
      end(number);
      return false;
    }
    note_begin(number);
    const RequestId request = next_request(number);
    open_.push_back({request, number, nullptr});
    if (at.kind == GoalKind::send) {
      SendAction send;
      send.destination = at.peer;
      send.tag = static_cast<Tag>(at.tag);
      send.bytes = at.size;
      send.blocking = false;
      Send operation = operation_of(send, request, message_context(0));
      operation.origin = {"send", schedule_.line(number)};
      operation_ = operation;
      return true;
    }
    ReceiveAction receive;
    if (at.peer != goal_any) receive.source = at.peer;
    if (at.tag != goal_any) receive.tag = static_cast<Tag>(at.tag);
    receive.bytes = at.size;
    receive.blocking = false;
    operation_ = operation_of(receive, request, message_context(0));
    return true;
  }

  double flops_of(std::uint32_t operation) const {
    return static_cast<double>(schedule_.operations[operation].size) * flops_per_ns_;
  }

  void compute() {
    own_calculation_ = current_ = own_queue_.front();
    own_queue_.pop_front();
    note_begin(own_calculation_);
    operation_ = Compute{flops_of(own_calculation_)};
  }

  // Gives it its next calculation: two calls, which are answered at once.
  void start(Processor& processor) {
    processor.current = current_ = processor.queue.front();
    processor.queue.pop_front();
    processor.flops = flops_of(processor.current);
    note_begin(processor.current);
    signals_ = &processor;
    Collective work = processor.work(true);
    work.request = next_request(processor.current);
    operation_ = work;
  }
  void wait_for(Processor& processor) {
    Collective done = processor.done(true);
    done.request = next_request(processor.current);
    open_.push_back({done.request, processor.current, &processor});
    operation_ = done;
  }

  void observe() {
    observed_.clear();
    for (const Open& open : open_) observed_.push_back(open.request);
    observes_ = true;
    operation_ = Observe{observed_, Quantifier::some};
  }
  void finish(std::span<const Completion> completions) {
    for (const Completion& completion : completions) {
      Open& open = open_[completion.index];
      if (open.processor != nullptr) open.processor->current = no_operation;
      end(open.operation);
      open.operation = no_operation;
    }
    std::erase_if(open_, [](const Open& open) { return open.operation == no_operation; });
  }

  void finish_processors() {
    current_ = no_operation;
    if (processors_.empty()) {
      operation_ = End{};
      return;
    }
    Processor& processor = *processors_.begin()->second;
    processors_.erase(processors_.begin());
    processor.is_over = true;
    Collective over = processor.work(true);
    over.request = next_request(no_operation);
    operation_ = over;
  }

  GoalProgram& program_;
  const GoalSchedule& schedule_;
  const std::uint32_t rank_;
  const double flops_per_ns_;
  std::uint32_t first_ = 0;              // operation
  std::vector<std::uint32_t> needs_;     // by operation of the rank
  std::vector<State> states_;            // the same
  std::deque<std::uint32_t> free_;       // operations that can begin
  std::deque<std::uint32_t> own_queue_;  // calculations, without processors
  std::uint32_t own_calculation_ = no_operation;
  std::map<std::uint8_t, Processor*> processors_;  // in the order of their numbers
  Processor* signals_ = nullptr;                   // has got work, and the rank's call to wait for it is due
  std::vector<Open> open_;
  std::vector<RequestId> observed_;
  std::vector<std::uint32_t> requests_;  // by request: operation
  bool observes_ = false;
  std::uint32_t current_ = no_operation;  // that began last
  Operation operation_ = End{};
};

GoalProgram::GoalProgram(const GoalSchedule& schedule, double flops_per_second) : schedule_(schedule) {
  for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank)
    ranks_.push_back(std::make_unique<Rank>(*this, rank, flops_per_second));
  for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
    if (ranks_[rank]->is_chain()) continue;
    const GoalSchedule::Block& block = schedule.blocks[rank];
    std::array<bool, 256> has_cpu{};
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i)
      if (schedule.operations[i].kind == GoalKind::calculation && schedule.operations[i].size > 0)
        has_cpu[schedule.operations[i].cpu] = true;
    for (std::size_t cpu = 0; cpu < has_cpu.size(); ++cpu) {
      if (!has_cpu[cpu]) continue;
      const auto number = static_cast<std::uint32_t>(processors_.size());
      processors_.push_back(std::make_unique<Processor>(rank, static_cast<std::uint8_t>(cpu),
                                                        ActorId{schedule.ranks() + number}, number));
      ranks_[rank]->add(*processors_.back());
    }
  }
  for (const auto& processor : processors_) processor->start();
  for (const auto& rank : ranks_) rank->advance();
}

GoalProgram::~GoalProgram() = default;

std::uint32_t GoalProgram::actor_count() const {
  return static_cast<std::uint32_t>(ranks_.size() + processors_.size());
}

GoalProgram::Processor* GoalProgram::processor(ActorId actor) const {
  return actor.value < ranks_.size() ? nullptr : processors_[actor.value - ranks_.size()].get();
}

std::uint32_t GoalProgram::rank_of(ActorId actor) const {
  const Processor* at = processor(actor);
  return at == nullptr ? actor.value : at->rank;
}

const Operation& GoalProgram::next(ActorId actor) {
  const Processor* at = processor(actor);
  return at == nullptr ? ranks_[actor.value]->operation() : at->operation();
}

void GoalProgram::resume(ActorId actor, const Observation& observation) {
  if (Processor* at = processor(actor)) at->go_on();
  else ranks_[actor.value]->go_on(observation);
}

void GoalProgram::restart(ActorId) { REHEARSE_ASSERT(false, "a schedule is replayed once"); }
std::unique_ptr<Snapshot> GoalProgram::save(ActorId) { return nullptr; }
void GoalProgram::restore(ActorId, const Snapshot&) { REHEARSE_ASSERT(false, "save() returned null"); }

std::uint64_t GoalProgram::site(ActorId actor) {
  const std::uint32_t current = processor(actor) ? processor(actor)->current : ranks_[actor.value]->current();
  return current == no_operation ? 0 : schedule_.line(current);
}

Frame GoalProgram::locate(ActorId actor, const Origin& origin) {
  return {"", schedule_.file(rank_of(actor)), static_cast<int>(origin.address)};
}

ActionPlace GoalProgram::place(ActorId actor) {
  const auto& operation = next(actor);
  if (std::holds_alternative<Send>(operation)) return {"send", {}, {}, 0, 0};
  if (std::holds_alternative<Post>(operation)) return {"recv", {}, {}, 0, 0};
  if (std::holds_alternative<Compute>(operation)) return {"calc", {}, {}, 0, 0};
  return {std::holds_alternative<End>(operation) ? "end" : "wait", {}, {}, 0, 0};
}

CallDescription GoalProgram::describe(ActorId actor) {
  CallDescription description;
  const Operation& operation = next(actor);
  const std::uint32_t current = processor(actor) ? processor(actor)->current : ranks_[actor.value]->current();
  if (std::holds_alternative<End>(operation) || current == no_operation) {
    description.call = "end";
    return description;
  }
  const bool waits = std::holds_alternative<Observe>(operation);
  description.call = waits ? "wait" : text_of(schedule_.operations[current]);
  if (!waits)
    description.frames.push_back({"", schedule_.file(rank_of(actor)), static_cast<int>(schedule_.line(current))});
  return description;
}

LogGopsResult GoalProgram::leftovers(const Outcome& outcome) const {
  LogGopsResult result;
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    const GoalSchedule::Block& block = schedule_.blocks[rank];
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
      if (ranks_[rank]->has_ended(i)) continue;
      (ranks_[rank]->has_begun(i) ? result.begun : result.not_begun).push_back(i);
    }
  }
  for (const PendingRequest& pending : outcome.pending) {
    if (pending.kind != PendingRequest::Kind::send || pending.actor.value >= ranks_.size()) continue;
    const std::uint32_t operation = ranks_[pending.actor.value]->of(pending.request);
    if (operation != no_operation) result.not_received.push_back(operation);
  }
  return result;
}

}  // namespace rehearse::trace
