// SPDX-License-Identifier: MIT
//
// See window_races.hpp. Runs outside of all ranks, while they are paused, and only reads their memory.
#include "smpi/window_races.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "simcore/support/format.hpp"
#include "smpi/buffers/exposed.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/report.hpp"
#include "smpi/rma/access.hpp"
#include "smpi/rma/causes.hpp"
#include "smpi/rma/conflicts.hpp"
#include "smpi/rma/window.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::size_t usual_accesses = 512;
constexpr std::size_t most_accesses = 16'384;

// An access to the memory of one rank.
struct KnownAccess {
  ActorId rank;                // that made it
  bool is_own = false;         // a load or store of the owner
  bool stores = false;         // of an own access
  std::uint64_t step = 0;      // of an own access: its rank's operation behind it
  AccessName name;             // of an operation
  OperationSort sort;          // of an operation
  std::vector<Span> pieces;    // sorted
  Span hull;
  std::shared_ptr<const Footprint> shape;  // of a buffer of a call; null: the pieces
  CreationSite site;
  CausalClockRef clock;

  bool is_read() const { return is_own ? !stores : sort.is_read(); }
};

// The first byte that both touch, and the distance of the two pieces.
struct CommonBytes {
  std::uint64_t bytes = 0;
  std::ptrdiff_t distance = 0;
};

std::optional<CommonBytes> common_bytes(const KnownAccess& a, const KnownAccess& b) {
  if (!a.hull.meets(b.hull)) return std::nullopt;
  auto one = a.pieces.begin(), other = b.pieces.begin();
  while (one != a.pieces.end() && other != b.pieces.end()) {
    if (one->meets(*other) && (!a.shape || a.shape->meets(*other)) && (!b.shape || b.shape->meets(*one))) {
      const std::int64_t shared = std::min(one->end, other->end) - std::max(one->begin, other->begin);
      return CommonBytes{static_cast<std::uint64_t>(shared), other->begin - one->begin};
    }
    if (one->end <= other->end) ++one;
    else ++other;
  }
  return std::nullopt;
}

bool conflict(const KnownAccess& a, const KnownAccess& b, std::ptrdiff_t distance) {
  if (a.is_own && b.is_own) return false;
  if (a.is_read() && b.is_read()) return false;
  if (a.is_own || b.is_own) return true;
  return meeting_of(a.sort, b.sort, distance, false) == Meeting::race;
}

// Whether the access is over when the other one begins.
bool is_before(const KnownAccess& a, const KnownAccess& b) {
  if (a.is_own) return b.clock->knows_step(a.rank.value, a.step);
  return b.clock->knows(a.name);
}

}  // namespace

class WindowRaces::Search {
 public:
  explicit Search(Program& program)
      : program_(program), causes_(program.actor_count()), notes_(program.actor_count()) {}

  void end_operation(ActorId rank, const Operation& operation) {
    if (causes_.has_given_up()) return;
    look_at(rank);
    if (const auto* collective = std::get_if<Collective>(&operation)) look_at_members(rank, *collective);
    if (const auto* send = std::get_if<Send>(&operation)) look_at(send->destination);
    if (const auto* access = std::get_if<RemoteAccess>(&operation)) add_operation(rank, *access);
    causes_.end_operation(rank, operation);
  }

  // The sender may still be in its call.
  void deliver(const rehearse::Delivery& delivery) {
    if (causes_.has_given_up()) return;
    look_at(delivery.source);
    causes_.deliver(delivery);
  }

  void take_effect(ActorId rank, RequestId access) {
    if (!causes_.has_given_up()) causes_.take_effect(rank, access);
  }

  std::vector<std::pair<ActorId, Finding>> findings;

 private:
  // Takes what the rank has noted since the last look.
  void look_at(ActorId rank) {
    WindowNotes* notes = notes_[rank.value];
    if (notes == nullptr) return;
    for (; notes->own.taken < notes->own.uses.size(); ++notes->own.taken)
      add_own(rank, notes->own.uses[notes->own.taken]);
    for (; notes->taken < notes->finished.size(); ++notes->taken) {
      const WindowNotes::Finished& finished = notes->finished[notes->taken];
      causes_.finish_way({finished.context, rank.value, finished.target});
    }
  }

  void look_at_members(ActorId rank, const Collective& collective) {
    if (WindowNotes* notes = announced_notes(collective); notes != nullptr) notes_[rank.value] = notes;
    for (const ActorId member : collective.members) look_at(member);
  }

  void add_own(ActorId rank, const OwnUse& use) {
    const bool is_call = use.site.function[0] != '\0';
    if (is_call && use.stores) return;  // the end of a receive comes later
    KnownAccess access;
    access.rank = rank;
    access.is_own = true;
    access.stores = use.stores;
    access.step = causes_.now(rank).steps[rank.value];
    access.pieces = {use.hull};
    access.hull = use.hull;
    access.shape = use.shape;
    access.site = use.site;
    add(rank, std::move(access));
  }

