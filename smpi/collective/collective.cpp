// SPDX-License-Identifier: MIT
//
// See collective.hpp.
#include "smpi/collective/collective.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simcore/actor.hpp"
#include "simcore/signature_number.hpp"
#include "simcore/support/format.hpp"
#include "smpi/buffers/pending.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/datatype/amount.hpp"
#include "smpi/datatype/pack.hpp"
#include "smpi/datatype/packed_regions.hpp"
#include "smpi/error.hpp"
#include "smpi/failure/failures.hpp"
#include "smpi/folding.hpp"
#include "smpi/info/info.hpp"
#include "smpi/library.hpp"
#include "smpi/p2p/buffered.hpp"
#include "smpi/report.hpp"
#include "smpi/request/thread_use.hpp"

namespace rehearse::smpi {
namespace {

Origin origin_of(const CreationSite& site) {
  return {site.function, reinterpret_cast<std::uintptr_t>(site.return_address)};
}

Collective operation_for(const Communicator& communicator, const Completing& completing,
                         const Contribution& contribution) {
  Collective operation;
  operation.request = library().start_request();
  operation.context = communicator.collective_context();
  operation.members = communicator.all_members();
  operation.name = completing.name;
  operation.flow = contribution.flow;
  operation.root = contribution.root;
  operation.signature = contribution.signature;
  if (contribution.between_groups)
    operation.groups = {communicator.first_group_size(), contribution.gives, contribution.takes};
  operation.contribution = contribution.data;
  look_at(contribution.data);
  operation.segment_bytes = contribution.segments;
  operation.blocking = completing.blocking();
  operation.places = contribution.places;
  operation.combining = contribution.combining;
  operation.hints = contribution.hints;
  operation.remark = contribution.remark;
  operation.origin = origin_of(creation_site());
  return operation;
}

Trouble apply_end(const CollectiveEnd& end, Contributions contributions) {
  if (!end.runs_user_code) return end.apply(contributions);
  const KeptContributions kept(contributions);
  return end.apply(kept.all());
}

// Wraps the end of a plan: on an intercommunicator it gets only the contributions of the other group.
CollectiveEnd end_for_peers(const Communicator& communicator, CollectiveEnd end) {
  if (!communicator.is_inter()) return end;
  const std::size_t first = communicator.first_peer();
  const auto count = static_cast<std::size_t>(communicator.peers());
  return {[=, apply = std::move(end.apply)](Contributions from) {
            const auto peers_of = [&](auto members) {
              return members.subspan(std::min(first, members.size()), std::min(count, members.size()));
            };
            return apply({peers_of(from.all()), nullptr, peers_of(from.remarks())});
          },
          end.runs_user_code};
}

// The index of the root among all members of the collective; `root` is the caller's argument.
std::uint32_t index_of_root(const Communicator& communicator, int root) {
  if (!communicator.is_inter()) return static_cast<std::uint32_t>(root);
  if (root == MPI_PROC_NULL) return another_root;
  const std::size_t first = communicator.first_peer();
  if (root != MPI_ROOT) return static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(root);
  const std::size_t mine = first == 0 ? static_cast<std::size_t>(communicator.peers()) : 0;
  return static_cast<std::uint32_t>(mine) + static_cast<std::uint32_t>(communicator.rank());
}

// The caller's contribution in one start of a plan.
class PackedPlan {
 public:
  PackedPlan(const Communicator& communicator, const Plan& plan) {
    contribution_.flow = plan.flow;
    contribution_.root = is_rooted(plan.flow) ? index_of_root(communicator, plan.root) : 0;
    contribution_.signature = plan.signature;
    contribution_.between_groups = communicator.is_inter();
    contribution_.gives = plan.gives;
    contribution_.takes = plan.takes;
    contribution_.combining = plan.combining;
    contribution_.hints = plan.hints;
    contribution_.remark = std::as_bytes(std::span(plan.types));
    pack(communicator, plan);
    if (!plan.combining) contribution_.data = without_folded(contribution_.data);
  }
  PackedPlan(const PackedPlan&) = delete;
  PackedPlan& operator=(const PackedPlan&) = delete;

  const Contribution& contribution() const { return contribution_; }

