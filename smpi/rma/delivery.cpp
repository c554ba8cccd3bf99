// SPDX-License-Identifier: MIT
//
// See delivery.hpp.
#include "smpi/rma/delivery.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/process.hpp"
#include "smpi/report.hpp"
#include "smpi/rma/order_of_atomics.hpp"
#include "smpi/window_model.hpp"

namespace rehearse::smpi {
namespace {

// An operation that has arrived.
struct Arrived {
  int origin = 0;
  OperationView view;
  std::vector<std::byte> answer = {};
};

// The properties of an operation that decide about conflicts.
struct Sort {
  int origin = 0;
  Deed deed = Deed::put;
  OpCode op = OpCode::replace;
  MPI_Datatype element = MPI_DATATYPE_NULL;
  const void* place = nullptr;
  auto operator<=>(const Sort&) const = default;

  bool is_idle() const { return deed == Deed::accumulate && op == OpCode::no_op; }
  bool is_read() const { return deed == Deed::get || (deed != Deed::swap && is_atomic(deed) && op == OpCode::no_op); }
};

// The atomics at a place, by origin.
using Place = std::vector<std::vector<std::size_t>>;

struct Touched {
  std::byte* begin = nullptr;
  std::byte* end = nullptr;
  std::size_t operation = 0;
};

enum class Meeting : std::uint8_t { harmless, ordered_by_choice, race };

// Two operations of one epoch that touch the same byte.
Meeting meeting_of(const Sort& a, const Sort& b, std::ptrdiff_t distance, bool only_same_op) {
  if (a.is_read() && b.is_read()) return Meeting::harmless;
  if (!is_atomic(a.deed) || !is_atomic(b.deed)) return Meeting::race;
  // MPI orders the atomics of one origin only if they have one predefined type (MPI 4.1, 12.7.2).
  if (a.origin == b.origin) return a.element == b.element ? Meeting::harmless : Meeting::race;
  const std::int64_t extent = predefined_datatype(a.element)->extent();
  if (a.element != b.element || distance % extent != 0) return Meeting::race;
  const bool is_read = a.is_read() || b.is_read();
  const bool is_same = (a.deed == Deed::swap) == (b.deed == Deed::swap) && a.op == b.op;
  const bool may_mix = a.op == OpCode::replace && b.op == OpCode::replace;  // also compare-and-swap
  if (!is_same && !may_mix && (!is_read || only_same_op)) return Meeting::race;
  if (a.is_idle() || b.is_idle()) return Meeting::harmless;
  const bool is_observed = has_answer(a.deed) || has_answer(b.deed) || a.op == OpCode::replace;
  return is_observed ? Meeting::ordered_by_choice : Meeting::harmless;
}

class Epoch {
 public:
  Epoch(Window& window, const std::vector<Delivery>& deliveries) : window_(window) {
    for (const Delivery& delivery : deliveries) {
      std::span<const std::byte> rest(delivery.messages);
      while (!rest.empty()) {
        const OperationView view(rest);
        rest = rest.subspan(view.bytes());
        operations_.push_back({delivery.origin, view});
      }
    }
    only_same_op_ = std::ranges::any_of(window.hints, [](const auto& hint) {
      return hint.first == "accumulate_ops" && hint.second == "same_op";
    });
  }

  void check(const Exposed& exposed) {
    if (operations_.empty()) return;
    list_memory();
    for (const OwnUse& use : exposed.uses) check_use_of_owner(use);
    if (exposed.left_out > 0) report_outcomes_left_out("the owner's loads and stores of a window after the first 4096");
    std::map<Sort, Touched> furthest;  // of each sort, the operation that reaches furthest so far
    for (const Touched& here : touched_) {
      const Sort sort = sort_of(here.operation);
      for (const auto& [other_sort, other] : furthest)
        if (other.end > here.begin && other.operation != here.operation) meet(other, here);
      Touched& known = furthest[sort];
      if (known.end < here.end) known = here;
    }
  }

  // Operations with an answer are atomic or read memory that nobody changes in this epoch. Atomics at different places
  // are not ordered, those of one origin neither: each place has an order of its own.
  void carry_out_all() {
    if (!has_choice_) {
      for (Arrived& operation : operations_) perform(operation);
      return;
    }
    for (Arrived& operation : operations_)
      if (!is_atomic(operation.view.header().deed)) perform(operation);
    for (Place& place : atomics_by_place()) {
      OrderOfAtomics order(std::move(place), [this](std::size_t a, std::size_t b) { return depend(a, b); });
      while (const auto next = order.next(choose)) perform(operations_[*next]);
    }
  }

