// SPDX-License-Identifier: MIT
//
// From the events of one rank to its actions.
//
// Calls:  the records between the enter and the leave of a region of MPI are one call.
// Errors: the event, without the file.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "simcore/support/result.hpp"
#include "trace/action.hpp"
#include "trace/losses.hpp"
#include "trace/otf2/definitions.hpp"

namespace rehearse::trace::otf2 {

struct CallOfArchive {
  Action action;
  const std::string* function = nullptr;  // of the call; null: computation
};

// Communicators by their numbers in the archive: the index in the trace, and the rank's number in it.
struct Place {
  std::uint32_t communicator = 0, member = 0;
};
using Places = std::unordered_map<OTF2_CommRef, Place>;

// A function whose messages are not in archives.
struct UnsupportedCall {
  std::string function;  // empty: none
  std::string kind;
};

struct RankActions {
  std::vector<CallOfArchive> calls;
  std::deque<std::vector<std::uint64_t>> segments;  // which actions point to
  UnsupportedCall unsupported;                      // the rank's actions end before it
  Losses losses;
};

struct MessageRecord {
  std::uint32_t peer = 0;  // in the communicator
  OTF2_CommRef communicator = 0;
  std::uint32_t tag = 0;
  std::uint64_t bytes = 0;
};

class RankEvents {
 public:
  RankEvents(const Definitions& definitions, const Places& places, std::uint32_t rank, double flops_per_second);

  void enter(std::uint64_t time, OTF2_RegionRef region);
  void leave(std::uint64_t time, OTF2_RegionRef region);
  void count(std::uint64_t instructions) { counted_ = instructions; }
  void count(double instructions);
  void send(const MessageRecord& record, std::optional<std::uint64_t> request);
  void start_receive(std::uint64_t request);
  void receive(const MessageRecord& record, std::optional<std::uint64_t> request);
  void complete(std::uint64_t request);
  void cancel(std::uint64_t request);
  void start_collective(std::uint64_t request);
  void collective(CollectiveKind kind, OTF2_CommRef communicator, std::uint32_t root, std::uint64_t sent,
                  std::uint64_t received, std::optional<std::uint64_t> request);

  // Nothing, or the reason for which the archive cannot be replayed.
  const std::optional<std::string>& problem() const { return problem_; }
  // Call it once, behind the last event.
  Result<RankActions> finish();

 private:
  void add(AnyAction action, OTF2_CommRef communicator, bool is_communication);
  void set_place(Action& action, OTF2_CommRef communicator);
  void start(std::uint64_t request, const RequestName& name);
  RequestName next_name();
  bool check(const MessageRecord& record);
  void add_or_complete(AnyAction action, OTF2_CommRef communicator, std::optional<std::uint64_t> request);
  void note_order(std::size_t completed);
  void note_poll(const std::string& function);
  void compute(std::uint64_t time);
  void join_exchange();
  void refuse(const std::string& function);
  std::uint32_t world_rank(OTF2_CommRef communicator, std::uint32_t member);
  void fail(std::string why);
  std::vector<std::uint64_t>& parts(std::uint64_t total, std::size_t members);

  const Definitions& definitions_;
  const Places& places_;
  std::uint32_t rank_;
  double flops_per_tick_;
  RankActions result_;
  std::vector<OTF2_RegionRef> calls_;  // open regions of MPI
  std::size_t first_of_call_ = 0;      // its first action
  std::size_t supported_calls_ = 0;    // until the first function that is not replayed
  std::uint64_t last_ = 0;             // end of the last call
  std::uint64_t end_ = 0;              // of the last region, or its begin
  bool has_begun_ = false;
  std::uint64_t counted_ = 0, counted_before_ = 0;        // instructions: now, and at the end of the last call
  std::unordered_map<std::uint64_t, std::size_t> open_;   // by request: the action that started it
  std::unordered_map<std::uint64_t, RequestName> names_;  // by request
  std::int32_t names_made_ = 0;
  std::optional<std::string> problem_;
};

}  // namespace rehearse::trace::otf2
