// SPDX-License-Identifier: MIT
//
// The requests of an actor to its driver: the first half of the seam between programs and drivers.
//
// Ownership: spans and views point into the actor's own memory and are valid until the actor is resumed, restarted
//            or restored; a driver that needs them longer copies them.
// Data:      a span of bytes with a size but without an address (null) stands for data of which only the size is known.
//            Nobody reads such data, and its copies have no address either.
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
#include "simcore/origin.hpp"
#include "simcore/remote_access.hpp"
#include "simcore/storage_access.hpp"
#include "simcore/time.hpp"
#include "simcore/work.hpp"

namespace rehearse {

enum class SendMode : std::uint8_t { standard, synchronous, buffered, ready };

// The messages that a receive or a probe accepts.
struct Pattern {
  ContextId context;
  std::optional<ActorId> source;  // empty: any
  std::optional<Tag> tag;         // empty: any
};

// A message. Starts `request`; with `blocking` the actor also waits for its completion, and the request then no longer
// exists. Observation: empty; with `blocking` it comes when the request is complete.
struct Send {
  RequestId request;
  ContextId context;
  ActorId destination;
  Tag tag = 0;
  SendMode mode = SendMode::standard;
  bool blocking = false;
  bool of_blocking_call = false;  // costs as if `blocking`
  std::span<const std::byte> data;
  std::uint64_t signature = 0;  // of the element types; 0: unknown
  Origin origin = {};
};

// A posted receive. With `blocking` the actor also waits for it; the Observation then has one Completion, index 0.
// With `taken` it receives the message that the actor's Probe of that number took (see Probe); the pattern describes
// that message and has no other effect.
struct Post {
  RequestId request;
  Pattern pattern;
  std::uint64_t capacity_bytes = 0;
  bool blocking = false;
  std::optional<std::uint32_t> taken = {};
};

enum class Quantifier : std::uint8_t { all, any, some };

// Tests started requests of this actor. Blocking: waits until all (any, at least one) are complete. Not blocking: the
// Observation's flag reports whether they are; the answer may be `no` although they are (the message is in transit).
// Completions name the completed requests by their index in `requests`; those requests then no longer exist.
// With `withdraws` (one receive, not blocking): if the answer is no, the receive is cancelled without a message.
struct Observe {
  std::span<const RequestId> requests;  // not empty, each started and still existing
  Quantifier quantifier = Quantifier::all;
  bool blocking = true;
  bool withdraws = false;
};

// Looks for a message without receiving it. Observation: flag; if it is set, one Completion whose data has the size.
// With `takes`, no other receive or probe can find that message from now on. The message, and its sender, wait until a
// Post names it: 0 is the first message that this actor took in this way, 1 the second, and so on.
struct Probe {
  Pattern pattern;
  bool blocking = true;
  bool takes = false;
};

// An Observe of these requests, a Probe or, with `settles`, a Settle, each without blocking.
struct Awaited {
  std::span<const RequestId> requests = {};
  Quantifier quantifier = Quantifier::all;
  std::optional<Pattern> probed = {};
  bool settles = false;
};

// Sleeps until one of `questions` has the answer yes, or the limit has passed; `polls`: or anything else of the actor
// changes. Observation: now, and the indices of these questions (Completion). Only drivers in simulated time can do it.
struct Await {
  std::span<const Awaited> questions;
  std::optional<Duration> limit = {};  // from now on; 0: the answer comes at once
  bool polls = false;
};

// The members whose contributions a member of a collective needs before it can complete.
enum class Flow : std::uint8_t {
  all_to_all,   // all members: barrier, all-reduce, all-gather, all-to-all
  root_to_all,  // the root: broadcast, scatter
  all_to_root,  // the root needs all members, the others need none: gather, reduce
  prefix,       // the members before it: scan
  nobody,       // none, and the members end: waiting takes time but has no visible effect
  optional,     // none, but waiting for all members is legal, too, and can be observed
};

enum class CollectiveKind : std::uint8_t {
  by_flow,  // unknown: the simplest collective with this flow
  barrier,
  broadcast,
  reduce,
  allreduce,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  scan,
  exscan,
  reduce_scatter,
  reduce_scatter_block
};

// Properties of a collective that only affect its cost: they choose the algorithm.
struct CollectiveHints {
  CollectiveKind kind = CollectiveKind::by_flow;
  bool is_commutative = true;     // the operator, if contributions are combined
  std::uint64_t elements = 0;     // of the contribution, never divided; 0: it can be divided at every byte
  std::uint64_t total_bytes = 0;  // of all contributions, if they differ and each member knows them; 0: unknown
};

// A collective between two groups: a member needs only contributions of the other group, and a root is the root of the
// other group. In a rooted collective, the other members of the root's group do not take part.
struct TwoGroups {
  std::uint32_t first = 0;  // members 0 to first-1 are one group, the others the other; 0: one group
  // Types of the data that the member sends to each member of the other group, and of the data that it receives from
  // each: the sent types must be those that the other side receives. 0: unknown.
  std::uint64_t gives = 0;
  std::uint64_t takes = 0;
};

// A value of Collective::root between two groups: an unspecified other member of the caller's group.
constexpr std::uint32_t another_root = ~std::uint32_t{0};

// The next collective of `context`. The k-th calls of all members on that context are one instance. Observation at
// completion: contributions[i] is the data of member i for the observing member: its whole contribution or, with
// segment_bytes, the observer's segment. It is empty, or after the end, if Flow and groups need none. The memory of a
// blocking caller does not change before the answer. So a driver may read the contribution there instead of copying it,
// and may write received data to the places that the caller named; contributions[i] is then that place.
struct Collective {
  RequestId request;
  ContextId context;
  std::span<const ActorId> members;  // in rank order of the context; the caller is one of them
  std::string_view name;             // name of the called function: must agree between members
  Flow flow = Flow::all_to_all;
  std::uint32_t root = 0;  // index into members, or another_root; for the two rooted flows
  // Operator, element type...: must agree between members of one group; 0: unknown.
  std::uint64_t signature = 0;
  std::span<const std::byte> contribution;
  std::span<const std::uint64_t> segment_bytes;  // per member: its part of the contribution; empty: all of it
  // The places where a blocking caller will store the data of each member, or of the only member with data for it.
  // Empty: unknown. They do not overlap its contribution.
  std::span<const std::span<std::byte>> places = {};
  bool blocking = true;
  bool combining = false;  // contributions are combined on their way (reductions); affects only the cost
  CollectiveHints hints = {};
  // Information about the contribution for all members that receive a part of it, in a format that only they know.
  // Takes no time.
  std::span<const std::byte> remark = {};
  Origin origin = {};
  TwoGroups groups = {};
};

// No later Operation will observe this started request (it may still complete).
struct Release {
  RequestId request;
};

// The origin of a volume. `requested`: the actor asks for it. The others repeat what a driver counted for the code that
// an actor ran between two operations; drivers that count such code treat it as theirs. `stretch`: long enough to pass
// by itself. `shown_stretch`: shorter, and passed because the actor reads the clock next.
enum class VolumeOrigin : std::uint8_t { requested, stretch, shown_stretch };

struct Compute {
  double flops = 0;
  VolumeOrigin origin = VolumeOrigin::requested;
};

struct Sleep {
  Duration duration;
};

// The actor has `count` legal ways to continue, and the driver chooses one. Observation: one Completion with the index
// of the choice. Actors that share memory are one actor here, and the next step of their scheduler is such a choice.
struct Choose {
  std::uint32_t count = 1;
  std::string_view what;  // name of the choice, for reports
};

// Asks for the time. Observation: now.
struct Clock {
  std::optional<Duration> takes = {};  // the duration of an earlier read that this one repeats; empty: unknown
};

// Bytes that the actor wrote: stream 1 is its output, 2 its error output, 3 is for judges (published.hpp).
struct Log {
  int stream = 1;
  std::string_view text;
};

// A finding of the library under the program about this actor (a leak, a wrong argument). The actor continues.
struct Report {
  const Finding* finding = nullptr;
};

// unsupported: the request is not implemented, and the rest of the execution is unknown. not_meant: an assumption of
// the program excludes this execution; nothing in it is a finding. given_up: the driver wants to end (stop_token.hpp).
enum class FailureKind : std::uint8_t { assertion, crash, abort, misuse, unsupported, not_meant, given_up };

// Whether the program is at fault.
constexpr bool is_fault(FailureKind kind) { return kind < FailureKind::unsupported; }

// The actor cannot continue: its last Operation. `what` is the reason, `id` the dotted id of the finding of a fault.
struct Fail {
  FailureKind kind = FailureKind::crash;
  std::string_view id;
  std::string_view what;
};

// The actor has ended: its last Operation.
struct End {
  int status = 0;
};

using Operation = std::variant<Send, Post, Observe, Probe, Collective, RemoteAccess, Traffic, Settle, StorageAccess,
                               Work, Await, Release, Choose, Compute, Sleep, Clock, Log, Report, Fail, End>;

}  // namespace rehearse
