// SPDX-License-Identifier: MIT
//
// What an actor asks of the world: the first half of the seam between programs and drivers.
//
// Ownership: spans and views point into the actor's own memory and are valid until the actor is resumed, restarted
//            or restored; a driver that needs them longer copies them.
// Threads:   none.
// Protocol:  see program.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "simcore/finding.hpp"
#include "simcore/ids.hpp"
#include "simcore/time.hpp"

namespace rehearse {

enum class SendMode : std::uint8_t { standard, synchronous, buffered, ready };

// Which messages a receive or a probe accepts.
struct Pattern {
  ContextId context;
  std::optional<ActorId> source;  // empty: any
  std::optional<Tag> tag;         // empty: any
};

// The place in the actor's program that started something, for reports.
struct Origin {
  std::string_view call;       // what was called there; static storage
  std::uintptr_t address = 0;  // in the actor's code, for Program::locate; 0: unknown
};

// A message. Starts `request`; with `blocking` the actor also waits for its completion, and the request is gone.
// Observation: nothing (or, with `blocking`, nothing, once complete).
struct Send {
  RequestId request;
  ContextId context;
  ActorId destination;
  Tag tag = 0;
  SendMode mode = SendMode::standard;
  bool blocking = false;
  std::span<const std::byte> data;
  std::uint64_t signature = 0;  // of the element types; 0: unknown
  Origin origin = {};
};

// A posted receive. With `blocking` the actor also waits for it; the Observation then has one Completion, index 0.
// With `taken` it receives the message that the actor's Probe of that number took (see there); the pattern says which
// message that was, and decides nothing.
struct Post {
  RequestId request;
  Pattern pattern;
  std::uint64_t capacity_bytes = 0;
  bool blocking = false;
  std::optional<std::uint32_t> taken = {};
};

enum class Quantifier : std::uint8_t { all, any, some };

// Looks at started requests of this actor. Blocking: until all (any, at least one) are complete. Not blocking: the
// Observation's flag says whether they are; the answer may be `no` although they are (the message is under way).
// Completions name the completed requests by their index in `requests`; those requests are gone, the others stay.
// With `withdraws`, of one receive and not blocking: if the answer is no, the receive is gone without a message.
struct Observe {
  std::span<const RequestId> requests;  // not empty, each started and not gone
  Quantifier quantifier = Quantifier::all;
  bool blocking = true;
  bool withdraws = false;
};

// Looks for a message without receiving it. Observation: flag, and when set one Completion whose data gives the size.
// With `takes` no other receive or probe finds that message any more; it waits, for its sender too, until a Post names
// it: as 0 the first that this actor took, as 1 the second...
struct Probe {
  Pattern pattern;
  bool blocking = true;
  bool takes = false;
};

// Whose contribution a member of a collective needs before it can complete.
enum class Flow : std::uint8_t {
  all_to_all,        // everybody's: barrier, all-reduce, all-gather, all-to-all
  root_to_all,       // the root's: broadcast, scatter
  all_to_root,       // root: everybody's; others: nobody's: gather, reduce
  prefix,            // those of the members before it: scan
  nobody,            // nobody's, and the members end: whether they wait for each other takes time, but shows nowhere
};

enum class CollectiveKind : std::uint8_t {
  by_flow,  // nobody said: the plainest one of this flow
  barrier, broadcast, reduce, allreduce, gather, gatherv, scatter, scatterv, allgather, allgatherv, alltoall, alltoallv,
  scan, exscan, reduce_scatter, reduce_scatter_block
};

// What only costs ask about a collective: by this an algorithm is chosen.
struct CollectiveHints {
  CollectiveKind kind = CollectiveKind::by_flow;
  bool is_commutative = true;     // the operator, where contributions are combined
  std::uint64_t elements = 0;     // of the contribution, which are not divided; 0: every byte can go its own way
  std::uint64_t total_bytes = 0;  // of all contributions, where they differ and each member knows them; 0: unknown
};

// A collective between two groups: a member needs the contributions of the other group only, and a root is the root of
// the other group. Of a rooted one, the members of the root's own group take no part besides.
struct TwoGroups {
  std::uint32_t first = 0;  // members 0 to first-1 are one group, the others the other; 0: there is one group
  // Types of what the member gives each of the other group, and of what it takes from each of them: what one gives must
  // be what the other takes. 0: unknown.
  std::uint64_t gives = 0;
  std::uint64_t takes = 0;
};

// As Collective::root, between two groups: another member of the caller's own group, which does not say who.
constexpr std::uint32_t another_root = ~std::uint32_t{0};

// The next collective of `context`; members meet by the order of their calls on that context (the k-th of each is
// one instance). Observation at completion: contributions[i] is what member i gave to the observing member, that is
// its whole contribution or, where it named segment_bytes, the segment of the observer; empty, or behind the end, where
// Flow and groups need none.
// A blocking caller's memory waits with it: until it is answered, a driver may read the contribution there instead of
// copying it, and may write what the caller is given to the places that it named, of that size; contributions[i] is
// then that place.
struct Collective {
  RequestId request;
  ContextId context;
  std::span<const ActorId> members;  // in rank order of the context; the caller is one of them
  std::string_view name;             // what is called: must agree between members
  Flow flow = Flow::all_to_all;
  std::uint32_t root = 0;  // index into members, or another_root; for the two rooted flows
  // Operator, element type...: must agree between members of one group; 0: unknown.
  std::uint64_t signature = 0;
  std::span<const std::byte> contribution;
  std::span<const std::uint64_t> segment_bytes;  // per member: how much of the contribution is for it; empty: all of it
  // Where a blocking caller will put what each member gives it, or the only one that does; empty: it does not say. None
  // of it is in its contribution.
  std::span<const std::span<std::byte>> places = {};
  bool blocking = true;
  bool combining = false;  // the contributions become one of the same size on their way (reductions); only costs ask
  CollectiveHints hints = {};
  // What the caller says of its contribution to all who are given some of it, in words of those who use them. Takes no
  // time.
  std::span<const std::byte> remark = {};
  Origin origin = {};
  TwoGroups groups = {};
};

// Nobody will observe this started request any more (it may still complete).
struct Release {
  RequestId request;
};

struct Compute {
  double flops = 0;
};

struct Sleep {
  Duration duration;
};

// The actor may go on in `count` legal ways, and somebody else decides. Observation: one Completion whose index says
// which. Actors that share memory are one actor here, and what their scheduler may do next is such a choice.
struct Choose {
  std::uint32_t count = 1;
  std::string_view what;  // is chosen, for reports
};

// Asks for the time. Observation: now.
struct Clock {};

// Bytes that the actor wrote: stream 1 is its output, 2 its error output, 3 for whoever judges (published.hpp).
struct Log {
  int stream = 1;
  std::string_view text;
};

// A finding of the program's own library about this actor (a leak, a wrong argument); the actor goes on.
struct Report {
  const Finding* finding = nullptr;
};

// unsupported: nobody implements what it asks for, and nothing is known about what follows. not_meant: the program says
// that this execution is none of those that it means; nothing in it is a finding. given_up: the driver wants to end
// (stop_token.hpp).
enum class FailureKind : std::uint8_t { assertion, crash, abort, misuse, unsupported, not_meant, given_up };

// Whether the program is at fault.
constexpr bool is_fault(FailureKind kind) { return kind < FailureKind::unsupported; }

// The actor cannot go on: its last Operation. `what` says why, `id` is the finding's dotted id if it is a fault.
struct Fail {
  FailureKind kind = FailureKind::crash;
  std::string_view id;
  std::string_view what;
};

// The actor is done: its last Operation.
struct End {
  int status = 0;
};

using Operation = std::variant<Send, Post, Observe, Probe, Collective, Release, Choose, Compute, Sleep, Clock, Log,
                               Report, Fail, End>;

}  // namespace rehearse