  std::vector<std::vector<std::byte>> answers() const {
    std::vector<std::vector<std::byte>> all(static_cast<std::size_t>(window_.size()));
    for (const Arrived& operation : operations_) {
      auto& to = all[static_cast<std::size_t>(operation.origin)];
      to.insert(to.end(), operation.answer.begin(), operation.answer.end());
    }
    return all;
  }

 private:
  Sort sort_of(std::size_t operation) const {
    const OperationHeader& header = operations_[operation].view.header();
    return {operations_[operation].origin, header.deed, header.op, header.element, header.place};
  }

  void list_memory() {
    for (std::size_t i = 0; i < operations_.size(); ++i)
      for (std::uint64_t k = 0; k < operations_[i].view.header().blocks; ++k) {
        const TargetBlock block = operations_[i].view.block(k);
        touched_.push_back({block.address, block.address + operations_[i].view.bytes_of(block), i});
      }
    std::ranges::sort(touched_, [](const Touched& a, const Touched& b) {
      return std::tie(a.begin, a.operation) < std::tie(b.begin, b.operation);
    });
  }

  void meet(const Touched& a, const Touched& b) {
    switch (meeting_of(sort_of(a.operation), sort_of(b.operation), b.begin - a.begin, only_same_op_)) {
      case Meeting::harmless: return;
      case Meeting::race: return report_race(a, b);
      case Meeting::ordered_by_choice: break;
    }
    has_choice_ = true;
    const auto is_long = [this](const Touched& touched) {
      const OperationView& view = operations_[touched.operation].view;
      return view.header().blocks > 1 || view.block(0).count > 1;
    };
    if (is_long(a) || is_long(b)) report_outcomes_left_out(std::string(elements_in_one_step));
  }

  // The operations whose memory is connected, in the order of their issue at each origin.
  std::vector<Place> atomics_by_place() const {
    std::vector<std::size_t> parent(operations_.size());  // a forest
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    const auto place_of = [&](std::size_t operation) {
      while (parent[operation] != operation) operation = parent[operation] = parent[parent[operation]];
      return operation;
    };
    const Touched* furthest = nullptr;
    for (const Touched& here : touched_) {
      if (!is_atomic(operations_[here.operation].view.header().deed)) continue;
      if (furthest != nullptr && furthest->end > here.begin)
        parent[place_of(here.operation)] = place_of(furthest->operation);
      if (furthest == nullptr || furthest->end < here.end) furthest = &here;
    }
    std::map<std::size_t, std::map<int, std::vector<std::size_t>>> places;
    for (std::size_t i = 0; i < operations_.size(); ++i)
      if (is_atomic(operations_[i].view.header().deed)) places[place_of(i)][operations_[i].origin].push_back(i);
    std::vector<Place> all;
    for (auto& [first, origins] : places) {
      Place& place = all.emplace_back();
      for (auto& [origin, operations] : origins) place.push_back(std::move(operations));
    }
    return all;
  }

  // Whether the order of atomics of two origins at one place matters.
  bool depend(std::size_t a, std::size_t b) const {
    return meeting_of(sort_of(a), sort_of(b), 0, only_same_op_) == Meeting::ordered_by_choice &&
           !are_same_replacement(operations_[a].view, operations_[b].view);
  }

  void check_use_of_owner(const OwnUse& use) {
    for (const Touched& touched : touched_) {
      const Span bytes{reinterpret_cast<std::int64_t>(touched.begin), reinterpret_cast<std::int64_t>(touched.end)};
      if (bytes.begin >= use.hull.end) return;
      if (!use.hull.meets(bytes) || (use.shape && !use.shape->meets(bytes))) continue;
      if (!use.stores && sort_of(touched.operation).is_read()) continue;
      if (operations_[touched.operation].view.header().heard == 0) return report_race_with_owner(touched, use);
      report_outcomes_left_out(std::string(owner_order_unknown));
    }
  }

  void report_race_with_owner(const Touched& touched, const OwnUse& use) {
    const Arrived& operation = operations_[touched.operation];
    const CreationSite site = operation.view.site();
    if (!reported_.insert({site.return_address, use.site.return_address}).second) return;
    const ActorId origin = window_.communicator->actor_of(operation.origin);
    const bool is_call = use.site.function[0] != '\0';
    const std::string own = is_call      ? fmt::format("{} of rank {}", use.site.function, current_actor().value)
                            : use.stores ? fmt::format("a store of rank {}", current_actor().value)
                                         : fmt::format("a load of rank {}", current_actor().value);
    const std::string message =
        fmt::format("{} of rank {} and {} touch the same memory of the window of rank {} in one epoch; nothing orders "
                    "them",
                    site.function, origin.value, own, current_actor().value);
    report_at("rma.race", Severity::error, message,
              {{site, "accesses the memory", origin, {}}, {use.site, use.stores ? "writes it" : "reads it", {}, {}}});
  }

