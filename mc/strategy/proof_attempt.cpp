// SPDX-License-Identifier: MIT
//
// The process of the attempt, and its answer.
#include "mc/strategy/proof_attempt.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iterator>
#include <limits>
#include <thread>

#include "mc/history/local_graph.hpp"
#include "mc/records/records.hpp"
#include "mc/strategy/search_strategy.hpp"
#include "mc/strategy/session.hpp"
#include "simcore/state_image.hpp"

namespace rehearse::mc::strategy {

namespace {

// Of the time of all processors, if no processor is free. The exploration loses more than this: the attempt also uses
// its caches, and pages that both processes have are copied.
constexpr double share_of_all = 0.06;
constexpr std::uint64_t part_of_memory = 4;
constexpr double first_turn_seconds = 1;
constexpr const char* proved = "a proof covers the rest";  // why the exploration stops

bool is_error(const Finding& finding) { return finding.severity == Severity::error; }

// The part of one processor's time that the attempt may use.
double share_of_one(std::uint32_t exploring) {
  cpu_set_t set;
  const int processors = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  if (exploring < static_cast<std::uint32_t>(processors)) return 1;
  return std::min(1.0, share_of_all * processors);
}

// Called from time to time: sleeps until this process has been awake for at most its share of the time. Where others
// keep the processors busy, it then gets as much less of them as the exploring processes do.
class Throttle {
 public:
  explicit Throttle(double share) : share_(share) {}

  void wait() {
    if (share_ >= 1) return;
    const std::chrono::duration<double> awake = Clock::now() - start_ - asleep_;
    const Clock::time_point end = start_ + std::chrono::duration_cast<Clock::duration>(awake / share_);
    const Clock::time_point begin = Clock::now();
    std::this_thread::sleep_until(end);
    asleep_ += Clock::now() - begin;
  }

 private:
  using Clock = std::chrono::steady_clock;

  double share_;
  Clock::time_point start_ = Clock::now();
  Clock::duration asleep_{};
};

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
  const double share = share_of_one(options_.strategy.jobs);
  Throttle throttle(share);
  bool may_flow = true, may_merge = true;
  for (double seconds = first_turn_seconds; may_flow || may_merge; seconds *= 2)
    for (const auto& [reduction, may] :
         {std::pair(Reduction::flow, &may_flow), std::pair(Reduction::merged, &may_merge)}) {
      if (!*may) continue;
      // The last one has no rival to wait for.
      const bool is_alone = !may_flow || !may_merge;
      const double limit = is_alone ? std::numeric_limits<double>::infinity() : seconds / share;
      Turn turn = try_for(reduction, limit, [&] { throttle.wait(); });
      *may = turn.may_go_on;
      if (!turn.answer) continue;
      records::Writer answer;
      write(*turn.answer, answer);
      channel.send(0, answer.bytes());
      return;
    }
}

ProofAttempt::Turn ProofAttempt::try_for(Reduction reduction, double seconds, const std::function<void()>& pause) {
  ExploreOptions how = options_;
  how.semantics.find_races = false;
  how.strategy = {};
  how.strategy.reduction = reduction;
  how.bounds.max_executions = std::numeric_limits<std::uint64_t>::max();
  how.bounds.max_seconds = seconds;
  how.bounds.max_bytes = options_.bounds.max_bytes / part_of_memory;
  how.hooks.stop = {};
  how.hooks.progress = [&](const Progress&) { pause(); };
  const auto start = std::chrono::steady_clock::now();
  Session session(program_, how, judge_);
  Verdict verdict = session.run(reduction == Reduction::flow ? *make_flow_equations(session, WhenUndecided::stop)
                                                             : *make_merged_states(session, WhenUndecided::stop));
  const bool is_late = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() >= seconds;
  const bool is_supported = (verdict.flow && verdict.flow->why_not.empty()) ||
                            (verdict.merging && verdict.merging->unsupported.empty());
  const bool has_error = std::ranges::any_of(verdict.findings, is_error);
  const bool is_proof = !has_error && verdict.exhaustive && verdict.reasons.empty() && is_supported;
  if (!is_proof && (!has_error || options_.bounds.all_findings)) return {.answer = {}, .may_go_on = is_late};
  return {.answer = Answer{is_proof, verdict.merging, verdict.flow, std::move(verdict.assumptions),
                           std::move(verdict.findings)},
          .may_go_on = false};
}

void ProofAttempt::write(const Answer& answer, records::Writer& to) {
  to.number(answer.is_proof);
  to.number(answer.flow.has_value());
  const Merging merging = answer.merging.value_or(Merging());
  for (const std::uint64_t number : {merging.states, merging.local_steps, merging.rounds}) to.number(number);
  const FlowProof flow = answer.flow.value_or(FlowProof());
  for (const std::uint64_t number : {flow.local_steps, flow.steps, flow.equations, flow.questions}) to.number(number);
  put(to, answer.assumptions);
  verdict::Cause all;
  all.findings = answer.findings;
  put(to, all);
}

std::optional<ProofAttempt::Answer> ProofAttempt::read(const parallel::Frame& frame) {
  records::Reader from(frame.bytes);
  Answer answer;
  answer.is_proof = from.number() != 0;
  const bool is_flow = from.number() != 0;
  Merging merging;
  for (std::uint64_t* number : {&merging.states, &merging.local_steps, &merging.rounds}) *number = from.number();
  FlowProof flow;
  for (std::uint64_t* number : {&flow.local_steps, &flow.steps, &flow.equations, &flow.questions})
    *number = from.number();
  if (is_flow) answer.flow = flow;
  else answer.merging = merging;
  get(from, answer.assumptions);
  verdict::Cause all;
  get(from, all);
  answer.findings = std::move(all.findings);
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
