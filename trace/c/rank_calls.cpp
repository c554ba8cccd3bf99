// SPDX-License-Identifier: MIT
//
// A function for each kind of action.
#include "trace/c/rank_calls.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <utility>
#include <variant>

#include "simcore/support/format.hpp"
#include "trace/collective_names.hpp"

namespace rehearse::trace::c {
namespace {

constexpr std::uint64_t buffered_message_bytes = 512;  // at least MPI_BSEND_OVERHEAD of known libraries
constexpr std::uint64_t largest_count = std::numeric_limits<std::int32_t>::max();

// The shortest text from which the same number is read.
std::string text_of(double value) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

const char* name_of(SendMode mode) {
  switch (mode) {
    case SendMode::synchronous: return "ssend";
    case SendMode::buffered: return "bsend";
    case SendMode::ready: return "rsend";
    case SendMode::standard: break;
  }
  return "send";
}

// MPI_Send, MPI_Isend.
std::string call_of(std::string name, bool blocking) {
  if (!blocking) return "MPI_I" + name;
  name.front() = static_cast<char>(name.front() - 'a' + 'A');
  return "MPI_" + name;
}

// An element with as many bytes: the number of elements chooses the algorithm.
std::pair<std::uint64_t, const char*> element_of(const CollectiveAction& collective) {
  const std::uint64_t bytes = collective.elements == 0 ? 1 : collective.bytes / collective.elements;
  switch (collective.bytes % std::max<std::uint64_t>(collective.elements, 1) == 0 ? bytes : 1) {
    case 2: return {2, "MPI_INT16_T"};
    case 4: return {4, "MPI_INT32_T"};
    case 8: return {8, "MPI_INT64_T"};
    default: return {1, "MPI_BYTE"};
  }
}

std::uint64_t sum(const std::vector<std::uint64_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
}

}  // namespace

RankCalls::RankCalls(const Trace& trace, const CollectiveCounts& counts, std::uint32_t rank, ProgramFacts& facts,
                     Statements& statements)
    : trace_(trace), counts_(counts), rank_(rank), facts_(facts), folded_(statements), reader_(trace.read(rank)) {}

Result<void> RankCalls::read() {
  while (unsupported_.empty() && reader_->next(action_)) {
    std::visit([this](const auto& what) { add(what); }, action_.what);
    if (problem_) return *problem_;
  }
  if (reader_->problem()) return *reader_->problem();
  if (reader_->unsupported()) unsupported_ = *reader_->unsupported();
  Losses losses = reader_->losses();
  losses.drop(Loss::reduction_volumes);  // the program combines data
  facts_.losses.add(losses);
  facts_.losses.add(Loss::late_waits, open_.size() - std::min<std::uint64_t>(chosen_, open_.size()));
  add(WaitAllAction{});
  facts_.buffered_bytes = std::max(facts_.buffered_bytes, buffered_bytes_);
  return {};
}

void RankCalls::refuse(const std::string& why) {
  unsupported_ = fmt::format("{} in a trace for a program ({}: {})", reader_->text(), reader_->place(), why);
}

void RankCalls::add_computation(double flops) {
  if (!(flops > 0)) return;
  facts_.computes = true;
  folded_.add("compute(" + text_of(flops) + ");");
}

void RankCalls::add(const SleepAction& sleep) {
  facts_.pauses = true;
  folded_.add("rest(" + text_of(sleep.seconds) + ");");
}

std::string RankCalls::communicator() {
  if (action_.communicator == 0) return "MPI_COMM_WORLD";
  facts_.communicators[action_.communicator] = true;
  return fmt::format("communicator[{}]", action_.communicator);
}

std::string RankCalls::rank_in_communicator(std::uint32_t world_rank) {
  if (action_.communicator == 0) return std::to_string(world_rank);
  auto& numbers = members_[action_.communicator];
  if (numbers.empty()) {
    const auto members = trace_.communicators().members(action_.communicator);
    for (std::uint32_t i = 0; i < members.size(); ++i) numbers.emplace(members[i].value, i);
  }
  const auto found = numbers.find(world_rank);
  if (found != numbers.end()) return std::to_string(found->second);
  refuse(fmt::format("rank {} is no member of the communicator", world_rank));
  return "MPI_PROC_NULL";
}

std::string RankCalls::count(std::uint64_t bytes) {
  if (bytes > largest_count) refuse(fmt::format("{} bytes, more than a count in C can express", bytes));
  return std::to_string(bytes);
}

std::string RankCalls::sent(std::uint64_t bytes) {
  facts_.sent_bytes = std::max(facts_.sent_bytes, bytes);
  return "sent";
}

std::uint32_t RankCalls::open(const RequestName& name, double flops) {
  const auto free = std::ranges::find(is_used_, false);
  const auto slot = static_cast<std::uint32_t>(free - is_used_.begin());
  if (free == is_used_.end()) is_used_.push_back(true);
  else *free = true;
  facts_.slots = std::max(facts_.slots, slot + 1);
  open_.push_back({name, slot, flops});
  return slot;
}

void RankCalls::add(const SendAction& send) {
  if (send.tag < 0) return refuse("a tag of a message is not negative");
  std::string text = fmt::format("{}({}, {}, MPI_BYTE, {}, {}, {}", call_of(name_of(send.mode), send.blocking),
                                 sent(send.bytes), count(send.bytes), rank_in_communicator(send.destination), send.tag,
                                 communicator());
  if (!send.blocking) text += fmt::format(", &request[{}]", open(send.name, 0));
  if (send.mode == SendMode::buffered) buffered_bytes_ += send.bytes + buffered_message_bytes;
  folded_.add(text + ");");
}

void RankCalls::add(const ReceiveAction& receive) {
  const std::string slot = receive.blocking ? "LAST" : std::to_string(open(receive.name, 0));
  const std::string size = receive.bytes ? count(*receive.bytes) : "LARGEST";
  folded_.add(fmt::format("{}(place({}, {}), {}, MPI_BYTE, {}, {}, {}, {});", call_of("recv", receive.blocking), slot,
                          size, size, receive.source ? rank_in_communicator(*receive.source) : "MPI_ANY_SOURCE",
                          receive.tag ? std::to_string(*receive.tag) : "MPI_ANY_TAG", communicator(),
                          receive.blocking ? "MPI_STATUS_IGNORE" : "&request[" + slot + "]"));
}

void RankCalls::add(const ExchangeAction& exchange) {
  const auto& [send, receive] = exchange;
  const std::string size = receive.bytes ? count(*receive.bytes) : "LARGEST";
  folded_.add(fmt::format("MPI_Sendrecv({}, {}, MPI_BYTE, {}, {}, place(LAST, {}), {}, MPI_BYTE, {}, {}, {}, "
                          "MPI_STATUS_IGNORE);",
                          sent(send.bytes), count(send.bytes), rank_in_communicator(send.destination), send.tag, size,
                          size, receive.source ? rank_in_communicator(*receive.source) : "MPI_ANY_SOURCE",
                          receive.tag ? std::to_string(*receive.tag) : "MPI_ANY_TAG", communicator()));
}

void RankCalls::add(const WaitAction& wait) {
  facts_.losses.add(Loss::answered_tests, wait.is_test);
  const auto found =
      std::ranges::find_if(open_, [&](const OpenRequest& open) { return is_meant(open.name, wait.name); });
  if (found == open_.end()) {
    problem_ = Error{fmt::format("{}: rank {}: {}: no such request is open", reader_->place(), rank_, reader_->text())};
    return;
  }
  folded_.add(fmt::format("MPI_Wait(&request[{}], MPI_STATUS_IGNORE);", found->slot));
  is_used_[found->slot] = false;
  const double flops = found->flops;
  open_.erase(found);
  add_computation(flops);
}

// Requests that are complete are null, and MPI ignores them.
void RankCalls::add(const WaitAllAction&) {
  if (open_.empty()) return;
  std::uint32_t slots = 0;
  double flops = 0;
  for (const OpenRequest& open : open_) {
    slots = std::max(slots, open.slot + 1);
    flops += open.flops;
  }
  folded_.add(fmt::format("MPI_Waitall({}, request, MPI_STATUSES_IGNORE);", slots));
  is_used_.clear();
  open_.clear();
  chosen_ = 0;
  add_computation(flops);
}

// MPI knows which one is complete. Its slot stays in the list, where MPI ignores it later.
void RankCalls::add(const WaitAnyAction&) {
  if (open_.empty()) return;
  ++chosen_;
  for (const OpenRequest& open : open_)
    if (open.flops > 0) return refuse("the collective that completes, and so its volume, is not known");
  folded_.add(fmt::format("{{ int which; MPI_Waitany({}, request, &which, MPI_STATUS_IGNORE); }}", is_used_.size()));
}

std::string RankCalls::arrays(const char* counts, const char* displacements, const std::vector<std::uint64_t>& sizes) {
  std::string values, places;
  std::uint64_t place = 0;
  for (const std::uint64_t size : sizes) {
    values += (values.empty() ? "" : ", ") + count(size);
    places += (places.empty() ? "" : ", ") + count(place);
    place += size;
  }
  std::string text = fmt::format("static const int {}[] = {{{}}}; ", counts, values);
  if (displacements != nullptr) text += fmt::format("static const int {}[] = {{{}}}; ", displacements, places);
  return text;
}

// The arguments between the name and the communicator. `lists` gets the declarations that they need.
std::string RankCalls::arguments_of(const CollectiveAction& at, std::string& lists, const std::string& slot) {
  const std::uint64_t number = numbers_[action_.communicator]++;
  if (at.combining) return reduction(at, lists, slot);
  switch (at.kind) {
    case CollectiveKind::barrier: return {};
    case CollectiveKind::broadcast: {
      CollectiveAction named = at;
      named.bytes = std::max(at.named_bytes, at.bytes);
      const auto [size, type] = element_of(named);
      return fmt::format("{}, {}, {}, {}", place(slot, named.bytes), count(named.bytes / size), type, at.root);
    }
    case CollectiveKind::gatherv:
    case CollectiveKind::scatterv:
    case CollectiveKind::allgatherv:
    case CollectiveKind::alltoallv: return with_lists(at, number, lists, slot);
    default: return with_equal_parts(at, number, slot);
  }
}

std::string RankCalls::reduction(const CollectiveAction& at, std::string& lists, const std::string& slot) {
  facts_.losses.add(Loss::operations_of_reductions);
  const auto [size, type] = element_of(at);
  std::string counts = count(at.bytes / size), root;
  if (at.kind == CollectiveKind::reduce) root = fmt::format(", {}", at.root);
  if (at.kind == CollectiveKind::reduce_scatter || at.kind == CollectiveKind::reduce_scatter_block) {
    std::vector<std::uint64_t> elements;
    for (const std::uint64_t segment : at.segments) elements.push_back(segment / size);
    const bool has_list = at.kind == CollectiveKind::reduce_scatter;
    if (has_list) lists = arrays("counts", nullptr, elements);
    counts = has_list ? "counts" : count(elements.empty() ? 0 : elements.front());
  }
  return fmt::format("{}, {}, {}, {}, MPI_BOR{}", sent(at.bytes), place(slot, at.bytes), counts, type, root);
}

std::string RankCalls::with_equal_parts(const CollectiveAction& at, std::uint64_t number, const std::string& slot) {
  const std::size_t members = trace_.communicators().members(action_.communicator).size();
  const bool is_root = action_.member == at.root;
  std::uint64_t each = at.bytes, received = each * members;
  std::string root;
  if (at.kind == CollectiveKind::alltoall) each = at.segments.empty() ? 0 : at.segments.front(), received = at.bytes;
  if (at.kind == CollectiveKind::scatter) received = each = sum(counts_.received(action_, number, members));
  if (at.kind == CollectiveKind::gather && !is_root) received = 0;
  if (at.kind == CollectiveKind::gather || at.kind == CollectiveKind::scatter) root = fmt::format(", {}", at.root);
  return fmt::format("{}, {}, MPI_BYTE, {}, {}, MPI_BYTE{}", sent(std::max(at.bytes, each)), count(each),
                     place(slot, received), count(each), root);
}

std::string RankCalls::with_lists(const CollectiveAction& at, std::uint64_t number, std::string& lists,
                                  const std::string& slot) {
  const std::size_t members = trace_.communicators().members(action_.communicator).size();
  const std::vector<std::uint64_t> segments(at.segments.begin(), at.segments.end());
  const std::vector<std::uint64_t> from = counts_.received(action_, number, members);
  const bool is_root = action_.member == at.root;
  if (at.kind == CollectiveKind::alltoallv) {
    lists = arrays("counts", "places", segments) + arrays("received", "received_places", from);
    return fmt::format("{}, counts, places, MPI_BYTE, {}, received, received_places, MPI_BYTE", sent(at.bytes),
                       place(slot, sum(from)));
  }
  if (at.kind == CollectiveKind::scatterv) {
    lists = arrays("counts", "places", is_root ? segments : std::vector<std::uint64_t>(members, 0));
    return fmt::format("{}, counts, places, MPI_BYTE, {}, {}, MPI_BYTE, {}", sent(at.bytes), place(slot, sum(from)),
                       count(sum(from)), at.root);
  }
  const bool is_gather = at.kind == CollectiveKind::gatherv;
  const std::vector<std::uint64_t> blocks = is_gather ? from
                                                      : std::vector<std::uint64_t>(at.blocks.begin(), at.blocks.end());
  lists = arrays("counts", "places", blocks);
  return fmt::format("{}, {}, MPI_BYTE, {}, counts, places, MPI_BYTE{}", sent(at.bytes), count(at.bytes),
                     place(slot, is_gather && !is_root ? 0 : sum(blocks)),
                     is_gather ? fmt::format(", {}", at.root) : "");
}

std::string RankCalls::place(const std::string& slot, std::uint64_t bytes) {
  return fmt::format("place({}, {})", slot, bytes);
}

void RankCalls::add(const CollectiveAction& collective) {
  const std::string function = mpi_name(collective.kind, collective.blocking);
  if (function.empty()) return refuse("it has no form in MPI");
  const std::string slot = collective.blocking ? "LAST" : std::to_string(open(collective_name, collective.flops));
  std::string lists;
  std::string arguments = arguments_of(collective, lists, slot);
  arguments += (arguments.empty() ? "" : ", ") + communicator();
  if (!collective.blocking) arguments += fmt::format(", &request[{}]", slot);
  std::string text = fmt::format("{}({});", function, arguments);
  if (!lists.empty()) text = fmt::format("{{ {}{} }}", lists, text);
  folded_.add(text);
  if (collective.blocking) add_computation(collective.flops);
}

}  // namespace rehearse::trace::c
