// SPDX-License-Identifier: MIT
//
// The worker's side.
#include "mc/parallel/worker.hpp"

#include <algorithm>
#include <ctime>
#include <stdexcept>

#include "mc/counterexample/ending.hpp"
#include "mc/records/records.hpp"
#include "mc/verdict/branchings.hpp"
#include "mc/verdict/limits.hpp"

namespace rehearse::mc::parallel {

using records::Writer;
using reduction::ReceivesFromExplorer;

namespace {

constexpr std::size_t log_bytes = 16384;
constexpr std::chrono::milliseconds log_age{20};
constexpr std::chrono::milliseconds measure_age{500};
constexpr std::uint64_t least_history_bytes = std::uint64_t{24} << 20;
// More executions than a log can hold. So a careful worker passes the place where the last worker died.
constexpr std::uint64_t careful_executions = 2000;
constexpr std::uint64_t careful_events = 4096;  // in one execution; with more events, not every execution is reported

}  // namespace

void put(Writer& to, const Shared::Slot& slot) {
  to.number(slot.executions);
  to.number(slot.operations);
  to.number(slot.application_runs);
  to.number(slot.bytes);
  to.plain(slot.position.load());
}

void get(records::Reader& from, Shared::Slot& slot) {
  slot.executions = from.number();
  slot.operations = from.number();
  slot.application_runs = from.number();
  slot.bytes = from.number();
  slot.position = from.plain<double>();
}

std::optional<Child> start_worker(const Exploration& exploration, Shared& shared, Shared::Slot& slot,
                                  const std::vector<int>& siblings, bool inherits) {
  return start_child(siblings, [&](Channel& channel) {
    const ExploreOptions& options = exploration.options;
    const StopToken stop = StopToken::watch(shared.stops);
    exploration.history.give_up_when(stop);
    const std::uint64_t share = options.bounds.max_history_bytes / options.strategy.jobs;
    exploration.history.set_limit(std::max(share, least_history_bytes));
    if (options.hooks.prepare) options.hooks.prepare(stop);
    Worker worker(exploration, channel, shared, slot);
    if (inherits) worker.go_on();
    worker.serve();
  });
}

CoarseClock::time_point CoarseClock::now() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return time_point(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

void Worker::serve() {
  while (const std::optional<Frame> frame = channel_.receive()) {
    records::Reader reader(frame->bytes);
    Assignment assignment;
    get(reader, assignment);
    begin(assignment);
  }
}

void Worker::begin(const Assignment& assignment) {
  ReceivesFromExplorer explorer(exploration_.history, exploration_.actors, exploration_.options.semantics.polls,
                                [](const ReceivesFromExplorer&) { return true; });
  try {
    explorer.load(assignment.path);
  } catch (const reduction::PathLost&) {
    return log_end("the program is not deterministic: an execution could not be repeated in another process");
  } catch (const history::Diverged& diverged) {
    return log_end(to_text(diverged));
  } catch (const history::GivenUp&) {
    Writer nothing;
    return send_report(WorkerReport::unchanged, nothing);
  }
  explore(explorer, assignment);
}

void Worker::explore(ReceivesFromExplorer& explorer, const Assignment& assignment) {
  exploration_.examiner.forget_recorded_ends();
  visited_ = 0;
  donated_ = 0;
  reported_operations_ = explorer.events();
  reported_limits_ = 0;
  is_careful_ = assignment.is_careful;
  last_flush_ = CoarseClock::now();
  last_donation_ = Clock::now();
  const auto go_on = [this, skip = assignment.skip](const ReceivesFromExplorer& now) {
    if (is_careful_) stand(now, skip);
    return !shared_.stops.load(std::memory_order_relaxed);
  };
  exploration_.examiner.ask([this] { return !shared_.stops.load(std::memory_order_relaxed); });
  explorer.ask(go_on, is_careful_ ? 1 : ReceivesFromExplorer::events_between_questions);
  try {
    const bool is_over = explorer.run([&](const graph::Graph& graph) { return visit(explorer, graph, assignment); });
    log_limits(explorer);
    log_.plain(EntryKind::operations);
    log_.number(explorer.events() - reported_operations_);
    flush();
    Writer rest;
    if (!is_over) put(rest, explorer.remaining());
    send_report(is_over ? WorkerReport::finished : WorkerReport::remaining, rest);
  } catch (const history::Diverged& diverged) {
    log_end(to_text(diverged));
  }
}

bool Worker::visit(ReceivesFromExplorer& explorer, const graph::Graph& graph, const Assignment& assignment) {
  execution_.clear();
  if (!exploration_.examiner.examine(graph, true, execution_)) {
    explorer.visit_again();
    return false;
  }
  exploration_.examiner.find_races(explorer, execution_);
  execution_.branching = verdict::branching_of(explorer);
  ++visited_;
  if (visited_ > assignment.skip) {
    log_limits(explorer);
    log_.plain(EntryKind::execution);
    log_.number(explorer.events() - reported_operations_);
    put(log_, execution_);
    ++logged_;
  }
  for (; donated_ < assignment.donated.size() && assignment.donated[donated_].after == visited_; ++donated_)
    explorer.give_up(assignment.donated[donated_].cut);
  if (visited_ >= assignment.skip) {
    slot_.operations += explorer.events() - reported_operations_;
    reported_operations_ = explorer.events();
    maybe_donate(explorer);
  }
  if (is_careful_ && visited_ > assignment.skip + careful_executions) {
    is_careful_ = false;
    explorer.ask([this](const ReceivesFromExplorer&) { return !shared_.stops.load(std::memory_order_relaxed); });
    Writer nothing;
    send_report(WorkerReport::standing, nothing);
  }
  if (is_careful_ || log_.bytes().size() >= log_bytes || CoarseClock::now() - last_flush_ >= log_age) {
    slot_.position = explorer.position();
    flush();
  }
  return !shared_.stops.load(std::memory_order_relaxed);
}

// Limits only grow, so their number shows whether they changed.
void Worker::log_limits(const ReceivesFromExplorer& explorer) {
  verdict::Limits limits = verdict::limits_of(explorer.builder());
  limits.join(verdict::limits_of(exploration_.history));
  if (exploration_.options.hooks.caveats) limits.join(verdict::limits_of(exploration_.options.hooks.caveats()));
  if (limits.size() == reported_limits_) return;
  reported_limits_ = limits.size();
  log_.plain(EntryKind::limits);
  put(log_, limits);
}

void Worker::log_end(const std::string& reason) {
  log_.plain(EntryKind::end);
  log_.text(reason);
  flush();
  Writer nothing;
  send_report(WorkerReport::finished, nothing);
}

void Worker::maybe_donate(ReceivesFromExplorer& explorer) {
  if (shared_.donations_wanted.load(std::memory_order_relaxed) <= 0) return;
  const Clock::time_point now = Clock::now();
  if (now - last_donation_ < std::chrono::duration<double>(exploration_.options.strategy.undivided_seconds)) return;
  last_donation_ = now;
  if (shared_.donations_wanted.fetch_sub(1) <= 0) {
    ++shared_.donations_wanted;  // another one was faster
    return;
  }
  const auto donation = explorer.donate();
  if (!donation) {
    ++shared_.donations_wanted;
    return;
  }
  flush();
  Writer message;
  put(message, *donation);
  send_report(WorkerReport::donation, message);
}

void Worker::stand(const ReceivesFromExplorer& explorer, std::uint64_t skip) {
  if (visited_ < skip) return;
  constexpr std::uint64_t often = ReceivesFromExplorer::events_between_questions;
  if (explorer.events() > careful_events && explorer.events() % often != 0) return;
  Writer message;
  message.text(to_text(counterexample::make_schedule(explorer.graph(), verdict::as_it_is(explorer.graph()))));
  send_report(WorkerReport::standing, message);
}

void Worker::flush() {
  last_flush_ = CoarseClock::now();
  const std::uint64_t runs = exploration_.history.application_runs();
  slot_.application_runs += runs - reported_runs_;
  reported_runs_ = runs;
  if (last_flush_ - last_measure_ >= measure_age) {
    last_measure_ = last_flush_;
    slot_.bytes = resident_bytes();
  }
  if (log_.bytes().empty()) return;
  slot_.executions += logged_;
  Writer message;
  message.number(logged_);
  message.bytes().append(log_.bytes());
  log_.bytes().clear();
  logged_ = 0;
  send_report(WorkerReport::log, message);
}

void Worker::send_report(WorkerReport kind, Writer& message) {
  if (!channel_.send(static_cast<std::uint8_t>(kind), message.bytes()))
    throw std::runtime_error("the coordinator has gone");
}

}  // namespace rehearse::mc::parallel
