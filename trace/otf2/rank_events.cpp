// SPDX-License-Identifier: MIT
//
// See rank_events.hpp. Every request has a name of its own, so waits mean exactly one.
#include "trace/otf2/rank_events.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "simcore/support/format.hpp"
#include "trace/collective_names.hpp"

namespace rehearse::trace::otf2 {
namespace {

SendMode mode_of(const std::string& function) {
  if (function.find("ssend") != std::string::npos || function.find("Ssend") != std::string::npos)
    return SendMode::synchronous;
  if (function.find("bsend") != std::string::npos || function.find("Bsend") != std::string::npos)
    return SendMode::buffered;
  return SendMode::standard;
}

constexpr std::array one_sided = {"MPI_Put",
                                  "MPI_Rput",
                                  "MPI_Get",
                                  "MPI_Rget",
                                  "MPI_Accumulate",
                                  "MPI_Raccumulate",
                                  "MPI_Get_accumulate",
                                  "MPI_Rget_accumulate",
                                  "MPI_Fetch_and_op",
                                  "MPI_Compare_and_swap"};

constexpr std::uint32_t largest_tag = 2147483647;
constexpr double most_counted = 9e15;
constexpr std::uint64_t most_bytes = 9'000'000'000'000'000;  // a double has them exactly

bool is_probe(const std::string& function) { return function.find("robe") != std::string::npos; }

}  // namespace

RankEvents::RankEvents(const Definitions& definitions, const Places& places, std::uint32_t rank,
                       double flops_per_second)
    : definitions_(definitions),
      places_(places),
      rank_(rank),
      flops_per_tick_(flops_per_second / static_cast<double>(definitions.ticks_per_second)) {}

void RankEvents::fail(std::string why) {
  if (!problem_) problem_ = fmt::format("rank {}: {}", rank_, why);
}

void RankEvents::add(AnyAction action, OTF2_CommRef communicator, bool is_communication) {
  CallOfArchive& call = result_.calls.emplace_back();
  call.action.what = std::move(action);
  if (!calls_.empty()) call.function = &definitions_.regions.at(calls_.front()).name;
  if (is_communication) set_place(call.action, communicator);
}

void RankEvents::set_place(Action& action, OTF2_CommRef communicator) {
  const auto found = places_.find(communicator);
  if (found == places_.end())
    return fail(fmt::format("communicator {} of an event is not defined, or the rank is no member", communicator));
  action.communicator = found->second.communicator;
  action.member = found->second.member;
}

void RankEvents::compute(std::uint64_t time) {
  if (!std::exchange(has_begun_, true)) last_ = time;
  if (time < last_) return fail(fmt::format("the time goes back, from tick {} to {}", last_, time));
  if (definitions_.instructions && counted_ < counted_before_)
    return fail(fmt::format("the counter of instructions goes back, from {} to {}", counted_before_, counted_));
  const double flops = definitions_.instructions ? static_cast<double>(counted_ - counted_before_)
                                                 : static_cast<double>(time - last_) * flops_per_tick_;
  if (flops > 0) add(ComputeAction{flops}, 0, false);
}

void RankEvents::enter(std::uint64_t time, OTF2_RegionRef region) {
  end_ = time;
  const auto known = definitions_.regions.find(region);
  if (known == definitions_.regions.end()) return fail(fmt::format("region {} is not defined", region));
  if (!has_begun_) {
    has_begun_ = true;
    last_ = time;
    counted_before_ = counted_;
  }
  if (!known->second.is_mpi) return;
  if (calls_.empty()) {
    compute(time);
    refuse(known->second.name);
    first_of_call_ = result_.calls.size();
  }
  calls_.push_back(region);
}

void RankEvents::leave(std::uint64_t time, OTF2_RegionRef region) {
  end_ = time;
  const auto known = definitions_.regions.find(region);
  if (known == definitions_.regions.end() || !known->second.is_mpi) return;
  if (calls_.empty() || calls_.back() != region)
    return fail(fmt::format("a leave of {} without its enter", known->second.name));
  if (calls_.size() == 1) {
    join_exchange();
    if (result_.calls.size() == first_of_call_) note_poll(known->second.name);
    last_ = time;
    counted_before_ = counted_;
  }
  calls_.pop_back();
}

// A call without records. The archive has no messages of probes, and nothing of tests without success.
void RankEvents::note_poll(const std::string& function) {
  if (is_probe(function)) result_.losses.add(Loss::probes);
  if (function.starts_with("MPI_Test")) result_.losses.add(Loss::failed_tests);
}

// The archive has no messages of these functions.
void RankEvents::refuse(const std::string& function) {
  if (!result_.unsupported.function.empty()) return;
  if (function.starts_with("MPI_File_")) result_.unsupported = {function, "files"};
  const bool is_one_sided = std::ranges::any_of(one_sided, [&](const char* name) { return function == name; });
  if (is_one_sided || function.starts_with("MPI_Win_")) result_.unsupported = {function, "one-sided communication"};
  if (!result_.unsupported.function.empty()) supported_calls_ = result_.calls.size();
}

// A send and a receive of one call are at the same time.
void RankEvents::join_exchange() {
  if (result_.calls.size() != first_of_call_ + 2) return;
  Action& one = result_.calls[first_of_call_].action;
  const Action& other = result_.calls[first_of_call_ + 1].action;
  const auto* send = std::get_if<SendAction>(&one.what);
  const auto* receive = std::get_if<ReceiveAction>(&other.what);
  if (send == nullptr || receive == nullptr || !send->blocking || !receive->blocking) return;
  ExchangeAction exchange{*send, *receive};
  exchange.send.blocking = exchange.receive.blocking = false;
  one.what = exchange;
  result_.calls.pop_back();
}

void RankEvents::count(double instructions) {
  if (!(instructions >= 0 && instructions <= most_counted))
    return fail(fmt::format("the counter of instructions is {}; accepted: 0 to 9e15", instructions));
  counted_ = static_cast<std::uint64_t>(instructions);
}

std::uint32_t RankEvents::world_rank(OTF2_CommRef communicator, std::uint32_t member) {
  const auto found = definitions_.communicators.find(communicator);
  if (found != definitions_.communicators.end() && member < found->second.size()) return found->second[member];
  fail(fmt::format("communicator {} has no member {}", communicator, member));
  return 0;
}

void RankEvents::start(std::uint64_t request, const RequestName& name) {
  names_[request] = name;
  open_[request] = result_.calls.size() - 1;
}

// The name of the next request of a message.
RequestName RankEvents::next_name() { return {static_cast<std::int32_t>(rank_), ++names_made_, 0}; }

bool RankEvents::check(const MessageRecord& record) {
  if (record.tag > largest_tag) fail(fmt::format("the tag of a message is {}; accepted: 0 to 2147483647", record.tag));
  if (record.bytes > most_bytes) fail(fmt::format("a message has {} bytes; accepted: 0 to 9e15", record.bytes));
  return !problem_;
}

void RankEvents::send(const MessageRecord& record, std::optional<std::uint64_t> request) {
  if (!check(record)) return;
  SendAction send;
  send.destination = world_rank(record.communicator, record.peer);
  send.tag = static_cast<Tag>(record.tag);
  send.bytes = record.bytes;
  send.blocking = !request;
  if (request) send.name = next_name();
  if (!calls_.empty()) send.mode = mode_of(definitions_.regions.at(calls_.front()).name);
  add(send, record.communicator, true);
  if (request) start(*request, send.name);
}

void RankEvents::start_receive(std::uint64_t request) {
  ReceiveAction receive;
  receive.blocking = false;
  receive.name = next_name();
  add(receive, 0, false);
  start(request, receive.name);
}

void RankEvents::receive(const MessageRecord& record, std::optional<std::uint64_t> request) {
  if (!check(record)) return;
  ReceiveAction receive;
  receive.source = world_rank(record.communicator, record.peer);
  receive.tag = static_cast<Tag>(record.tag);
  receive.bytes = record.bytes;
  receive.blocking = !request;
  if (request) receive.name = names_[*request];
  add_or_complete(receive, record.communicator, request);
}

// The record of an operation with a request comes when it is complete, and belongs to the action that started it.
void RankEvents::add_or_complete(AnyAction action, OTF2_CommRef communicator, std::optional<std::uint64_t> request) {
  if (!request) {
    add(std::move(action), communicator, true);
    return;
  }
  const auto started = open_.find(*request);
  if (started == open_.end()) return fail(fmt::format("request {} completes, but it was not started", *request));
  Action& start = result_.calls[started->second].action;
  start.what = std::move(action);
  set_place(start, communicator);
  complete(*request);
}

void RankEvents::complete(std::uint64_t request) {
  const auto started = open_.find(request);
  if (started == open_.end()) return fail(fmt::format("request {} completes, but it was not started", request));
  note_order(started->second);
  open_.erase(started);
  WaitAction wait;
  wait.name = names_[request];
  names_.erase(request);
  add(wait, 0, false);
}

// Collectives have no names of their own: a wait means the one that was started first.
void RankEvents::note_order(std::size_t completed) {
  const auto is_collective = [&](std::size_t index) {
    const AnyAction& what = result_.calls[index].action.what;
    return !std::holds_alternative<SendAction>(what) && !std::holds_alternative<ReceiveAction>(what);
  };
  if (!is_collective(completed)) return;
  const bool has_earlier = std::ranges::any_of(open_, [&](const auto& open) {
    return open.second < completed && is_collective(open.second);
  });
  if (has_earlier) result_.losses.add(Loss::ambiguous_waits);
}

// A receive without a message does nothing.
void RankEvents::cancel(std::uint64_t request) {
  const auto started = open_.find(request);
  if (started == open_.end()) return;
  result_.losses.add(Loss::cancelled_receives);
  result_.calls[started->second].action.what = ComputeAction{0};
  open_.erase(started);
  names_.erase(request);
}

// Its record comes when it is complete.
void RankEvents::start_collective(std::uint64_t request) {
  add(ComputeAction{0}, 0, false);
  start(request, collective_name);
}

std::vector<std::uint64_t>& RankEvents::parts(std::uint64_t total, std::size_t members) {
  std::vector<std::uint64_t>& parts = result_.segments.emplace_back(members, total / members);
  parts.front() += total % members;
  return parts;
}

void RankEvents::collective(CollectiveKind kind, OTF2_CommRef communicator, std::uint32_t root, std::uint64_t sent,
                            std::uint64_t received, std::optional<std::uint64_t> request) {
  if (kind == CollectiveKind::by_flow) {  // it moves no data
    if (request && open_.erase(*request) > 0) names_.erase(*request);
    return;
  }
  const auto place = places_.find(communicator);
  const auto group = definitions_.communicators.find(communicator);
  if (place == places_.end() || group == definitions_.communicators.end())
    return fail(fmt::format("communicator {} of a collective is not defined", communicator));
  const std::size_t members = group->second.size();
  if (sent > most_bytes || received > most_bytes)
    return fail(fmt::format("a collective has {} and {} bytes; accepted: 0 to 9e15", sent, received));
  CollectiveAction at;
  at.name = action_name(kind, !request);
  at.kind = kind;
  at.blocking = !request;
  at.root = root == OTF2_UNDEFINED_UINT32 ? 0 : root;
  const bool is_root = place->second.member == at.root;
  at.bytes = sent;
  switch (kind) {
    case CollectiveKind::broadcast:
      at.flow = Flow::root_to_all;
      at.named_bytes = received > 0 ? received : sent / members;
      at.bytes = is_root ? at.named_bytes : 0;
      break;
    case CollectiveKind::scatter:
    case CollectiveKind::scatterv:
      at.flow = Flow::root_to_all;
      at.bytes = is_root ? sent : 0;
      at.received_bytes = received;
      if (is_root) at.segments = parts(sent, members);
      break;
    case CollectiveKind::gatherv:
      at.flow = Flow::all_to_root;
      if (is_root) at.blocks = parts(received, members);
      break;
    case CollectiveKind::reduce:
    case CollectiveKind::gather: at.flow = Flow::all_to_root; break;
    case CollectiveKind::scan:
    case CollectiveKind::exscan: at.flow = Flow::prefix; break;
    case CollectiveKind::allgather:
    case CollectiveKind::allgatherv:
      at.bytes = sent / members;
      at.total_bytes = received;
      if (kind == CollectiveKind::allgatherv) at.blocks = parts(received, members);
      break;
    case CollectiveKind::alltoallv:
      at.segments = parts(sent, members);
      at.blocks = parts(received, members);
      break;
    case CollectiveKind::barrier: at.bytes = 0; break;
    case CollectiveKind::alltoall:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::reduce_scatter_block: at.segments = parts(sent, members); break;
    default: break;
  }
  const bool has_parts = kind == CollectiveKind::allgatherv || kind == CollectiveKind::alltoallv ||
                         kind == CollectiveKind::reduce_scatter ||
                         ((kind == CollectiveKind::scatterv || kind == CollectiveKind::gatherv) && is_root);
  if (has_parts && sent + received > 0) result_.losses.add(Loss::equal_parts);
  if (root >= members && (at.flow == Flow::root_to_all || at.flow == Flow::all_to_root))
    return fail(fmt::format("the root of {} is member {} of {}", mpi_name(kind, !request), root, members));
  at.combining = kind == CollectiveKind::reduce || kind == CollectiveKind::allreduce || kind == CollectiveKind::scan ||
                 kind == CollectiveKind::exscan || kind == CollectiveKind::reduce_scatter ||
                 kind == CollectiveKind::reduce_scatter_block;
  add_or_complete(at, communicator, request);
}

Result<RankActions> RankEvents::finish() {
  if (has_begun_ && calls_.empty()) compute(end_);
  for (const auto& [request, index] : open_) {
    const AnyAction& what = result_.calls[index].action.what;
    const auto* receive = std::get_if<ReceiveAction>(&what);
    if (receive != nullptr && !receive->source)
      fail(
          fmt::format("the receive of request {} never completes in the archive, so its source is not known", request));
    if (std::holds_alternative<ComputeAction>(what))
      fail(fmt::format("the collective of request {} never completes in the archive, so its kind is not known",
                       request));
  }
  if (problem_) return Error{*problem_};
  if (!result_.unsupported.function.empty())
    result_.calls.erase(result_.calls.begin() + static_cast<std::ptrdiff_t>(supported_calls_), result_.calls.end());
  return std::move(result_);
}

}  // namespace rehearse::trace::otf2