 private:
  static bool is_rooted(Flow flow) { return flow == Flow::root_to_all || flow == Flow::all_to_root; }

  void pack(const Communicator& communicator, const Plan& plan) {
    if (plan.send.size() == 1 && !plan.segmented) {
      const Buffer& only = plan.send[0];
      single_.emplace(*only.type, only.count, only.address);
      contribution_.data = single_->bytes();
      return;
    }
    blocks_.emplace(plan.send);
    contribution_.data = blocks_->data();
    if (!plan.segmented) return;
    contribution_.segments = blocks_->segments();
    if (!communicator.is_inter()) return;
    const bool peers_first = communicator.first_peer() == 0;
    segments_ = blocks_->segments();  // the own group gets no data
    segments_.insert(peers_first ? segments_.end() : segments_.begin(), static_cast<std::size_t>(communicator.size()),
                     0);
    contribution_.segments = segments_;
  }

  std::optional<PackedData> single_;
  std::optional<PackedBlocks> blocks_;
  std::vector<std::uint64_t> segments_;
  Contribution contribution_;
};

// The call's uses of the program's memory.
std::vector<BufferUse> uses_of(Blocks send, Blocks into, bool in_place, bool combines) {
  std::vector<BufferUse> uses;
  if (!in_place && !send.empty()) uses.push_back({std::move(send), false, false, combines});
  if (!into.empty()) uses.push_back({std::move(into), true});
  return uses;
}

std::array<BufferToken, 2> begin_uses(std::vector<BufferUse> uses) {
  std::array<BufferToken, 2> tokens{};
  for (std::size_t i = 0; i < uses.size(); ++i) tokens[i] = begin_use(std::move(uses[i]));
  return tokens;
}

// Persistent collectives match in the order in which they were made, not in the order in which they start. So each has
// its own context.
int make_persistent(const CommunicatorRef& communicator, const Completing& completing, Plan plan) {
  const ContextId context{derive_context(communicator->context(), communicator->next_child(), 3)};
  Contribution nothing;
  const int error = run_collective(communicator, {completing.name}, nothing, {nothing_to_do});
  if (error != MPI_SUCCESS) return error;
  auto request = std::make_unique<Request>();
  request->kind = Request::Kind::collective;
  request->persistent = true;
  request->communicator = communicator;
  plan.end = end_for_peers(*communicator, std::move(plan.end));
  request->collective = plan.end;
  request->more().begin = [context, name = completing.name, origin = origin_of(creation_site()),
                           plan = std::move(plan)](Request& started) {
    const PackedPlan packed(*started.communicator, plan);
    const Completing now{name, Completing::Form::nonblocking};
    Collective operation = operation_for(*started.communicator, now, packed.contribution());
    operation.context = context;
    operation.origin = origin;
    started.buffers = begin_uses(uses_of(plan.send, plan.into, plan.in_place, plan.combining));
    ask(operation);
    started.id = operation.request;
    started.state = Request::State::pending;
    return MPI_SUCCESS;
  };
  give_request(completing.request, std::move(request));
  return MPI_SUCCESS;
}

// Data that a collective writes into a buffer replaces the packed data that was recorded there.
void forget_packed(const Blocks& into) {
  PackedRegions* regions = find_packed_regions();
  if (regions == nullptr) return;
  for (std::size_t i = 0; i < into.size(); ++i)
    if (const Buffer block = into[i]; block.bytes() > 0)
      regions->forget(static_cast<const std::byte*>(block.address) + block.type->true_lower_bound(),
                      block.type->extent() * block.count);
}

}  // namespace

int run_plan(const CommunicatorRef& communicator, const Completing& completing, Plan plan) {
  forget_packed(plan.into);
  if (completing.form == Completing::Form::persistent)
    return make_persistent(communicator, completing, std::move(plan));
  const PackedPlan packed(*communicator, plan);
  Contribution contribution = packed.contribution();
  std::vector<std::span<std::byte>> places;
  if (completing.blocking() && !communicator->is_inter()) places = places_of(plan.receive);
  contribution.places = places;
  std::vector<BufferUse> uses = uses_of(std::move(plan.send), std::move(plan.into), plan.in_place, plan.combining);
  CollectiveEnd end = end_for_peers(*communicator, std::move(plan.end));
  if (completing.blocking()) {
    check_uses(std::move(uses));
    return run_collective(communicator, completing, contribution, std::move(end));
  }
  const std::array<BufferToken, 2> buffers = begin_uses(std::move(uses));
  const int error = run_collective(communicator, completing, contribution, std::move(end));
  find_request(*completing.request)->buffers = buffers;
  return error;
}

namespace {

int conclude_collective(const Communicator& communicator, const CollectiveEnd& end, Contributions contributions) {
  heard_from_others();
  const Trouble trouble = apply_end(end, contributions);
  if (trouble.types) report_type_mismatch(trouble.types);
  report_late_changes();
  if (trouble.error == MPI_SUCCESS) return MPI_SUCCESS;
  return error_on(communicator.handle, trouble.error, trouble.text, trouble.id);
}

// A blocking collective that the failure of a member ends. A rank that knows of a failure does not start it: its
// members that do not know learn it before they wait forever.
int run_fallibly(Failures& known, const Communicator& communicator, const Completing& completing,
                 const Contribution& contribution, const CollectiveEnd& end) {
  const Watch everybody{communicator};
  Interruption why = known.known(everybody);
  if (!why) {
    Collective operation = operation_for(communicator, completing, contribution);
    operation.blocking = false;
    operation.places = {};
    ask(operation);
    const Failures::Waited waited = known.wait(operation.request, everybody);
    if (waited.answer != nullptr) {
      const Completion& completion = waited.answer->completions[0];
      return conclude_collective(communicator, end, {completion.contributions, completion.shared, completion.remarks});
    }
    ask(Release{operation.request});
    why = waited.why;
  }
  return error_on(communicator.handle, why.error, why.text);
}

}  // namespace

int run_collective(const CommunicatorRef& communicator, const Completing& completing, const Contribution& contribution,
                   CollectiveEnd end) {
  const CollectiveUse use(*communicator);
  failure_point();
  if (Failures* known = failures(); known != nullptr && completing.blocking())
    return run_fallibly(*known, *communicator, completing, contribution, end);
  const Collective operation = operation_for(*communicator, completing, contribution);
  const Observation& answer = ask(operation);
  if (completing.blocking())
    return conclude_collective(*communicator, end, {answer.contributions, answer.shared, answer.remarks});
  auto request = std::make_unique<Request>();
  request->kind = Request::Kind::collective;
  request->state = Request::State::pending;
  request->id = operation.request;
  request->communicator = communicator;
  request->collective = std::move(end);
  give_request(completing.request, std::move(request));
  return MPI_SUCCESS;
}

Arguments collective_arguments(MPI_Comm comm, const Completing& completing) {
  Arguments check(comm);
  if (!completing.blocking()) check.pointer(completing.request, "request");
  if (completing.form == Completing::Form::persistent)
    check.require(find_hints(completing.info) != nullptr, MPI_ERR_INFO, "the info object was freed or never existed");
  return check;
}

Trouble nothing_to_do(Contributions) { return {}; }

Trouble count_trouble(int rank, std::uint64_t bytes, const Buffer& expected) {
  const bool is_typed = static_cast<bool>(expected.type);
  return {MPI_ERR_TRUNCATE,
          fmt::format("rank {} gave {}, but {} is expected from it", rank,
                      is_typed ? amount_text_like(*expected.type, bytes) : bytes_text(bytes),
                      is_typed ? amount_text(expected.count, *expected.type) : "nothing"),
          "collective.count"};
}

std::uint64_t combine_signatures(std::uint64_t a, std::uint64_t b) {
  if (a == 0 || b == 0) return 0;
  std::uint64_t mixed = (a ^ (a >> 29)) * 0xbf58476d1ce4e5b9 + b;
  mixed = (mixed ^ (mixed >> 32)) * 0x94d049bb133111eb;
  mixed >>= 64 - SignatureNumber::manner_bit;
  return SignatureNumber::make(SignatureForm::hashed, 0, mixed < 2 ? mixed + 2 : mixed).value;
}

}  // namespace rehearse::smpi