  void add_operation(ActorId rank, const RemoteAccess& operation) {
    if (kind_of(operation) != AccessKind::operation) return;
    const OperationView view = operation_in(operation);
    KnownAccess access;
    access.rank = rank;
    access.name = causes_.name_access(rank, operation);
    access.sort = sort_of(static_cast<int>(rank.value), view.header());
    for (std::uint64_t i = 0; i < view.header().blocks; ++i) {
      const TargetBlock block = view.block(i);
      const auto begin = reinterpret_cast<std::int64_t>(block.address);
      access.pieces.push_back({begin, begin + static_cast<std::int64_t>(view.bytes_of(block))});
    }
    if (access.pieces.empty()) return;
    std::ranges::sort(access.pieces, {}, &Span::begin);
    access.hull.begin = access.pieces.front().begin;
    for (const Span& piece : access.pieces) access.hull.end = std::max(access.hull.end, piece.end);
    access.site = view.site();
    add(operation.target, std::move(access));
  }

  // An access to the memory of `owner`.
  void add(ActorId owner, KnownAccess access) {
    access.clock = std::make_shared<const CausalClock>(causes_.now(access.rank));
    std::vector<KnownAccess>& known = accesses_[owner.value];
    for (const KnownAccess& other : known) {
      const std::optional<CommonBytes> common = common_bytes(other, access);
      if (!common || !conflict(other, access, common->distance) || is_before(other, access) ||
          is_before(access, other))
        continue;
      report(owner, other, access, *common);
    }
    known.push_back(std::move(access));
    if (known.size() >= room_) forget_old(known);
  }

  void forget_old(std::vector<KnownAccess>& known) {
    std::erase_if(known, [this](const KnownAccess& access) {
      return access.is_own ? causes_.is_step_known_to_all(access.rank, access.step)
                           : causes_.is_known_to_all(access.name);
    });
    if (known.size() > most_accesses) known.erase(known.begin(), known.begin() + most_accesses / 2);
    room_ = std::max(usual_accesses, 2 * known.size());
  }

  std::string text_of_access(const KnownAccess& access) const {
    if (access.site.function[0] != '\0') return fmt::format("{} of rank {}", access.site.function, access.rank.value);
    return fmt::format("a {} of rank {}", access.stores ? "store" : "load", access.rank.value);
  }

  Location place_of_access(const KnownAccess& access, const char* what) {
    const Frame frame = program_.locate(access.rank, {"", reinterpret_cast<std::uintptr_t>(access.site.return_address)});
    return {access.rank, access.site.function, frame.file, frame.line, frame.function, what};
  }

  // The same for each pair of lines, whichever ranks they are of.
  static std::string places_of(const Finding& finding) {
    std::vector<std::string> places;
    for (const Location& place : finding.locations)
      places.push_back(fmt::format("{} {}:{}", place.call, place.file, place.line));
    std::ranges::sort(places);
    return places[0] + "\n" + places[1];
  }

  void report(ActorId owner, const KnownAccess& a, const KnownAccess& b, const CommonBytes& common) {
    Finding finding;
    finding.id = "rma.race";
    finding.message = fmt::format("{} and {} touch the same {} of the window of rank {}; nothing orders them",
                                  text_of_access(a), text_of_access(b), bytes_text(common.bytes), owner.value);
    finding.actors = {a.rank};
    if (b.rank != a.rank) finding.actors.push_back(b.rank);
    finding.locations = {place_of_access(a, a.is_read() ? "reads the memory" : "writes the memory"),
                         place_of_access(b, b.is_read() ? "reads it, too" : "writes it, too")};
    if (reported_.insert(places_of(finding)).second) findings.emplace_back(a.rank, std::move(finding));
  }

  Program& program_;
  Causes causes_;
  std::vector<WindowNotes*> notes_;                              // by rank, in its memory
  std::map<std::uint32_t, std::vector<KnownAccess>> accesses_;   // by owner
  std::set<std::string> reported_;                               // pairs of places
  std::size_t room_ = usual_accesses;
};

WindowRaces::WindowRaces(Program& program) : search_(std::make_unique<Search>(program)) { follow_windows(program); }

WindowRaces::~WindowRaces() = default;

void WindowRaces::on_operation(ActorId actor, const Operation& operation, TimePoint, TimePoint) {
  search_->end_operation(actor, operation);
}

void WindowRaces::on_delivery(const rehearse::Delivery& delivery) { search_->deliver(delivery); }

void WindowRaces::on_effect(ActorId actor, RequestId access, TimePoint) { search_->take_effect(actor, access); }

std::vector<std::pair<ActorId, Finding>> WindowRaces::take_findings() { return std::move(search_->findings); }

}  // namespace rehearse::smpi
