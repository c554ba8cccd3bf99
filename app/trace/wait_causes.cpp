// SPDX-License-Identifier: MIT
//
// See wait_causes.hpp.
#include "app/trace/wait_causes.hpp"

#include <algorithm>

namespace rehearse::app {
namespace {

// Of a member that needs those before it.
Release last_before(const CollectiveArrivals& collective, std::uint32_t rank) {
  Release release{rank, {}};
  std::uint32_t member = 0;
  for (const CollectiveArrivals::Arrival& arrival : collective.arrivals) {
    if (arrival.rank != rank) continue;
    member = arrival.member;
    release.date = arrival.date;
  }
  for (const CollectiveArrivals::Arrival& arrival : collective.arrivals)
    if (arrival.member < member && arrival.date > release.date) release = {arrival.rank, arrival.date};
  return release;
}

// Its own call; the start of the segment if it is unknown.
Release own_arrival(const CollectiveArrivals& collective, std::uint32_t rank, const Segment& segment) {
  for (const CollectiveArrivals::Arrival& arrival : collective.arrivals)
    if (arrival.rank == rank) return {rank, arrival.date};
  return {rank, segment.begin};
}

Release release_of_collective(const CollectiveArrivals& collective, std::uint32_t rank, const Segment& segment) {
  switch (collective.flow) {
    case Flow::all_to_all:
    case Flow::nobody:
    case Flow::optional: return collective.last;
    case Flow::root_to_all: {
      const Release own = own_arrival(collective, rank, segment);
      return collective.of_root.date > own.date ? collective.of_root : own;
    }
    case Flow::all_to_root: return rank == collective.root ? collective.last : own_arrival(collective, rank, segment);
    case Flow::prefix: return last_before(collective, rank);
  }
  return collective.last;
}

}  // namespace

Release WaitCauses::release_of(std::uint32_t rank, const Segment& segment) const {
  const WaitCause& cause = causes[segment.cause];
  switch (cause.kind) {
    case WaitCause::Kind::message: return cause.release;
    case WaitCause::Kind::collective: return release_of_collective(collectives[cause.instance], rank, segment);
    case WaitCause::Kind::unknown: break;
  }
  return {rank, segment.begin};
}

WaitCauses::Division WaitCauses::divide(std::uint32_t rank, const Segment& segment) const {
  if (segment.cause == no_cause) return {segment.use, segment.use, segment.end};
  const WaitCause& cause = causes[segment.cause];
  const Release release = release_of(rank, segment);
  const TimePoint at = std::clamp(release.date, segment.begin, segment.end);
  const bool is_own = release.rank == rank;
  if (cause.kind == WaitCause::Kind::collective)
    return {is_own ? segment.use : Spent::late_member, Spent::collective, at};
  if (cause.kind == WaitCause::Kind::unknown) return {segment.use, segment.use, segment.end};
  const Spent wait = is_own ? segment.use : rank == cause.destination ? Spent::late_sender : Spent::late_receiver;
  return {wait, Spent::transfer, at};
}

const Segment* WaitCauses::find_segment(std::uint32_t rank, TimePoint date) const {
  const std::vector<Segment>& of_rank = segments[rank];
  const auto behind = std::ranges::partition_point(of_rank, [&](const Segment& each) { return each.begin < date; });
  return behind == of_rank.begin() ? nullptr : &*std::prev(behind);
}

std::uint32_t WaitCauses::last_rank() const {
  std::uint32_t last = 0;
  TimePoint end;
  for (std::uint32_t rank = 0; rank < segments.size(); ++rank) {
    if (segments[rank].empty() || segments[rank].back().end <= end) continue;
    last = rank;
    end = segments[rank].back().end;
  }
  return last;
}

}  // namespace rehearse::app
