// SPDX-License-Identifier: MIT
//
// The object behind a request handle of the program: a started send, receive or collective, or a persistent one.
//
// States: inactive (a persistent request between uses), pending (the driver knows it by `id`, or its pieces by theirs,
//         unless it `awaits` something of the program), complete (it has an `ending` that the program has not seen).
// Memory: the driver copies what it is given, so a pending send needs no buffer of ours.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mpi.h"
#include "simcore/observation.hpp"
#include "simcore/operation.hpp"
#include "smpi/buffers/token.hpp"
#include "smpi/communicator/communicator.hpp"
#include "smpi/datatype/datatype.hpp"
#include "smpi/handle_registry.hpp"
#include "smpi/p2p/status.hpp"
#include "smpi/request/contributions.hpp"
#include "smpi/request/generalized.hpp"
#include "smpi/request/withheld_state.hpp"

namespace rehearse::smpi {

// One side of a message, as checked. `peer` is a rank, MPI_PROC_NULL or, for a receive, MPI_ANY_SOURCE.
struct Transfer {
  void* buffer = nullptr;  // of a send: never written
  MPI_Count count = 0;
  DatatypeRef type;
  int peer = MPI_PROC_NULL;
  int tag = 0;
  SendMode mode = SendMode::standard;
  bool is_of_collective = false;  // a receive of one: it must be filled
};

// That a message is of other types than the receive that took it, or what a member of a collective gave.
struct TypeMismatch {
  std::string what;  // empty: it is not
  ActorId sender;
  CreationSite sent;
  std::string_view id = "message.type";

  explicit operator bool() const { return !what.empty(); }
};

// What was wrong with a finished operation.
struct Trouble {
  int error = MPI_SUCCESS;  // class
  std::string text;
  std::string_view id;      // of the finding; empty: the one of the class
  TypeMismatch types = {};  // is reported, and stops nobody
};

// What a rank does with the contributions that it was given. Neither may ask() unless it says so.
struct CollectiveEnd {
  std::function<Trouble(Contributions)> apply;
  bool runs_user_code = false;  // which may ask(): then the contributions must be copied first
};

// One of the messages of a compound operation.
struct Piece {
  RequestId id;
  bool receives = false;
  bool done = false;
  Transfer transfer;  // of a receive
  BufferToken buffer = 0;
  bool opens = false;  // its message says how many others there are: RequestExtra::follow starts them
};

struct Request;

// What only few requests have.
struct RequestExtra {
  std::vector<Piece> pieces;  // of a compound operation
  bool tells_source = false;  // compound: its status is that of its receive
  // Of a persistent request that is not one message: starts it; returns an error class, raised.
  std::function<int(Request&)> begin;
  // Of an active request that the driver does not know: what the program still has to do.
  std::string awaits;
  Generalized generalized;
  bool freed = false;                    // of a generalized request: by the program, before it was complete
  std::vector<bool> ready;               // of a partitioned send: its partitions
  ContextId space;                       // of a partitioned send or receive: where it meets the other one
  int partitions = 0;                    // of a partitioned send or receive; 0: not partitioned
  MPI_Count peer_partitions = 0;         // of a partitioned receive: of its send; 0: unknown
  std::function<void(Request&)> follow;  // starts the others, once a piece that opens them is done
  std::vector<BufferToken> buffers;      // pending ones besides those of the request and its pieces
  std::vector<ChangedBuffer> changed;    // changed buffers that are not reported yet
  CreationSite overwritten;              // where the program put another request into the variable of this one
  WithheldState send;                    // of a send that may be cancelled
  CreationSite waited;                   // where the program waited for it, persistent, although it had never started
};

struct Request final {
  // compound: several messages that complete together.
  // generalized: complete when the program says so (MPI_Grequest_complete).
  enum class Kind : std::uint8_t { send, receive, collective, compound, generalized };
  enum class State : std::uint8_t { inactive, pending, complete };

  Kind kind = Kind::send;
  State state = State::inactive;
  bool persistent = false;
  bool started = false;  // persistent: ever
  RequestId id;
  const void* started_at = nullptr;  // a send: where in the program
  CommunicatorRef communicator;
  Transfer transfer;         // of a send or a receive
  CollectiveEnd collective;  // of a collective
  // Contributions, between completion and settling, for a collective end that runs user code.
  std::optional<KeptContributions> kept;
  std::unique_ptr<RequestExtra> extra;
  std::array<BufferToken, 2> buffers{};  // pending ones, of what is no compound

  // When complete:
  Ending ending;
  Trouble trouble;
  TypeMismatch type_mismatch;
  std::uint64_t listing = 0;  // the last list of requests that it was in

  RequestExtra& more() {
    if (!extra) extra = std::make_unique<RequestExtra>();
    return *extra;
  }
  // Active, but nothing that anybody else does completes it.
  bool awaits_program() const { return extra && !extra->awaits.empty(); }

  // From a pool of the calling rank.
  static void* operator new(std::size_t bytes);
  static void operator delete(void* block);
};

using RequestTable = HandleRegistry<MPI_Request, std::unique_ptr<Request>, HandleKind::request>;

// The requests of a rank.
struct RequestTables {
  RequestTable made;
  std::uint64_t listings = 0;  // lists of several requests that the program gave so far
};

RequestTable& requests();  // of the calling rank

// Null: MPI_REQUEST_NULL, freed, or no request.
inline Request* find_request(MPI_Request handle) {
  const std::unique_ptr<Request>* found = requests().find(handle);
  return found == nullptr ? nullptr : found->get();
}

// A new handle of the program for the request.
MPI_Request add_request(std::unique_ptr<Request> request);
// The same, written to a variable of the program, which may still hold a request that continues.
void give_request(MPI_Request* variable, std::unique_ptr<Request> request);

// A number that no other list of requests of the rank has.
std::uint64_t number_of_listing();

// ---- Ends. Nothing here asks: the Observation stays valid.

// A message has been received into the transfer's buffer: moves the data and says how it ended.
struct Received {
  Ending ending;
  Trouble trouble;
  TypeMismatch type_mismatch;
};
// Without a place the data is dropped.
Received receive_message(const Communicator& communicator, const Transfer& transfer, const Completion& completion,
                         bool has_place = true);

// Moves what one message of a compound request brought; whether it was the last one. One that opens others is not.
bool complete_piece(Request& request, std::size_t piece, const Completion& completion);

// Its buffers are the program's again: at once before data is moved. False: one is gone, nothing must be moved.
bool end_uses(Request& request);
// Its buffers stay in use for an operation that continues without the request.
void release_uses(Request& request);

// Turns a pending request into a complete one.
void complete_request(Request& request, const Completion& completion);

// ---- Conclusions. These may ask or run code of the program.

// The effects of a complete request are in the program's memory, what was wrong with its types is reported.
void settle_request(Request& request);

// The program learns that a complete request is over: settles it, writes the status and frees the request (a persistent
// one becomes inactive). Returns what was wrong, which is not raised.
Trouble conclude_request(MPI_Request* handle, MPI_Status* status);

// Asks the program's function what a generalized request's status is; and lets the program free what it held.
Trouble query_generalized(const Request& request, MPI_Status* status);
Trouble conclude_generalized(Request& request, MPI_Status* status);

// Frees one: at once if it is complete, else when the program completes it.
void free_generalized(MPI_Request* handle);

// Reports it. `received`: where the receive was started; empty: in the call that the rank is in.
void report_type_mismatch(const TypeMismatch& mismatch, const CreationSite& received = {});

}  // namespace rehearse::smpi
