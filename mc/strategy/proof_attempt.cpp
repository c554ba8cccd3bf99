// SPDX-License-Identifier: MIT
//
// The process of the attempt, and its answer.
#include "mc/strategy/proof_attempt.hpp"

#include <sched.h>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <limits>
#include <memory>

#include "mc/records/records.hpp"
#include "mc/strategy/rivals.hpp"
#include "mc/strategy/search_strategy.hpp"
#include "mc/strategy/session.hpp"
#include "simcore/state_image.hpp"

namespace rehearse::mc::strategy {

namespace {

// Of the time of all processors, if no processor is free. The exploration loses more than this: the attempt also uses
// its caches, and pages that both processes have are copied.
constexpr double share_of_all = 0.06;
constexpr const char* proved = "a proof covers the rest";  // why the exploration stops

bool is_error(const Finding& finding) { return finding.severity == Severity::error; }

// The part of one processor's time that the attempt may use.
double share_of_one(std::uint32_t exploring) {
  cpu_set_t set;
  const int processors = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  if (exploring < static_cast<std::uint32_t>(processors)) return 1;
  return std::min(1.0, share_of_all * processors);
}

// The part of the memory that an attempt may use. Nets need much less than states.
std::uint64_t part_of_memory(Reduction reduction) { return reduction == Reduction::merged ? 4 : 16; }

std::unique_ptr<SearchStrategy> make_attempt(Reduction reduction, Session& session) {
  if (reduction == Reduction::flow) return make_flow_equations(session, WhenUndecided::stop);
  if (reduction == Reduction::footprints) return make_footprint_nets(session, WhenUndecided::stop);
  return make_merged_states(session, WhenUndecided::stop);
}

}  // namespace

bool ProofAttempt::is_possible(const Program& program, const ExploreOptions& options) {
  const Semantics& semantics = options.semantics;
  return dynamic_cast<const StateImages*>(&program) != nullptr && !semantics.same_output && !semantics.same_sends &&
         !semantics.same_results && !options.hooks.price && !options.strategy.apart;
}

std::optional<std::string> ProofAttempt::look(std::uint64_t executions, double seconds, bool has_error) {
  const Strategy& strategy = options_.strategy;
  const bool is_long = executions >= strategy.proof_after_executions || seconds >= strategy.proof_after_seconds;
  if (!has_begun_ && is_long && executions >= strategy.proof_after_at_least && !has_error) begin();
  if (!child_) return std::nullopt;
  const bool goes_on = child_->channel.fetch();
  if (const auto frame = child_->channel.next()) answer_ = read(*frame);
  if (answer_ || !goes_on) end();
  if (!answer_) return std::nullopt;
  return answer_->is_proof ? proved : "stopped after an error (--all continues)";
}

void ProofAttempt::begin() {
  has_begun_ = true;
  child_ = parallel::start_child({}, [this](parallel::Channel& channel) { work(channel); });
}

void ProofAttempt::end() {
  if (!child_) return;
  kill(child_->pid, SIGKILL);
  parallel::reap(child_->pid);
  child_.reset();
}

// In the other process. Sends an answer, or nothing.
void ProofAttempt::work(parallel::Channel& channel) {
  const auto rival = [this](Reduction reduction, std::uint32_t weight) {
    const auto work = [this, reduction](parallel::Channel& to) {
      const std::optional<Answer> answer = attempt(reduction);
      if (!answer) return;
      records::Writer bytes;
      write(*answer, bytes);
      to.send(0, bytes.bytes());
    };
    return Rival{work, weight};
  };
  // Footprints need the fewest steps, and most time for each.
  const std::vector<Rival> rivals = {rival(Reduction::flow, 1), rival(Reduction::footprints, 2),
                                     rival(Reduction::merged, 1)};
  const auto answer = first_answer(rivals, share_of_one(options_.strategy.jobs), {channel.descriptor()});
  if (answer) channel.send(0, answer->bytes);
}

std::optional<ProofAttempt::Answer> ProofAttempt::attempt(Reduction reduction) {
  ExploreOptions how = options_;
  how.semantics.find_races = false;
  how.strategy = {};
  how.strategy.reduction = reduction;
  how.bounds.max_executions = std::numeric_limits<std::uint64_t>::max();
  how.bounds.max_seconds = std::numeric_limits<double>::infinity();
  how.bounds.max_bytes = options_.bounds.max_bytes / part_of_memory(reduction);
  how.hooks.stop = {};
  how.hooks.progress = {};
  how.hooks.is_endless = {};
  std::string text;
  Session session(program_, how, judge_);
  if (keeps_text_) session.keep_proof_in(text);
  Verdict verdict = session.run(*make_attempt(reduction, session));
  const bool is_supported = (verdict.flow && verdict.flow->why_not.empty()) ||
                            (verdict.merging && verdict.merging->unsupported.empty());
  const bool has_error = std::ranges::any_of(verdict.findings, is_error);
  const bool is_proof = !has_error && verdict.exhaustive && verdict.reasons.empty() && is_supported;
  if (!is_proof && (!has_error || options_.bounds.all_findings)) return std::nullopt;
  return Answer{is_proof,
                verdict.merging,
                verdict.flow,
                std::move(verdict.assumptions),
                std::move(verdict.findings),
                is_proof ? std::move(text) : ""};
}

void ProofAttempt::write(const Answer& answer, records::Writer& to) {
  to.number(answer.is_proof);
  to.number(answer.flow.has_value());
  const Merging merging = answer.merging.value_or(Merging());
  for (const std::uint64_t number : {merging.states, merging.local_steps, merging.rounds}) to.number(number);
  const FlowProof flow = answer.flow.value_or(FlowProof());
  to.number(flow.by_footprints);
  for (const std::uint64_t number : {flow.local_steps, flow.steps, flow.equations, flow.questions, flow.repeated_steps})
    to.number(number);
  put(to, answer.assumptions);
  verdict::Cause all;
  all.findings = answer.findings;
  put(to, all);
  to.text(answer.text);
}

std::optional<ProofAttempt::Answer> ProofAttempt::read(const parallel::Frame& frame) {
  records::Reader from(frame.bytes);
  Answer answer;
  answer.is_proof = from.number() != 0;
  const bool is_flow = from.number() != 0;
  Merging merging;
  for (std::uint64_t* number : {&merging.states, &merging.local_steps, &merging.rounds}) *number = from.number();
  FlowProof flow;
  flow.by_footprints = from.number() != 0;
  for (std::uint64_t* number : {&flow.local_steps, &flow.steps, &flow.equations, &flow.questions, &flow.repeated_steps})
    *number = from.number();
  if (is_flow) answer.flow = flow;
  else answer.merging = merging;
  get(from, answer.assumptions);
  verdict::Cause all;
  get(from, all);
  answer.findings = std::move(all.findings);
  answer.text = from.text();
  if (!from.is_good() || !from.at_end()) return std::nullopt;
  return answer;
}

void ProofAttempt::add_to(Verdict& verdict) const {
  if (!answer_ || std::ranges::any_of(verdict.findings, is_error)) return;
  if (answer_->is_proof) {
    // Other reasons stay: an execution that strayed from its schedule shows that the proof's premise does not hold.
    std::erase(verdict.reasons, proved);
    verdict.exhaustive = verdict.reasons.empty();
    verdict.merging = answer_->merging;
    verdict.flow = answer_->flow;
    for (const std::string& assumption : answer_->assumptions)
      if (std::ranges::find(verdict.assumptions, assumption) == verdict.assumptions.end())
        verdict.assumptions.push_back(assumption);
  }
  std::vector<Finding> all;
  for (const Finding& finding : answer_->findings)
    if (is_error(finding) || std::ranges::find(verdict.findings, finding.id, &Finding::id) == verdict.findings.end())
      all.push_back(finding);
  std::ranges::stable_partition(all, is_error);
  std::ranges::move(verdict.findings, std::back_inserter(all));
  verdict.findings = std::move(all);
}

}  // namespace rehearse::mc::strategy
