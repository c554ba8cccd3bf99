// SPDX-License-Identifier: MIT
//
// See recorded_runs.hpp.
#include "app/manynode/recorded_runs.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "app/manynode/sample_files.hpp"
#include "manynode/skeleton.hpp"
#include "simcore/support/format.hpp"
#include "trace/trace.hpp"

namespace rehearse::app {
namespace {

using manynode::absent;
using manynode::CallKind;
using manynode::RecordedCall;
using manynode::Slot;

// Texts of all runs, each once.
class TextNumbers {
 public:
  explicit TextNumbers(std::vector<std::string>& texts) : texts_(texts) {}

  std::uint32_t number_of(const std::string& text) {
    const auto [found, is_new] = numbers_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return found->second;
  }

 private:
  std::vector<std::string>& texts_;
  std::map<std::string, std::uint32_t> numbers_;
};

// The calls of one rank of a trace.
class RankReader {
 public:
  RankReader(const trace::Trace& trace, std::uint32_t rank, double seconds_per_flop, manynode::RecordedRun& run,
             TextNumbers& names, TextNumbers& sites)
      : trace_(trace), rank_(rank), seconds_per_flop_(seconds_per_flop), run_(run), names_(names), sites_(sites) {}

  Result<void> read() {
    reader_ = trace_.read(rank_);
    while (!problem_ && reader_->next(action_)) std::visit([this](const auto& action) { add(action); }, action_.what);
    if (problem_) return *problem_;
    if (reader_->problem()) return *reader_->problem();
    if (reader_->unsupported()) return Error{*reader_->unsupported(), true};
    run_.seconds_after.push_back(seconds_);
    return {};
  }

 private:
  void add(const trace::ComputeAction& compute) { seconds_ += compute.flops * seconds_per_flop_; }
  void add(const trace::SleepAction& sleep) { seconds_ += sleep.seconds; }

  void add(const trace::SendAction& send) {
    RecordedCall& call = begin(CallKind::send, send.blocking);
    fill(call, send);
    if (!send.blocking) open_.push_back(send.name);
  }
  void add(const trace::ReceiveAction& receive) {
    RecordedCall& call = begin(CallKind::receive, receive.blocking);
    call[Slot::peer] = receive.source ? *receive.source : manynode::anyone;
    call[Slot::tag] = receive.tag ? *receive.tag : manynode::anyone;
    if (receive.bytes) call[Slot::bytes] = static_cast<std::int64_t>(*receive.bytes);
    if (!receive.blocking) open_.push_back(receive.name);
  }
  void add(const trace::ExchangeAction& exchange) {
    RecordedCall& call = begin(CallKind::exchange, true);
    fill(call, exchange.send);
    call[Slot::from] = exchange.receive.source ? *exchange.receive.source : manynode::anyone;
    call[Slot::from_tag] = exchange.receive.tag ? *exchange.receive.tag : manynode::anyone;
  }

  static void fill(RecordedCall& call, const trace::SendAction& send) {
    call[Slot::peer] = send.destination;
    call[Slot::tag] = send.tag;
    call[Slot::bytes] = static_cast<std::int64_t>(send.bytes);
    call.mode = static_cast<std::uint8_t>(send.mode);
  }

  void add(const trace::WaitAction& wait) {
    if (has_unknown_) return refuse("a wait for one request behind a wait for any of several");
    const auto found =
        std::ranges::find_if(open_, [&](const trace::RequestName& open) { return is_meant(open, wait.name); });
    if (found == open_.end()) return refuse("no such request is open");
    begin(CallKind::wait, true)[Slot::waited] = found - open_.begin();
    open_.erase(found);
  }
  void add(const trace::WaitAllAction&) {
    begin(CallKind::wait_all, true);
    open_.clear();
    has_unknown_ = false;
  }
  void add(const trace::WaitAnyAction&) {
    begin(CallKind::wait_any, true);
    has_unknown_ = true;
  }

  void add(const trace::CollectiveAction& collective) {
    std::string name(manynode::name_of(collective.kind));
    if (collective.kind == CollectiveKind::by_flow) return refuse("a collective of unknown kind");
    if (!collective.blocking) name.insert(0, "i");
    RecordedCall& call = begin(CallKind::collective, collective.blocking);
    call.name = names_.number_of(name);
    if (collective.flow == Flow::root_to_all || collective.flow == Flow::all_to_root)
      call[Slot::root] = collective.root;
    if (collective.combining && collective.elements > 0)
      call[Slot::elements] = static_cast<std::int64_t>(collective.elements);
    add_sizes(collective, call);
    if (!collective.blocking) open_.push_back(trace::collective_name);
  }

