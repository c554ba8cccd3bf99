// SPDX-License-Identifier: MIT
//
// Programs that access windows in epochs of locks, for drivers in which ranks share nothing but messages.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/outcome.hpp"
#include "smpi/process.hpp"

namespace rehearse::smpi {

// A rank that needs objects which the list does not have fails with this text and their names, with commas between.
inline constexpr std::string_view window_object_missing = "object of windows ";
inline constexpr std::string_view between_objects = ", ";
// The first name of a list, with the value of --polls behind a slash: accesses are exchanged as messages.
inline constexpr std::string_view accesses_as_messages = "messages";
// A further name: windows have a public and a private copy (MPI_WIN_SEPARATE).
inline constexpr std::string_view separate_copies = "separate";

// A rank reports outcomes as left out with this text if they are explored where accesses are messages.
inline constexpr std::string_view owner_order_unknown =
    "whether messages order the owner's accesses to a window with operations of other ranks";
inline constexpr std::string_view elements_in_one_step =
    "the elements of concurrent atomic operations of several elements are not interleaved";

// The same program, whose ranks exchange the accesses to their windows as messages with each other and with objects:
// further actors behind the ranks. `objects` is not empty.
std::unique_ptr<LoadedProgram> with_window_objects(std::unique_ptr<LoadedProgram> program,
                                                   const std::vector<std::string>& objects);

// The id of the report of the first object.
inline constexpr std::string_view first_object_report = "the first object of windows";
// In place of the size of a message, which has more than the program's data then.
inline constexpr std::uint64_t unknown_bytes = std::uint64_t{1} << 60;

// The id of the failure of a rank that polls a window again and again without success. Whether this is the end of the
// rank is for judges to say.
inline constexpr std::string_view endless_poll = "execution.polls";

bool has_window_objects(const Outcome& outcome);

// Whether a rank waits for a shared lock because an exclusive lock, which is not granted yet, was guessed to come
// first. Then the guess was wrong: another execution has the shared section first, and this one tells nothing about
// waiting.
bool waits_for_a_guess(const Outcome& outcome);

// What ranks have not heard of each other's accesses at the end of an execution.
struct UnheardAccesses {
  std::vector<Finding> races;
  std::vector<ActorId> may_load;  // ranks whose loads are not seen and may find what others have stored
};

// `ranks`: CallDescription::knowledge of all ranks at the end.
UnheardAccesses unheard_accesses(std::span<const std::shared_ptr<const SharedKnowledge>> ranks);

// Leaves the objects out of an outcome. A rank that waits for an object waits for those whom the object waits for. A
// rank that repeats a poll of an element polls for the others (ActorOutcome::polling).
void hide_window_objects(Outcome& outcome);

}  // namespace rehearse::smpi
