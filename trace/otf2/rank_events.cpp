// SPDX-License-Identifier: MIT
//
// See rank_events.hpp. Every request has a name of its own, so waits mean exactly one.
#if __has_include(<otf2/otf2.h>)
#include "trace/otf2/rank_events.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "simcore/support/format.hpp"
#include "trace/otf2/operations.hpp"

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

const char* name_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::barrier: return "barrier";
    case CollectiveKind::broadcast: return "bcast";
    case CollectiveKind::reduce: return "reduce";
    case CollectiveKind::allreduce: return "allreduce";
    case CollectiveKind::gather: return "gather";
    case CollectiveKind::gatherv: return "gatherv";
    case CollectiveKind::scatter: return "scatter";
    case CollectiveKind::scatterv: return "scatterv";
    case CollectiveKind::allgather: return "allgather";
    case CollectiveKind::allgatherv: return "allgatherv";
    case CollectiveKind::alltoall: return "alltoall";
    case CollectiveKind::alltoallv: return "alltoallv";
    case CollectiveKind::scan: return "scan";
    case CollectiveKind::exscan: return "exscan";
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::reduce_scatter_block: return "reducescatter";
    case CollectiveKind::by_flow: break;
  }
  return nullptr;
}

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

CallOfArchive& RankEvents::add(AnyAction action, OTF2_CommRef communicator, bool is_communication) {
  CallOfArchive& call = result_.calls.emplace_back();
  call.action.what = std::move(action);
  if (!calls_.empty()) call.function = &definitions_.regions.at(calls_.front()).name;
  if (!is_communication) return call;
  const auto found = places_.find(communicator);
  if (found == places_.end()) {
    fail(fmt::format("communicator {} of an event is not defined, or the rank is no member", communicator));
    return call;
  }
  call.action.communicator = found->second.communicator;
  call.action.member = found->second.member;
  return call;
}

void RankEvents::compute(std::uint64_t time) {
  if (!std::exchange(has_begun_, true)) last_ = time;
  if (time < last_) return fail(fmt::format("the time goes back, from tick {} to {}", last_, time));
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
    last_ = time;
    counted_before_ = counted_;
  }
  calls_.pop_back();
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

void RankEvents::metric(OTF2_MetricRef metric, std::uint8_t count, const OTF2_Type* types,
                        const OTF2_MetricValue* values) {
  if (!definitions_.instructions || definitions_.instructions->first != metric) return;
  const std::size_t index = definitions_.instructions->second;
  if (index >= count) return;
  const OTF2_MetricValue& value = values[index];
  counted_ = types[index] == OTF2_TYPE_DOUBLE ? static_cast<std::uint64_t>(value.floating_point) : value.unsigned_int;
}

std::uint32_t RankEvents::world_rank(OTF2_CommRef communicator, std::uint32_t member) {
  const auto found = definitions_.communicators.find(communicator);
  if (found != definitions_.communicators.end() && member < found->second.size()) return found->second[member];
  fail(fmt::format("communicator {} has no member {}", communicator, member));
  return 0;
}

void RankEvents::send(std::uint32_t receiver, OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes,
                      std::optional<std::uint64_t> request) {
  SendAction send;
  send.destination = world_rank(communicator, receiver);
  send.tag = static_cast<Tag>(tag);
  send.bytes = bytes;
  send.blocking = !request;
  if (request) send.name = names_[*request] = {static_cast<std::int32_t>(rank_), ++names_made_, 0};
  CallOfArchive& call = add(send, communicator, true);
  if (call.function != nullptr) std::get<SendAction>(call.action.what).mode = mode_of(*call.function);
  if (request) open_[*request] = result_.calls.size() - 1;
}

void RankEvents::start_receive(std::uint64_t request) {
  ReceiveAction receive;
  receive.blocking = false;
  receive.name = names_[request] = {static_cast<std::int32_t>(rank_), ++names_made_, 1};
  add(receive, 0, false);
  open_[request] = result_.calls.size() - 1;
}

