// SPDX-License-Identifier: MIT
//
// Measures executions of sampled code, and lets the time of the others pass.
#include "smpi/user/sampled_code.hpp"

#include "simcore/actor_context.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi/call_scope.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/heap.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/sampling.hpp"

namespace rehearse::smpi {
namespace {

// The execution that is measured. `inner`: number of further ones that began in it.
struct OpenSample {
  SampleClass* of = nullptr;  // null: none
  ApplicationMeter* meter = nullptr;
  ApplicationMeter* outer = nullptr;  // the driver's; null: none
  bool is_cold = false;
  bool is_disturbed = false;
  bool was_going = false;
  const void* stack = nullptr;
  std::uint64_t calls = 0;
  std::uint64_t inner = 0;
};

Sampling* sampling_of_rank() {
  const RankState* rank = running_rank();
  return rank == nullptr ? nullptr : rank->world->spec.sampling;
}

void pass(const Sampling& sampling, ApplicationMeter* meter, double seconds) {
  if (meter != nullptr && !sampling.options().passes_by_itself) return meter->add(seconds);
  ask(Compute{seconds * this_rank().world->spec.rates.flops_per_second});
}

// Ends the measurement. Returns its time, which has not passed yet.
double close_sample(Sampling& sampling, OpenSample& open) {
  open.meter->pause();
  open.is_disturbed |= sampling.is_disturbed();
  const double seconds = open.meter->take();
  current_context()->meter = open.outer;
  const HostAllocation host;
  sampling.give_back(open.meter);
  return seconds;
}

void open_sample(Sampling& sampling, OpenSample& open, SampleClass& of, bool is_cold, const void* stack) {
  ActorContext& context = *current_context();
  {
    const HostAllocation host;
    open.meter = sampling.take_meter();
  }
  if (open.meter == nullptr) fail_rank(FailureKind::unsupported, "", "measuring sampled code: no counter is left");
  open.of = &of;
  open.is_cold = is_cold;
  open.is_disturbed = sampling.is_disturbed();
  open.outer = context.meter;
  open.stack = stack;
  open.calls = per_rank<CallChain>().calls;
  open.inner = 0;
  context.meter = open.meter;
}

SampleClass& class_of(Sampling& sampling, const std::string& name, std::span<const std::int64_t> numbers,
                      const SampleRule& rule) {
  const HostAllocation host;
  return sampling.sampler().find(current_actor().value, name, numbers, rule);
}

}  // namespace

SampleRule default_sample_rule() {
  const Sampling* sampling = sampling_of_rank();
  return sampling == nullptr ? SampleRule{} : sampling->options().rule;
}

bool sample_begins(const std::string& name, std::span<const std::int64_t> numbers, const SampleRule& rule,
                   const void* stack) {
  Sampling* sampling = sampling_of_rank();
  if (sampling == nullptr) return true;
  ActorContext& context = *current_context();
  const bool was_going = context.meter != nullptr && context.meter->pause();
  OpenSample& open = per_rank<OpenSample>();
  SampleClass& of = class_of(*sampling, name, numbers, rule);
  bool goes = was_going;
  if (open.of != nullptr && (&of != open.of || stack < open.stack)) {
    ++open.inner;
    if (was_going) context.meter->go();
    return true;
  }
  if (open.of != nullptr) {  // it was left early
    goes = open.was_going;
    open.of = nullptr;
    pass(*sampling, open.outer, close_sample(*sampling, open));
  }
  Sampler::Decision decision;
  {
    const HostAllocation host;
    decision = sampling->sampler().next(of, current_actor().value);
  }
  if (decision.runs) {
    open_sample(*sampling, open, of, decision.is_cold, stack);
    open.was_going = goes;
    open.meter->go();
    return true;
  }
  pass(*sampling, context.meter, decision.seconds);
  if (goes) context.meter->go();
  return false;
}

void sample_ends() {
  Sampling* sampling = sampling_of_rank();
  if (sampling == nullptr) return;
  OpenSample& open = per_rank<OpenSample>();
  if (open.of == nullptr) fail_rank(FailureKind::misuse, "argument.value", "rehearse_sample_end() without a sample");
  if (open.inner > 0) {
    --open.inner;
    return;
  }
  double seconds = close_sample(*sampling, open);
  SampleClass& of = *open.of;
  open.of = nullptr;
  if (per_rank<CallChain>().calls != open.calls)
    fail_rank(FailureKind::unsupported, "", fmt::format("a call of MPI in the sampled code '{}'", of.key().name));
  {
    const HostAllocation host;
    seconds = sampling->sampler().took(of, current_actor().value, seconds, open.is_cold, open.is_disturbed);
  }
  pass(*sampling, open.outer, seconds);
  if (open.was_going) open.outer->go();
}

Result<std::unique_ptr<Sampling>> Sampling::make(const Options& options) {
  std::unique_ptr<Sampling> sampling(new Sampling(options));
  if (options.cost != ApplicationCost::instructions) return sampling;  // it can always measure time
  auto first = ApplicationMeter::make(options.cost, options.seconds_per_instruction);
  if (!first) return first.error();
  sampling->free_.push_back(first.value().get());
  sampling->meters_.push_back(std::move(first.value()));
  return sampling;
}

ApplicationMeter* Sampling::take_meter() {
  if (free_.empty()) {
    auto another = ApplicationMeter::make(options_.cost, options_.seconds_per_instruction);
    if (!another) return nullptr;
    meters_.push_back(std::move(another.value()));
    return meters_.back().get();
  }
  ApplicationMeter* meter = free_.back();
  free_.pop_back();
  return meter;
}

}  // namespace rehearse::smpi
