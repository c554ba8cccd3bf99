// SPDX-License-Identifier: MIT
//
// The object behind a request handle of the program: a started send, receive or collective, or a persistent one.
//
// States: inactive (a persistent request between uses), pending (the driver knows it by `id`, or its pieces by their
//         ids, unless it `awaits` an action of the program), complete (it has an `ending` that the program has not
//         seen).
// Memory: the driver copies the data of a send, so a pending send needs no buffer here.
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
#include "smpi/request/thread_use.hpp"
#include "smpi/request/withheld_state.hpp"

namespace rehearse::smpi {

// One side of a message, with checked arguments. `peer` is a rank, MPI_PROC_NULL or, for a receive, MPI_ANY_SOURCE.
struct Transfer {
  void* buffer = nullptr;  // of a send: never written
  MPI_Count count = 0;
  DatatypeRef type;
  int peer = MPI_PROC_NULL;
  int tag = 0;
  SendMode mode = SendMode::standard;
  bool is_of_collective = false;  // a receive in a collective: the message must fill it
};

// A difference in type between a message and the receive that took it, or between the two sides of a collective.
struct TypeMismatch {
  std::string what;  // empty: no difference
  ActorId sender;
  CreationSite sent;
  std::string_view id = "message.type";

  explicit operator bool() const { return !what.empty(); }
};

// The error of a finished operation.
struct Trouble {
  int error = MPI_SUCCESS;  // class
  std::string text;
  std::string_view id;      // of the finding; empty: the one of the class
  TypeMismatch types = {};  // is reported; the rank continues
};

// The action of a rank when it gets the contributions. `apply` may start operations only if it runs user code.
struct CollectiveEnd {
  std::function<Trouble(Contributions)> apply;
  bool runs_user_code = false;  // which may start operations, so the contributions must be copied before
};

// One of the messages of a compound operation.
struct Piece {
  RequestId id;
  bool receives = false;
  bool done = false;
  Transfer transfer;  // of a receive
  BufferToken buffer = 0;
  bool opens = false;  // its message has the number of the other pieces: RequestExtra::follow starts them
};

struct Request;

// Memory of the program that the request uses through a copy (sections of arrays in Fortran).
class RequestSection {
 public:
  virtual ~RequestSection() = default;
  virtual void gather() = 0;   // at the start
  virtual void scatter() = 0;  // at the completion; does nothing if it has been done
};

// Data that few requests have.
struct RequestExtra {
  std::vector<Piece> pieces;        // of a compound operation
  bool has_receive_status = false;  // a compound request: its status is that of its receive
  // Starts a persistent request that is not a single message. Returns an error class, which has been raised.
  std::function<int(Request&)> begin;
  // Of an active request that the driver does not know: the missing action of the program, as an error text.
  std::string awaits;
  Generalized generalized;
  bool freed = false;                    // of a generalized request: the program freed it before it was complete
  std::vector<bool> ready;               // of a partitioned send: whether each partition is ready
  ContextId space;                       // of a partitioned send or receive: the context in which both match
  int partitions = 0;                    // of a partitioned send or receive; 0: not partitioned
  MPI_Count peer_partitions = 0;         // of a partitioned receive: the number of partitions of its send; 0: unknown
  std::function<void(Request&)> follow;  // starts the remaining pieces after an opening piece is done
  std::vector<BufferToken> buffers;      // further pending buffers, besides those of the request and its pieces
  std::vector<ChangedBuffer> changed;    // changed buffers that are not reported yet
  CreationSite overwritten;              // where the program stored another request in the variable of this one
  WithheldState send;                    // of a send that may be cancelled
  std::vector<std::shared_ptr<RequestSection>> sections;
  // Of an access to a window; of an access to a file in several steps: its end, without an answer.
  std::function<Trouble(std::span<const std::byte> answer)> take_answer;
  bool is_of_file = false;   // an access to a file
  MPI_Count file_bytes = 0;  // of such an access, for the status
  std::optional<ThreadUse> waited_by = {};
  CreationSite waited;  // where the program waited for this persistent request before its first start
};

struct Request final {
  // compound: several messages that complete together. generalized: the program completes it (MPI_Grequest_complete).
  // one_sided: an access to a window.
  enum class Kind : std::uint8_t { send, receive, collective, compound, generalized, one_sided };
  enum class State : std::uint8_t { inactive, pending, complete };

  Kind kind = Kind::send;
  State state = State::inactive;
  bool persistent = false;
  bool started = false;  // a persistent request: at least once
  RequestId id;
  const void* started_at = nullptr;  // a send: where in the program
  CommunicatorRef communicator;
  Transfer transfer;         // of a send or a receive
  CollectiveEnd collective;  // of a collective
  // Contributions, between completion and settling, for a collective end that runs user code.
  std::optional<KeptContributions> kept;
  std::unique_ptr<RequestExtra> extra;
  std::array<BufferToken, 2> buffers{};  // pending buffers, unless the request is compound

  // When complete:
  Ending ending;
  Trouble trouble;
  TypeMismatch type_mismatch;
  std::uint64_t list_number = 0;  // the number of the last list of requests that contained it

  RequestExtra& more() {
    if (!extra) extra = std::make_unique<RequestExtra>();
    return *extra;
  }
  // Active, and only the program itself can complete it.
  bool awaits_program() const { return extra && !extra->awaits.empty(); }

  // From a pool of the calling rank.
  static void* operator new(std::size_t bytes);
  static void operator delete(void* block);
};

using RequestTable = HandleRegistry<MPI_Request, std::unique_ptr<Request>, HandleKind::request>;

// The requests of a rank.
struct RequestTables {
  RequestTable made;
  std::uint64_t lists = 0;  // number of lists of several requests so far
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

// A new number for a list of requests.
std::uint64_t next_list_number();

// ---- Ends. These functions start no operation, so the Observation stays valid.

// The result of the receive of a message into the transfer's buffer.
struct Received {
  Ending ending;
  Trouble trouble;
  TypeMismatch type_mismatch;
};
// Copies the data into the buffer. Without a place, the data is dropped.
Received receive_message(const Communicator& communicator, const Transfer& transfer, const Completion& completion,
                         bool has_place = true);

// Copies the data of one message of a compound request. Returns whether it was the last message; an opening message is
// not.
bool complete_piece(Request& request, std::size_t piece, const Completion& completion);

// Returns the buffers to the program, immediately before the data is copied into them. False: the memory of a buffer is
// gone, so no data must be copied.
bool end_uses(Request& request);
// Keeps the buffers in use for an operation that continues without the request.
void release_uses(Request& request);

// Turns a pending request into a complete one.
void complete_request(Request& request, const Completion& completion);

// ---- Conclusions. These functions may start operations or run code of the program.

// Applies the effects of a complete request to the program's memory, and reports differences in type.
void settle_request(Request& request);

// Reports the completion to the program: settles the request, writes the status and frees the request (a persistent one
// becomes inactive). Returns its error, which is not raised.
Trouble conclude_request(MPI_Request* handle, MPI_Status* status);

// The status of a generalized request, from the program's function. conclude_generalized() then calls the program's
// free function.
Trouble query_generalized(const Request& request, MPI_Status* status);
Trouble conclude_generalized(Request& request, MPI_Status* status);

// Frees a generalized request: immediately if it is complete, otherwise when the program completes it.
void free_generalized(MPI_Request* handle);

// Reports the difference. `received`: the place where the receive was started; empty: the current MPI call of the rank.
void report_type_mismatch(const TypeMismatch& mismatch, const CreationSite& received = {});

}  // namespace rehearse::smpi