  void report_race(const Touched& a, const Touched& b) {
    const Arrived& one = operations_[a.operation];
    const Arrived& other = operations_[b.operation];
    const CreationSite one_site = one.view.site(), other_site = other.view.site();
    if (!reported_.insert({one_site.return_address, other_site.return_address}).second) return;
    const ActorId first = window_.communicator->actor_of(one.origin);
    const ActorId second = window_.communicator->actor_of(other.origin);
    const auto bytes = static_cast<std::uint64_t>(std::min(a.end, b.end) - b.begin);
    const std::string message = fmt::format(
        "{} of rank {} and {} of rank {} touch the same {} of the window of rank {} in one epoch; nothing orders them",
        one_site.function, first.value, other_site.function, second.value, bytes_text(bytes), current_actor().value);
    report_at("rma.race", Severity::error, message,
              {{one_site, "accesses the memory", first, {}},
               {other_site, "accesses it, too", second, {}},
               {creation_site(), "ends the epoch of the window's owner", {}, {}}});
  }

  static std::size_t choose(std::size_t count) {
    const Observation& answer = ask(Choose{static_cast<std::uint32_t>(count), "the next atomic operation"});
    return answer.completions.front().index;
  }

  // Whether the origin, which has left the fence, has stored the data that it had lent.
  bool is_over(const Arrived& operation) const {
    return operation.view.header().lent != nullptr &&
           window_.part(operation.origin).window->fences_stored > window_.fence_count;
  }

  void perform(Arrived& operation) {
    if (is_over(operation)) return;
    const bool is_there = window_.flavor != MPI_WIN_FLAVOR_DYNAMIC || is_attached(window_, operation.view);
    if (is_there) return operation.view.carry_out(operation.answer);
    const CreationSite site = operation.view.site();
    const ActorId origin = window_.communicator->actor_of(operation.origin);
    report_at("rma.attach", Severity::error,
              fmt::format("{} of rank {} touches memory that is not attached to the dynamic window of rank {}",
                          site.function, origin.value, current_actor().value),
              {{site, "touches the memory", origin, {}},
               {creation_site(), "ends the epoch of the window's owner", {}, {}}});
    operation.answer.resize(operation.view.header().answer_bytes);
  }

  Window& window_;
  std::vector<Arrived> operations_;
  std::vector<Touched> touched_;
  std::set<std::pair<const void*, const void*>> reported_;
  bool only_same_op_ = false;
  bool has_choice_ = false;
};

}  // namespace

Span memory_of(const Window& window) {
  if (window.is_shared() && windows_are_messages()) {
    const auto first = reinterpret_cast<std::int64_t>(window.seen_at.front());
    return {first, reinterpret_cast<std::int64_t>(window.seen_at.back()) +
                       static_cast<std::int64_t>(window.parts.back().bytes)};
  }
  if (window.flavor == MPI_WIN_FLAVOR_DYNAMIC) {
    if (window.attached.empty()) return {};
    const auto& [last, bytes] = *window.attached.rbegin();
    return {reinterpret_cast<std::int64_t>(window.attached.begin()->first),
            reinterpret_cast<std::int64_t>(last + bytes)};
  }
  const auto begin = reinterpret_cast<std::int64_t>(window.own().base);
  return {begin, begin + static_cast<std::int64_t>(window.own().bytes)};
}

void check_no_put(const Window& window, const std::vector<Delivery>& deliveries, const CreationSite& promised) {
  for (const Delivery& delivery : deliveries)
    for (std::span<const std::byte> rest(delivery.messages); !rest.empty();) {
      const OperationView operation(rest);
      rest = rest.subspan(operation.bytes());
      if (!operation.updates()) continue;
      const ActorId origin = window.communicator->actor_of(delivery.origin);
      return report_at("rma.assert", Severity::error,
                       fmt::format("{} promises by MPI_MODE_NOPUT that nobody updates the window of rank {}, but rank "
                                   "{} does, by {}",
                                   promised.function, current_actor().value, origin.value, operation.site().function),
                       {{promised, "gives the assertion", {}, {}}, {operation.site(), "updates it", origin, {}}});
    }
}

std::vector<std::vector<std::byte>> carry_out(Window& window, const std::vector<Delivery>& deliveries,
                                              const Exposed& exposed) {
  Epoch epoch(window, deliveries);
  epoch.check(exposed);
  epoch.carry_out_all();
  return epoch.answers();
}

}  // namespace rehearse::smpi
