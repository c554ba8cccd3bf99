// SPDX-License-Identifier: MIT
//
// The timed driver's data about messages, requests, collectives and actors.
//
// Ownership: the parts of Engine::Core; pointers between these objects are valid while the objects are live.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "simcore/collective_schedule.hpp"
#include "simcore/engine.hpp"
#include "simcore/engine/mail.hpp"
#include "simcore/engine/message_bytes.hpp"
#include "simcore/engine/passages.hpp"
#include "simcore/engine/request_table.hpp"
#include "simcore/engine/sides.hpp"
#include "simcore/engine/waiting_rows.hpp"
#include "simcore/matching.hpp"
#include "simcore/observation.hpp"
#include "simcore/operation.hpp"
#include "simcore/platform.hpp"
#include "simcore/time.hpp"

namespace rehearse::engine {

struct Message;
struct Instance;
struct PendingAccess;

struct Request {
  enum class Kind : std::uint8_t { send, receive, collective, access, storage, work };
  std::uint32_t index = 0;
  bool is_live = false;
  Kind kind = Kind::send;
  ActorId actor;
  RequestId id;
  bool is_done = false;
  bool is_released = false;         // its actor will not observe it
  bool is_awaited = false;          // its actor waits for it now
  Pattern pattern;                  // of a receive
  Mailbox::Place place = 0;         // of a receive that is not matched and not forced
  Message* message = nullptr;       // of a send that is not done; of a receive that is matched
  Instance* instance = nullptr;     // of a collective
  std::uint32_t member = 0;         // of the collective
  PendingAccess* access = nullptr;  // of an access
};

struct Message {
  std::uint32_t index = 0;
  bool is_live = false;
  Envelope envelope;
  RequestId sent_by;  // the source's request
  SendMode mode = SendMode::standard;
  bool is_notice = false;
  std::uint64_t signature = 0;
  Origin origin;
  Category category = 0;
  MessageBytes data;
  bool is_eager = true;
  bool has_arrived = false;             // visible once all earlier ones of its channel have arrived, too
  bool is_reserved = false;             // for a forced receive
  bool is_released = false;             // the send was released
  std::optional<Mailbox::Place> place;  // visible and not matched
  Channel* channel = nullptr;
  Message* next = nullptr;     // in the channel
  Request* send = nullptr;     // until the send is done
  Request* receive = nullptr;  // once matched
  TimePoint sent;
  TimePoint arrived;  // of an eager one that has arrived
};

struct Member {
  Request* request = nullptr;               // once arrived
  std::span<const std::byte> contribution;  // in `kept`, or in the member's memory
  std::vector<std::byte> kept;
  std::vector<std::byte> remark;
  std::span<const std::span<std::byte>> places;  // for the data that it receives
  bool is_borrowed = false;                      // the contribution is still in the member's memory
  bool is_handed_on = false;                     // members that still needed it got it when this one continued
  bool is_answered = false;
  std::vector<std::uint64_t> segment_ends;  // empty: no segments, or equal ones
  std::uint64_t equal_segment = 0;          // if has_equal_segments
  bool has_equal_segments = false;
  std::uint32_t round = 0;    // its current round of the schedule
  std::uint32_t open = 0;     // sends and receives of the round that are not over
  double uncombined = 0;      // received bytes that wait to be combined
  bool is_combining = false;  // a combination is in progress
  TimePoint busy_until;       // with messages
  bool is_done = false;
  const char* mismatch = "";  // how its call differs from the first member's
  Origin origin;              // of its call
  std::string name;           // of its call, as root and signature; set only if there is a mismatch
  std::uint32_t root = 0;
  std::uint64_t signature = 0;
};

// One collective: the k-th of its context.
struct Instance {
  std::uint32_t index = 0;
  bool is_live = false;
  std::string name;
  Flow flow = Flow::all_to_all;
  std::uint32_t root = 0;
  std::uint64_t signature = 0;
  std::uint32_t signature_member = 0;  // the first member that has one
  bool is_combining = false;
  bool is_broken = false;  // members disagree: it never ends
  Sides sides;             // of a collective between two groups
  ContextId context;
  std::uint64_t number = 0;
  const std::vector<ActorId>* actors = nullptr;  // of the space
  std::vector<Member> members;
  std::uint32_t first_member = 0;  // the first one that arrived
  std::uint32_t arrived = 0;
  TimePoint last_arrival;
  TimePoint root_arrival;
  std::uint32_t delivered = 0;
  // So far, all contributions have the same size, and so have their segments.
  bool is_uniform = true;
  std::uint64_t uniform_bytes = 0;
  std::uint64_t uniform_segment = 0;
  bool has_segments = false;    // at least one member has segments
  bool lists_differ = false;    // members receive data from different memory
  std::uint32_t in_prefix = 0;  // number of members, from the first on, that have all arrived
  // The data that members receive: the first `listed` entries are set; with segments, they are those of one observer.
  std::vector<std::span<const std::byte>> list;
  std::uint32_t listed = 0;
  std::vector<Remark> remarks;  // by member; empty: none yet
  SharedResult shared;          // its data is shared_data
  std::vector<std::byte> shared_data;
  std::shared_ptr<const CollectiveSchedule> schedule;
  std::vector<Passage> passages;
  std::uint32_t unused = Passage::none;
  std::unordered_map<MemberPair, UnpairedPassages, MemberPair::Hash> unpaired;
};

// The members of a context, in their order. Contexts with the same members share one list.
struct MemberList {
  std::vector<ActorId> actors;
  std::vector<std::uint32_t> hosts;                            // by member
  std::unordered_map<std::uint32_t, std::uint32_t> member_of;  // by actor
};

// The collectives of one context.
struct CollectiveSpace {
  const MemberList* members = nullptr;
  std::vector<std::uint64_t> calls;  // by member
  std::deque<Instance*> open;        // instances from `first_open` on; null: over
  std::uint64_t first_open = 0;
};

enum class Wait : std::uint8_t {
  nothing,      // about to run
  request,      // a blocking send, receive or collective
  observe,      // a blocking Observe, or a forced yes
  probe,        // a blocking Probe, or a forced yes
  gathering,    // a collective of known duration
  poll,         // an Observe, Probe or Await that will be answered no unless something changes before
  settle,       // a Settle
  await,        // an Await without a limit
  nap,          // an Await with one
  pause,        // Compute, Sleep, Clock
  overhead,     // time that messages cost it, before its operation begins
  computation,  // measured application code, before its operation begins
  never         // ended or failed
};

struct ActorState {
  HostId host;
  const Operation* operation = nullptr;
  std::uint32_t operations = 0;  // number of answered ones, which is the number of the current one
  Wait wait = Wait::nothing;
  bool is_ready = false;  // in the queue of ready actors
  bool poll_is_over = false;
  Request* request = nullptr;  // of a blocking operation
  std::uint32_t awaited = 0;   // requests that must be done before it continues
  std::uint32_t timer = 0;     // number of its last timer; earlier ones are void
  PollRow polls;
  ClockRow looks;
  std::uint64_t site = 0;  // Program::site() at its last operation, if bursts are sampled
  double uncharged = 0;    // seconds of application code that have not passed yet
  bool idles = false;      // waits in a poll that has no end date
  bool is_listed = false;  // in the list of idle actors, even if it idles no longer
  std::uint32_t polls_without_progress = 0;
  std::uint64_t progress_seen = 0;
  TimePoint began;    // start of its operation
  TimePoint partner;  // the last start of a partner of its operation; before `began`: it did not wait for one
  Duration ahead;     // of the date of the run, before its operation begins
  RequestTable<Request> requests;
  std::uint32_t traffic = 0;     // that has not arrived
  std::uint32_t works = 0;       // that are not done
  bool works_meanwhile = false;  // there were some when its Await began; they are the same until it is over
  Duration debt;                 // costs of received messages, which pass before its next operation
  bool has_paid = false;         // the costs before its operation have passed
  const Loss* loss = nullptr;    // null: it is never lost
  bool is_lost = false;          // it is, and has not been told
  std::unique_ptr<Mail> mail;    // null: it has neither sent nor received

  Mail& own_mail() {
    if (mail == nullptr) mail = std::make_unique<Mail>();
    return *mail;
  }
};

}  // namespace rehearse::engine