void RankEvents::receive(std::uint32_t sender, OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes,
                         std::optional<std::uint64_t> request) {
  ReceiveAction receive;
  receive.source = world_rank(communicator, sender);
  receive.tag = static_cast<Tag>(tag);
  receive.bytes = bytes;
  if (!request) {
    add(receive, communicator, true);
    return;
  }
  const auto started = open_.find(*request);
  if (started == open_.end()) return fail(fmt::format("request {} completes, but it was not started", *request));
  const auto place = places_.find(communicator);
  if (place == places_.end()) return fail(fmt::format("communicator {} is not defined", communicator));
  Action& action = result_.calls[started->second].action;
  receive.blocking = false;
  receive.name = names_[*request];
  action.what = receive;
  action.communicator = place->second.communicator;
  action.member = place->second.member;
  complete(*request);
}

void RankEvents::complete(std::uint64_t request) {
  if (open_.erase(request) == 0) return fail(fmt::format("request {} completes, but it was not started", request));
  WaitAction wait;
  wait.name = names_[request];
  names_.erase(request);
  add(wait, 0, false);
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
  names_[request] = collective_name;
  add(ComputeAction{0}, 0, false);
  open_[request] = result_.calls.size() - 1;
}

std::vector<std::uint64_t>& RankEvents::parts(std::uint64_t total, std::size_t members) {
  std::vector<std::uint64_t>& parts = result_.segments.emplace_back(members, total / members);
  parts.front() += total % members;
  return parts;
}

void RankEvents::collective(OTF2_CollectiveOp operation, OTF2_CommRef communicator, std::uint32_t root,
                            std::uint64_t sent, std::uint64_t received, std::optional<std::uint64_t> request) {
  const CollectiveKind kind = kind_of(operation);
  if (name_of(kind) == nullptr) return;  // it moves no data
  const auto place = places_.find(communicator);
  const auto group = definitions_.communicators.find(communicator);
  if (place == places_.end() || group == definitions_.communicators.end())
    return fail(fmt::format("communicator {} of a collective is not defined", communicator));
  const std::size_t members = group->second.size();
  CollectiveAction at;
  at.name = name_of(kind);
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
      if (is_root) at.segments = parts(sent, members);
      break;
    case CollectiveKind::reduce:
    case CollectiveKind::gather:
    case CollectiveKind::gatherv: at.flow = Flow::all_to_root; break;
    case CollectiveKind::scan:
    case CollectiveKind::exscan: at.flow = Flow::prefix; break;
    case CollectiveKind::allgather:
    case CollectiveKind::allgatherv:
      at.bytes = sent / members;
      at.total_bytes = received;
      if (kind == CollectiveKind::allgatherv) at.blocks = parts(received, members);
      break;
    case CollectiveKind::alltoall:
    case CollectiveKind::alltoallv:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::reduce_scatter_block: at.segments = parts(sent, members); break;
    default: break;
  }
  const bool has_parts = kind == CollectiveKind::allgatherv || kind == CollectiveKind::alltoallv ||
                         kind == CollectiveKind::reduce_scatter || (kind == CollectiveKind::scatterv && is_root);
  if (has_parts && sent + received > 0) result_.losses.add(Loss::equal_parts);
  at.combining = kind == CollectiveKind::reduce || kind == CollectiveKind::allreduce || kind == CollectiveKind::scan ||
                 kind == CollectiveKind::exscan || kind == CollectiveKind::reduce_scatter ||
                 kind == CollectiveKind::reduce_scatter_block;
  if (!request) {
    add(at, communicator, true);
    return;
  }
  const auto started = open_.find(*request);
  if (started == open_.end()) return fail(fmt::format("request {} completes, but it was not started", *request));
  Action& action = result_.calls[started->second].action;
  action.what = at;
  action.communicator = place->second.communicator;
  action.member = place->second.member;
  complete(*request);
}

Result<RankActions> RankEvents::finish() {
  if (has_begun_ && calls_.empty()) compute(end_);
  for (const auto& [request, index] : open_) {
    const auto* receive = std::get_if<ReceiveAction>(&result_.calls[index].action.what);
    if (receive != nullptr && !receive->source)
      fail(
          fmt::format("the receive of request {} never completes in the archive, so its source is not known", request));
  }
  if (problem_) return Error{*problem_};
  if (!result_.unsupported.function.empty())
    result_.calls.erase(result_.calls.begin() + static_cast<std::ptrdiff_t>(supported_calls_), result_.calls.end());
  return std::move(result_);
}

}  // namespace rehearse::trace::otf2
#endif
