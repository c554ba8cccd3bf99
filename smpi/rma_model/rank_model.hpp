// SPDX-License-Identifier: MIT
//
// One rank of a WindowProgram: what it knows of windows, its requests, and the operations that the model adds to its
// own.
//
// Ownership: plain values, a function of the answers that the rank got; saved with the rank.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simcore/program.hpp"
#include "smpi/buffers/exposed.hpp"
#include "smpi/process.hpp"
#include "smpi/rma/access.hpp"
#include "smpi/rma/window.hpp"
#include "smpi/rma_model/atomic_object.hpp"
#include "smpi/rma_model/repeated_reads.hpp"
#include "smpi/rma_model/view.hpp"
#include "smpi/rma_model/window_objects.hpp"

namespace rehearse::smpi::model {

// Of the barrier of all ranks behind their ends, and of the barriers of a window.
inline constexpr std::uint64_t end_context = 0xb000'0000'0000'0000;
// Of messages of a rank to itself.
inline constexpr std::uint64_t self_context = 0xb000'0000'0000'0002;
inline constexpr std::string_view fence_name = "MPI_Win_fence";

// A window, and one of its members.
struct WindowMember {
  std::uint64_t window = 0;
  std::uint32_t owner = 0;
  auto operator<=>(const WindowMember&) const = default;
};

// A request of the rank. plain: a message, a receive or a collective. done: complete at once. parts: as soon as objects
// have answered.
struct Begun {
  enum class Kind : std::uint8_t { plain, done, parts } kind = Kind::plain;
  RequestId number;                   // plain: in the driver's numbering
  std::vector<std::byte> answer;      // done
  std::vector<RequestId> parts;       // receives of the answers, in the driver's numbering
  std::vector<RecordId> records;      // of the operation
  std::vector<RecordId> asked;        // parts: the records that the objects answer, if it is no lock
  bool is_request = false;            // of a request form
  std::optional<WindowMember> lock;   // parts: one, the grant of this lock
  ActorId asked_object;               // that grants it
  std::optional<WindowMember> needs;  // it waits for the exposure of this member
  bool reads_late = false;            // done: its answer is computed when the rank asks for it
  bool is_in_fence = false;           // of a fence epoch
  bool returns = false;               // the operation has an answer for the rank
  std::uint64_t window = 0;           // plain: of a receive about exposures of this window
  std::uint64_t exposure = 0;         // the number of that exposure for the origin, if it is the receive of a complete
};

// An operation of the model.
struct OwnStep {
  enum class Kind : std::uint8_t { send, receive, barrier } kind = Kind::send;
  ActorId peer;
  ContextId context;
  Tag tag = 0;
  std::vector<std::byte> data;   // of a send; news for a barrier
  bool blocking = true;          // of a receive
  std::vector<ActorId> members;  // of a barrier
  std::string_view name;
  std::optional<WindowMember> grant;  // of a blocking receive; empty: it is of an element, about an operation here
};

// A start epoch of the rank, for one target.
struct Started {
  std::uint64_t exposure = 0;
  std::optional<RequestId> receive;  // of the news of the exposure, in the driver's numbering
};

// A lock that the rank has taken.
struct HeldLock {
  std::vector<std::byte> news;  // of earlier sections; learned with the first operation
  ActorId object;               // that sent it
  bool is_used = false;         // an operation was issued, or the window is the rank's own
};

// Memory of the rank that shows window memory: its own, or its copy of another member's segment of a shared window.
struct ShownMemory {
  Bytes here;
  std::uintptr_t there = 0;  // the owner's address of the first byte
  std::uint32_t owner = 0;
};

struct WindowState {
  std::map<std::uint32_t, HeldLock> held;  // by owner
  std::vector<ActorId> members;
  std::map<std::uint32_t, std::uintptr_t> bases;  // by owner; 0: of a dynamic window
  std::vector<ShownMemory> memory;
  std::uint64_t separate = 0;                 // its context, if it is one of the separate model
  std::uint64_t published = 0, absorbed = 0;  // calls that are known
  bool is_shared = false;                     // the rank loads and stores memory of others
  bool hides_accesses = false;                // of its loads and stores, only what they change is seen
  // Of operations that are not complete at the target, by target and number: their records.
  SharedMap<std::pair<std::uint64_t, std::uint64_t>, std::vector<RecordId>> open;
  std::vector<std::uint64_t> issued, complete;       // by target: the numbers of operations
  std::map<std::uint32_t, Started> started;          // by target
  std::map<std::uint32_t, std::uint64_t> exposures;  // by origin: number of exposures of the own memory
  std::map<std::uint32_t, Opening> openings;         // by origin: of the last one
  std::uint64_t fences = 0;                          // that the rank has entered
  Opening opened;                                    // by the last one
};

// The answer to an Observe of the rank that waits for answers of elements.
struct HeldAnswer {
  bool flag = true;
  std::vector<Completion> completions;  // without data
};

// A poll that may be repeated.
struct LastPoll {
  ActorId object;
  std::vector<std::byte> message;
  bool operator==(const LastPoll&) const = default;
};

struct RankModel {
  RankModel(std::uint32_t rank, std::uint32_t ranks) : view(rank, ranks) {}

  RequestId number_of(RequestId of_rank) const;

  View view;
  std::uint32_t requests = 0;
  SharedMap<std::uint32_t, Begun> begun;  // by the rank's own number
  std::deque<OwnStep> steps;
  std::deque<Finding> findings;
  std::map<std::uint64_t, WindowState> windows;   // by context
  std::map<ActorId, std::uint32_t> asked, added;  // by object: requests and updates so far
  std::map<ActorId, HeldRecords> held;            // by object: records that it has; for a gate, from its rank,
  std::map<ActorId, HeldRecords> opened, fenced;  // and from the owner by exposures of start and of fence epochs
  std::optional<LastPoll> last_poll;
  std::uint32_t waits = 0, syncs = 0;  // MPI_Win_sync, sleep and computation in a row; of these: MPI_Win_sync
  RepeatedReads reads;
  std::uint32_t polls = 0;  // repetitions of it in a row that all got this value:
  std::vector<std::byte> polled_value;
  std::vector<std::byte> polled_by;                // the data of the access that made last_poll
  bool polls_forever = false;                      // the next access repeats it, and will while the value is the same
  SharedMap<std::uint64_t, KnowledgeRef> moments;  // what the rank knew, by stretch (ExposedMemory)
  std::string missing;                             // the rank cannot continue: the name of an object, or of a feature
  bool polls_endlessly = false;                    // it cannot continue, because it polls
  std::uint64_t saved_records = 0;                 // number of records at the last snapshot
  bool has_looked = false;                         // the rank's memory was read since it stopped
  bool is_ready = false, gives_up = false;         // the next operation is decided; gives_up: the driver wants to end
  bool answers_rank = false;                       // behind the steps: answer the rank's access
  std::optional<HeldAnswer> held_answer;           // likewise
  bool has_left = false, has_polled = false;       // has_left: the barrier at the end is over
  bool has_nested = false;                         // it held two locks at once, one of them of its own window
};

}  // namespace rehearse::smpi::model