  void add_sizes(const trace::CollectiveAction& collective, RecordedCall& call) {
    const auto size = [&call](std::uint64_t bytes) { call[Slot::bytes] = static_cast<std::int64_t>(bytes); };
    const bool has_segments = !collective.segments.empty();
    switch (collective.kind) {
      case CollectiveKind::barrier: return;
      case CollectiveKind::broadcast: return size(std::max(collective.bytes, collective.named_bytes));
      case CollectiveKind::scatter: return size(has_segments ? collective.segments.front() : collective.received_bytes);
      case CollectiveKind::alltoall: return size(has_segments ? collective.segments.front() : 0);
      case CollectiveKind::reduce_scatter:
      case CollectiveKind::reduce_scatter_block: {
        const bool are_equal = std::ranges::all_of(collective.segments, [&](std::uint64_t each) {
          return each == collective.segments.front();
        });
        if (are_equal) return size(has_segments ? collective.segments.front() : 0);
        return add_parts(collective.segments, call);
      }
      case CollectiveKind::gatherv:
      case CollectiveKind::allgatherv: {
        if (!collective.blocks.empty()) return add_parts(collective.blocks, call);
        std::vector<std::int64_t> parts(members(), absent);
        parts[action_.member] = static_cast<std::int64_t>(collective.bytes);
        return add_parts(std::move(parts), call);
      }
      case CollectiveKind::scatterv:
        if (has_segments) return add_parts(collective.segments, call);
        return add_parts(std::vector<std::int64_t>(members(), absent), call);
      case CollectiveKind::alltoallv: return add_parts(collective.segments, call);
      default: return size(collective.bytes);
    }
  }

  void add_parts(std::span<const std::uint64_t> parts, RecordedCall& call) {
    add_parts(std::vector<std::int64_t>(parts.begin(), parts.end()), call);
  }
  void add_parts(std::vector<std::int64_t> parts, RecordedCall& call) {
    call.parts = static_cast<std::uint32_t>(run_.parts.size());
    run_.parts.push_back(std::move(parts));
  }

  std::size_t members() const { return trace_.communicators().members(action_.communicator).size(); }

  RecordedCall& begin(CallKind kind, bool blocking) {
    RecordedCall& call = run_.calls[rank_].emplace_back();
    call.kind = kind;
    call.blocking = blocking;
    call.communicator = kind == CallKind::wait || kind == CallKind::wait_all ? 0 : action_.communicator;
    call.seconds = std::exchange(seconds_, 0);
    const std::string site = trace_.site_name(action_.site);
    call.site = site.empty() ? 0 : sites_.number_of(site);
    return call;
  }

  void refuse(const std::string& why) {
    problem_ = Error{fmt::format("{}: rank {}: {}: {}", reader_->place(), rank_, reader_->text(), why), true};
  }

  const trace::Trace& trace_;
  std::uint32_t rank_;
  double seconds_per_flop_;
  manynode::RecordedRun& run_;
  TextNumbers& names_;
  TextNumbers& sites_;
  std::unique_ptr<trace::ActionReader> reader_;
  trace::Action action_;
  double seconds_ = 0;
  std::vector<trace::RequestName> open_;
  bool has_unknown_ = false;  // one of the open requests is complete
  std::optional<Error> problem_;
};

Result<manynode::RecordedRun> read_run(const std::string& file, TextNumbers& names, TextNumbers& sites) {
  auto trace = trace::open_trace(file, trace::Wildcards::free);
  if (!trace) return trace.error();
  manynode::RecordedRun run;
  run.file = file;
  run.ranks = trace.value()->ranks();
  run.calls.resize(run.ranks);
  run.parts.emplace_back();
  const trace::Communicators& communicators = trace.value()->communicators();
  for (std::uint32_t i = 0; i < communicators.size(); ++i) {
    std::vector<std::uint32_t>& members = run.communicators.emplace_back();
    for (const ActorId member : communicators.members(i)) members.push_back(member.value);
  }
  const double seconds_per_flop = 1 / recorded_flops_per_second(trace.value()->about());
  for (std::uint32_t rank = 0; rank < run.ranks; ++rank)
    if (const auto done = RankReader(*trace.value(), rank, seconds_per_flop, run, names, sites).read(); !done)
      return done.error();
  return run;
}

}  // namespace

Result<manynode::RecordedRuns> read_runs(const std::vector<std::string>& traces) {
  manynode::RecordedRuns runs;
  TextNumbers names(runs.names), sites(runs.sites);
  sites.number_of("");  // unknown
  for (const std::string& file : traces) {
    auto run = read_run(file, names, sites);
    if (!run) return run.error();
    runs.runs.push_back(std::move(run.value()));
  }
  std::ranges::sort(runs.runs, {}, &manynode::RecordedRun::ranks);
  for (std::size_t i = 1; i < runs.runs.size(); ++i)
    if (runs.runs[i].ranks == runs.runs[i - 1].ranks)
      return Error{fmt::format("{} and {} have {} ranks each; accepted: traces with different numbers of ranks",
                               runs.runs[i - 1].file, runs.runs[i].file, runs.runs[i].ranks)};
  return runs;
}

}  // namespace rehearse::app
