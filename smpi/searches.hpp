// SPDX-License-Identifier: MIT
//
// What a check asks the ranks of a program to report or to leave out, so that it can start again with more knowledge.
//
// Threads: none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace rehearse::smpi {

// Settings for the search for needless barriers. A place is the number of a place of a call, the same in all ranks.
struct BarrierSearch {
  static constexpr std::string_view place_reported = "barrier.place";  // notes whose message begins with the place
  static constexpr std::string_view output_reported = "barrier.output";

  bool reports = false;             // each rank reports each place once, and its first output
  std::uint64_t skipped_place = 0;  // the barrier at this place does nothing; 0: none
};

// Settings for sends that the program cancels. The outcome of the cancellation is chosen when the send starts, so the
// places of such sends must be known before. When another place is found, the exploration starts again.
struct CancelSearch {
  static constexpr std::string_view place_reported = "cancelled send of place ";  // the number follows

  bool reports = false;  // cancelling a send of another place fails (unsupported), with place_reported
  std::vector<std::uint64_t> places;

  bool knows(std::uint64_t place) const { return std::ranges::find(places, place) != places.end(); }
};

}  // namespace rehearse::smpi
