// SPDX-License-Identifier: MIT
//
// See rank_gatherer.hpp. Collectives get the properties that Rehearse's own library gives them (smpi/collective/).
#include "trace/pmpi/rank_gatherer.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

namespace rehearse::trace::pmpi {

namespace {

constexpr ContextId finalize_context{6};
constexpr const char* malformed = "a malformed record";
constexpr const char* no_communicator = "unknown communicator";
constexpr const char* no_peer = "a peer that is no member of the communicator";

struct CollectiveProperties {
  CollectiveKind kind;
  Flow flow;
  bool is_combining;
};

CollectiveProperties properties_of(std::uint64_t what) {
  using enum CollectiveKind;
  constexpr std::array<CollectiveProperties, rehearse_collectives> properties = {{
      {by_flow, Flow::all_to_all, false},
      {barrier, Flow::all_to_all, false},
      {broadcast, Flow::root_to_all, false},
      {reduce, Flow::all_to_root, true},
      {allreduce, Flow::all_to_all, true},
      {gather, Flow::all_to_root, false},
      {gatherv, Flow::all_to_root, false},
      {scatter, Flow::root_to_all, false},
      {scatterv, Flow::root_to_all, false},
      {allgather, Flow::all_to_all, false},
      {allgatherv, Flow::all_to_all, false},
      {alltoall, Flow::all_to_all, false},
      {alltoallv, Flow::all_to_all, false},
      {scan, Flow::prefix, true},
      {exscan, Flow::prefix, true},
      {reduce_scatter, Flow::all_to_all, true},
      {reduce_scatter_block, Flow::all_to_all, true},
  }};
  return properties[static_cast<std::size_t>(what)];
}

std::span<const std::byte> unknown_data(std::uint64_t bytes) {
  return {static_cast<const std::byte*>(nullptr), static_cast<std::size_t>(bytes)};
}

double flops_per_tenth(const StreamFile& file, const VolumeRates& rates) {
  if (file.head().counter == rehearse_counter_instructions) return rates.flops_per_instruction / 10;
  return rates.flops_per_second * 1e-9 / 10;
}

}  // namespace

RankGatherer::RankGatherer(const StreamFile& file, const VolumeRates& rates, SiteTable& sites, rtrace::Writer& writer)
    : file_(file),
      flops_per_tenth_(flops_per_tenth(file, rates)),
      sites_(sites),
      writer_(writer),
      in_(file.records()),
      communicators_(file.rank(), file.head().ranks) {}

Result<void> RankGatherer::gather() {
  if (file_.head().other_threads != 0) ++refused_["a call of MPI in another thread than that of MPI_Init"];
  while (!in_.is_at_end()) {
    const auto kind = static_cast<char>(in_.get_fixed(1));
    const char* problem = read_record(kind);
    if (problem == nullptr && !in_.is_good()) problem = malformed;
    if (problem != nullptr) return Error{file_.path() + ": the stream is damaged: " + problem};
  }
  if (file_.head().has_status != 0) append_answered(End{file_.head().status});
  return {};
}

const char* RankGatherer::read_record(char kind) {
  switch (kind) {
    case 'A':
      for (std::size_t texts = 2 * in_.get_count(); texts > 0 && in_.is_good(); --texts) in_.get_text();
      return nullptr;
    case 'S': return read_site();
    case 'C': return communicators_.add(in_);
    case 'V': return read_volume();
    case 's': return read_send();
    case 'r': return read_receive();
    case 'o': return read_observe();
    case 'p': return read_probe();
    case 'c': return read_collective();
    case 't': return read_took();
    case 'f': return read_release();
    case 'z': return read_finalize();
    case 'x': return read_abort();
    case 'n': return read_refused();
    default: return "a record of an unknown kind";
  }
}

const char* RankGatherer::read_site() {
  CallSite site;
  site.call = in_.get_text();
  site.module = in_.get_text();
  site.offset = in_.get();
  if (!in_.is_good()) return malformed;
  if (site.call.ends_with("_c")) site.call.resize(site.call.size() - 2);
  site_numbers_.push_back(sites_.number_of(site));
  calls_.push_back(sites_.kept(site.call));
  return nullptr;
}

bool RankGatherer::read_operation_site() {
  site_index_ = in_.get();
  if (site_index_ >= site_numbers_.size()) return false;
  site_ = site_numbers_[site_index_];
  return true;
}

char RankGatherer::next_kind() const {
  rtrace::ByteReader ahead = in_;
  return ahead.is_at_end() ? '\0' : static_cast<char>(ahead.get_fixed(1));
}

bool RankGatherer::is_unanswered() const { return in_.is_at_end() && file_.head().in_call != 0; }

void RankGatherer::append(const Operation& operation, const Observation* answer) {
  writer_.append({file_.rank()}, operation, is_unanswered() ? nullptr : answer, {}, site_);
}

void RankGatherer::append_answered(const Operation& operation) {
  static constexpr Observation nothing;
  append(operation, &nothing);
}

const char* RankGatherer::read_volume() {
  const double flops = std::floor(static_cast<double>(in_.get()) * flops_per_tenth_ + 0.5);
  // The site is that of the next operation; the application code has none of its own.
  site_ = 0;
  static constexpr Observation nothing;
  if (flops > 0) writer_.append({file_.rank()}, Compute{flops, VolumeOrigin::stretch}, &nothing, {}, site_);
  return nullptr;
}

bool RankGatherer::is_actor(const KnownCommunicator& communicator, std::uint64_t rank) const {
  return rank < communicator.members.size();
}

const char* RankGatherer::read_send() {
  if (!read_operation_site()) return malformed;
  const std::uint64_t flags = in_.get();
  const KnownCommunicator* communicator = communicators_.find(in_.get());
  if (communicator == nullptr) return no_communicator;
  const std::uint64_t peer = in_.get();
  if (!is_actor(*communicator, peer)) return no_peer;
  Send send;
  send.request = {next_request_++};
  send.context = communicator->of_messages();
  send.destination = communicator->members[peer];
  send.tag = static_cast<Tag>(in_.get_signed());
  send.mode = static_cast<SendMode>(flags & rehearse_mode_mask);
  send.blocking = (flags & rehearse_flag_blocking) != 0;
  send.data = unknown_data(in_.get());
  append_answered(send);
  return nullptr;
}

bool RankGatherer::read_pattern(std::uint64_t flags, Pattern& pattern) {
  const std::uint64_t number = in_.get();
  const KnownCommunicator* communicator = communicators_.find(number);
  const std::uint64_t peer = in_.get();
  const auto tag = static_cast<Tag>(in_.get_signed());
  if (communicator == nullptr || !is_actor(*communicator, peer)) return false;
  pattern.context = communicator->of_messages();
  if ((flags & rehearse_flag_any_source) == 0) pattern.source = communicator->members[peer];
  if ((flags & rehearse_flag_any_tag) == 0) pattern.tag = tag;
  if (!pattern.source || !pattern.tag) communicator_of_receive_[next_request_] = number;
  return true;
}

const char* RankGatherer::read_receive() {
  if (!read_operation_site()) return malformed;
  const std::uint64_t flags = in_.get();
  Post post;
  if (!read_pattern(flags, post.pattern)) return no_communicator;
  post.request = {next_request_++};
  post.capacity_bytes = in_.get();
  post.blocking = (flags & rehearse_flag_blocking) != 0;
  if ((flags & rehearse_flag_takes) != 0) post.taken = static_cast<std::uint32_t>(in_.get());
  append_answered(post);
  return nullptr;
}

bool RankGatherer::read_request(RequestId& request) {
  const std::uint64_t back = in_.get();
  if (back == 0 || back > next_request_) return false;
  request = {static_cast<std::uint32_t>(next_request_ - back)};
  return true;
}

const char* RankGatherer::read_answer(std::size_t requests, std::vector<Completion>& completions) {
  in_.get_fixed(1);
  for (std::size_t count = in_.get_count(); count > 0; --count) {
    const std::uint64_t index = in_.get();
    if (index >= requests) return malformed;
    completions.emplace_back().index = static_cast<std::uint32_t>(index);
  }
  return nullptr;
}

const char* RankGatherer::read_observe() {
  if (!read_operation_site()) return malformed;
  const std::uint64_t flags = in_.get();
  std::vector<RequestId> requests(in_.get_count());
  for (RequestId& request : requests)
    if (!read_request(request)) return "an unknown request";
  if (requests.empty() || (flags & rehearse_mode_mask) > static_cast<std::uint64_t>(Quantifier::some)) return malformed;
  Observe observe;
  observe.requests = requests;
  observe.quantifier = static_cast<Quantifier>(flags & rehearse_mode_mask);
  observe.blocking = (flags & rehearse_flag_blocking) != 0;
  observe.withdraws = (flags & rehearse_flag_withdraws) != 0;
  std::vector<Completion> completions;
  if (next_kind() == 'a')
    if (const char* problem = read_answer(requests.size(), completions)) return problem;
  Observation answer;
  answer.flag = (flags & rehearse_flag_yes) != 0;
  answer.completions = completions;
  append(observe, &answer);
  return nullptr;
}

const char* RankGatherer::read_probe() {
  if (!read_operation_site()) return malformed;
  const std::uint64_t flags = in_.get();
  rtrace::ByteReader ahead = in_;
  const std::uint64_t number = ahead.get();
  Probe probe;
  if (!read_pattern(flags, probe.pattern)) return no_communicator;
  communicator_of_receive_.erase(next_request_);
  probe.blocking = (flags & rehearse_flag_blocking) != 0;
  probe.takes = (flags & rehearse_flag_takes) != 0;
  Completion seen;
  Observation answer;
  if (next_kind() == 'e') {
    in_.get_fixed(1);
    const KnownCommunicator& communicator = *communicators_.find(number);
    const std::uint64_t source = in_.get();
    if (!is_actor(communicator, source)) return no_peer;
    seen.source = communicator.members[source];
    seen.tag = static_cast<Tag>(in_.get_signed());
    answer.completions = {&seen, 1};
  }
  append(probe, &answer);
  return nullptr;
}

const char* RankGatherer::read_took() {
  RequestId request;
  if (!read_request(request)) return "an unknown request";
  const auto known = communicator_of_receive_.find(request.value);
  if (known == communicator_of_receive_.end()) return "the message of a receive without a wildcard";
  const KnownCommunicator& communicator = *communicators_.find(known->second);
  const std::uint64_t source = in_.get();
  const auto tag = static_cast<Tag>(in_.get_signed());
  if (!is_actor(communicator, source)) return no_peer;
  writer_.set_took({file_.rank()}, request, communicator.members[source].value, tag);
  communicator_of_receive_.erase(known);
  return nullptr;
}

const char* RankGatherer::read_collective() {
  if (!read_operation_site()) return malformed;
  const std::uint64_t flags = in_.get(), what = in_.get();
  const KnownCommunicator* communicator = communicators_.find(in_.get());
  if (communicator == nullptr) return no_communicator;
  if (what >= rehearse_collectives) return malformed;
  const CollectiveProperties properties = properties_of(what);
  Collective collective;
  collective.request = {next_request_++};
  collective.context = communicator->of_collectives();
  collective.members = communicator->members;
  collective.name = calls_[site_index_];
  collective.flow = properties.flow;
  collective.root = static_cast<std::uint32_t>(in_.get());
  if (!is_actor(*communicator, collective.root)) return no_peer;
  collective.contribution = unknown_data(in_.get());
  collective.blocking = (flags & rehearse_flag_blocking) != 0;
  collective.combining = properties.is_combining;
  collective.hints.kind = properties.kind;
  collective.hints.is_commutative = (flags & rehearse_flag_commutative) != 0;
  collective.hints.elements = in_.get();
  collective.hints.total_bytes = in_.get();
  std::vector<std::uint64_t> segments;
  if ((flags & rehearse_flag_segments) != 0) {
    segments.resize(communicator->members.size());
    const bool is_equal = (flags & rehearse_flag_equal) != 0;
    for (std::size_t i = 0; i < segments.size(); ++i) segments[i] = is_equal && i > 0 ? segments[0] : in_.get();
  }
  collective.segment_bytes = segments;
  append_answered(collective);
  return nullptr;
}

const char* RankGatherer::read_release() {
  if (!read_operation_site()) return malformed;
  Release release;
  if (!read_request(release.request)) return "an unknown request";
  append_answered(release);
  return nullptr;
}

const char* RankGatherer::read_finalize() {
  if (!read_operation_site()) return malformed;
  Collective collective;
  collective.request = {next_request_};  // as Rehearse's library: it is not started for good
  collective.context = finalize_context;
  collective.members = communicators_.find(0)->members;
  collective.name = "MPI_Finalize";
  collective.flow = Flow::nobody;
  append_answered(collective);
  return nullptr;
}

const char* RankGatherer::read_abort() {
  if (!read_operation_site()) return malformed;
  const std::string_view what = sites_.kept("MPI_Abort with error code " + std::to_string(in_.get_signed()));
  append_answered(Fail{FailureKind::abort, "crash.mpi_abort", what});
  return nullptr;
}

const char* RankGatherer::read_refused() {
  if (!read_operation_site()) return malformed;
  const std::string what = in_.get_text();
  const std::string call(calls_[site_index_]);
  ++refused_[what.empty() ? call : call + ": " + what];
  return nullptr;
}

}  // namespace rehearse::trace::pmpi
