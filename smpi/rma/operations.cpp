// SPDX-License-Identifier: MIT
//
// The calls that start an operation on a window: put, get, accumulates and their request forms.
//
// Epochs: an operation in a fence or start epoch is queued until the epoch ends; the target then carries it out. An
//         operation in a lock epoch, and one of a start epoch that needs an answer, is an access (access.hpp). Where a
//         driver exchanges accesses as messages, all operations are.
// Source: MPI 5.0, 12.3.
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/buffers/pending.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/datatype/amount.hpp"
#include "smpi/datatype/pack.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/library.hpp"
#include "smpi/op/kernels.hpp"
#include "smpi/process.hpp"
#include "smpi/report.hpp"
#include "smpi/rma/access.hpp"
#include "smpi/rma/operation_message.hpp"
#include "smpi/rma/window.hpp"

namespace rehearse::smpi {
namespace {

struct LocalSide {
  const void* address = nullptr;
  MPI_Count count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const char* name = "origin_addr";
};

struct TargetSide {
  int rank = 0;
  MPI_Aint displacement = 0;
  MPI_Count count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

// The arguments of the MPI call.
struct OneSided {
  Deed deed;
  LocalSide origin;  // not of a get
  LocalSide result;  // of a get and of fetching operations
  TargetSide target;
  MPI_Op op = MPI_REPLACE;
  MPI_Win win;
  bool has_request = false;
  MPI_Request* request = nullptr;
  const void* compare = nullptr;  // of a compare-and-swap
};

// A local side with checked arguments.
struct CheckedSide {
  const void* address = nullptr;
  MPI_Count count = 0;
  const Datatype* type = nullptr;

  std::uint64_t bytes() const { return static_cast<std::uint64_t>(type->size() * count); }
  Blocks blocks() const { return Blocks::equal({const_cast<void*>(address), count, DatatypeRef(type)}, 1); }
};

const Datatype* checked_type(Arguments& check, MPI_Datatype handle, std::string_view role) {
  if (check.failed()) return nullptr;
  const Datatype* type = find_datatype(handle);
  if (type == nullptr) {
    check.require(false, MPI_ERR_TYPE, std::string(role) + ": " + wrong_handle(Kind::datatype, handle));
    return nullptr;
  }
  check.require(type->committed() || committed_on_use(handle), MPI_ERR_TYPE,
                [&] { return std::string(role) + ": the datatype was not committed"; });
  return check.failed() ? nullptr : type;
}

CheckedSide checked_side(Arguments& check, const LocalSide& side, const char* role) {
  check.count(side.count, std::string(role) + "_count");
  const Datatype* type = checked_type(check, side.type, std::string(role) + "_datatype");
  if (check.failed()) return {};
  check.buffer(side.address, side.count, type, side.name);
  return {side.address, side.count, type};
}

// The arguments of an operation after all checks, and what follows from them.
struct PreparedOperation {
  Window* window = nullptr;
  CheckedSide origin, result;
  const Datatype* target_type = nullptr;
  std::vector<TargetBlock> blocks;
  OperationHeader header;
};

// The displacement in bytes from the window's base, or of a dynamic window the address.
std::optional<std::int64_t> byte_displacement(const WindowPart& part, MPI_Aint displacement) {
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(static_cast<std::int64_t>(displacement), static_cast<std::int64_t>(part.unit), &bytes))
    return std::nullopt;
  return bytes;
}

std::string range_text(const WindowPart& part, std::int64_t begin, std::int64_t end, int rank) {
  return fmt::format("the operation touches bytes {} to {} of the window of rank {}, which has {}", begin, end - 1,
                     rank, bytes_text(part.bytes));
}

// The address of the target buffer; null after having raised an error.
std::byte* checked_place(Arguments& check, const Window& window, const TargetSide& target, const Datatype& type) {
  const WindowPart& part = window.part(target.rank);
  const std::optional<std::int64_t> offset = byte_displacement(part, target.displacement);
  if (!offset)
    check.require(false, MPI_ERR_RMA_RANGE,
                  fmt::format("target_disp {} times the displacement unit {} is out of range", target.displacement,
                              part.unit));
  if (check.failed()) return nullptr;
  if (window.flavor == MPI_WIN_FLAVOR_DYNAMIC) return reinterpret_cast<std::byte*>(*offset);
  if (target.count == 0 || type.size() == 0) return part.base + *offset;
  const std::int64_t span = (target.count - 1) * type.extent();
  const std::int64_t begin = *offset + type.true_lower_bound() + std::min<std::int64_t>(span, 0);
  const std::int64_t end = *offset + type.true_lower_bound() + std::max<std::int64_t>(span, 0) + type.true_extent();
  if (begin < 0 || end > static_cast<std::int64_t>(part.bytes))
    check.require(false, MPI_ERR_RMA_RANGE, range_text(part, begin, end, target.rank));
  return part.base + *offset;
}

// An atomic operation: the operator, and one predefined type on both sides.
void check_elements(Arguments& check, const OneSided& call, PreparedOperation& operation, std::byte* place) {
  ElementBlocks there = element_blocks_of(*operation.target_type, call.target.count, place);
  check.require(!there.differ, MPI_ERR_TYPE, "the target datatype consists of different predefined types");
  if (check.failed() || there.element == nullptr) return;
  operation.header.element = there.element->handle;
  operation.blocks = std::move(there.blocks);
  const Op* op = find_op(call.op);
  if (op == nullptr) return void(check.require(false, MPI_ERR_OP, wrong_handle(Kind::op, call.op)));
  check.require(op->code() != OpCode::user, MPI_ERR_OP, "an operator of the program cannot be used on a window");
  if (check.failed()) return;
  operation.header.op = op->code();
  const Datatype& element = *predefined_datatype(there.element->handle);
  if (call.deed == Deed::swap) {
    const TypeClass kind = there.element->type_class;
    using enum TypeClass;
    check.require(kind == c_integer || kind == fortran_integer || kind == logical || kind == multi_language ||
                      kind == byte || kind == character,
                  MPI_ERR_TYPE, "MPI_Compare_and_swap is not defined on " + describe(element));
  } else if (op->code() != OpCode::replace && op->code() != OpCode::no_op) {
    check.require(op->accepts(element) || op->is_tolerated(element), MPI_ERR_OP,
                  op->name() + (" is not defined on " + describe(element)));
  }
  const auto same = [&](const CheckedSide& side) {
    if (side.type == nullptr || side.count == 0 || side.type->size() == 0) return true;
    const ElementBlocks here = element_blocks_of(*side.type, 1, nullptr);
    return !here.differ && here.element == there.element;
  };
  check.require(same(operation.origin) && same(operation.result), MPI_ERR_TYPE,
                "the datatypes of an accumulate consist of different predefined types", "rma.type");
}

// The data must be a prefix of the elements that the other side names.
void check_signatures(Arguments& check, const OneSided& call, const PreparedOperation& operation) {
  if (check.failed()) return;
  const CheckedSide& side = call.deed == Deed::get ? operation.result : operation.origin;
  if (side.type == nullptr) return;
  const auto there = static_cast<std::uint64_t>(operation.target_type->size() * call.target.count);
  const bool gets = call.deed == Deed::get;
  const std::uint64_t sent = gets ? there : side.bytes();
  const std::uint64_t room = gets ? side.bytes() : there;
  if (sent > room)
    check.require(false, MPI_ERR_TRUNCATE,
                  fmt::format("the operation moves {}, but there is room for {}", bytes_text(sent), bytes_text(room)),
                  "rma.type");
  if (check.failed() || is_atomic(call.deed)) return;
  const Datatype& from = gets ? *operation.target_type : *side.type;
  const Datatype& to = gets ? *side.type : *operation.target_type;
  const std::uint64_t given = signature_of(from, gets ? call.target.count : side.count);
  const std::uint64_t wanted = signature_of_bytes(to, static_cast<std::int64_t>(sent));
  if (given == 0 || wanted == 0 || given == wanted) return;
  report("rma.type", Severity::error,
         fmt::format("the operation moves {}, but the other side names {}",
                     amount_text(gets ? call.target.count : side.count, from),
                     amount_text(gets ? side.count : call.target.count, to)));
}

// Everything that is wrong in the arguments alone.
PreparedOperation prepare(Arguments& check, const OneSided& call) {
  PreparedOperation operation;
  operation.window = find_window(call.win);
  if (call.deed == Deed::swap) check.pointer(call.compare, "compare_addr");
  const bool ignores_origin = call.deed == Deed::get || call.op == MPI_NO_OP;
  if (!ignores_origin) operation.origin = checked_side(check, call.origin, "origin");
  if (has_answer(call.deed)) operation.result = checked_side(check, call.result, "result");
  check.count(call.target.count, "target_count");
  operation.target_type = checked_type(check, call.target.type, "target_datatype");
  const bool is_dynamic = !check.failed() && operation.window->flavor == MPI_WIN_FLAVOR_DYNAMIC;
  if (!is_dynamic && call.target.displacement < 0)
    check.require(false, MPI_ERR_DISP,
                  fmt::format("target_disp is {}; it must not be negative", call.target.displacement));
  if (check.failed()) return operation;
  std::byte* place = checked_place(check, *operation.window, call.target, *operation.target_type);
  if (check.failed()) return operation;
  operation.header.deed = call.deed;
  operation.header.heard = library().heard != operation.window->heard_before ? 1 : 0;
  if (is_atomic(call.deed)) check_elements(check, call, operation, place);
  else operation.blocks = blocks_of(*operation.target_type, call.target.count, place);
  check_signatures(check, call, operation);
  const CreationSite site = creation_site();
  operation.header.function = site.function;
  operation.header.place = site.return_address;
  return operation;
}

// Only as much as is moved, if one side has less than the other.
void limit(const OneSided& call, PreparedOperation& operation) {
  const bool is_element = is_atomic(call.deed) && operation.header.element != MPI_DATATYPE_NULL;
  const std::uint64_t unit =
      is_element ? static_cast<std::uint64_t>(predefined_datatype(operation.header.element)->size()) : 1;
  if (operation.origin.type != nullptr && call.deed != Deed::swap)
    shorten(operation.blocks, operation.origin.bytes(), unit);
  if (operation.result.type != nullptr) shorten(operation.blocks, operation.result.bytes(), unit);
  std::uint64_t bytes = 0;
  for (const TargetBlock& block : operation.blocks) bytes += block.count * unit;
  operation.header.answer_bytes = has_answer(call.deed) ? bytes : 0;
}

// Ranges of dynamic windows may be detached before the target carries out the operation.
bool can_lend(const OneSided& call, const PreparedOperation& operation) {
  return call.deed == Deed::put && driver_services().shares_memory && !windows_are_messages() &&
         operation.window->flavor != MPI_WIN_FLAVOR_DYNAMIC && operation.origin.type->contiguous() &&
         operation.origin.bytes() >= lent_bytes_least;
}

QueuedOperation make_queued(const OneSided& call, PreparedOperation& operation) {
  limit(call, operation);
  QueuedOperation queued;
  if (operation.origin.type != nullptr)
    if (const BufferToken token = begin_use({operation.origin.blocks(), false})) queued.buffers.push_back(token);
  if (operation.result.type != nullptr)
    if (const BufferToken token = begin_use({operation.result.blocks(), true})) queued.buffers.push_back(token);
  const CheckedSide& origin = operation.origin;
  const bool is_sent = origin.type != nullptr && !operation.blocks.empty();
  if (is_sent && can_lend(call, operation)) {
    const std::byte* begin = static_cast<const std::byte*>(origin.address) + origin.type->layout()[0].offset;
    queued.lent = std::make_shared<LentData>(std::span(begin, origin.bytes()));
    operation.header.lent = queued.lent.get();
    queued.message = make_message(operation.header, operation.blocks, queued.lent->bytes);
    return queued;
  }
  const std::size_t compared = is_sent && call.deed == Deed::swap ? origin.type->size() : 0;
  std::vector<std::byte> data(is_sent ? compared + origin.bytes() : 0);
  if (compared > 0) std::memcpy(data.data(), call.compare, compared);
  if (is_sent) pack(*origin.type, origin.count, origin.address, data.data() + compared);
  queued.message = make_message(operation.header, operation.blocks, data);
  if (has_answer(call.deed))
    queued.take_answer = [side = operation.result,
                          type = DatatypeRef(operation.result.type)](std::span<const std::byte> answer) {
      unpack(*type, side.count, answer, const_cast<void*>(side.address));
      return Trouble{};
    };
  return queued;
}

// ---- The epoch

std::uint64_t exposure_of(const Window& window, int target) {
  const StartEpoch& start = *window.epochs.start;
  for (std::size_t i = 0; i < start.targets.size(); ++i)
    if (start.targets[i] == target) return start.numbers[i];
  return 0;
}

// From the first operation with an answer on, the operations of the epoch for this target are accesses.
void issue_in_start(Window& window, int target, QueuedOperation operation, bool needs_answer) {
  OperationQueue& queue = window.epochs.start->queues[target];
  const AccessEpoch epoch{EpochKind::start, exposure_of(window, target)};
  if ((needs_answer || windows_are_messages()) && !queue.at_once) {
    queue.at_once = true;
    for (QueuedOperation& earlier : std::exchange(queue.operations, {}))
      start_access(window, target, std::move(earlier), epoch);
  }
  if (queue.at_once) start_access(window, target, std::move(operation), epoch);
  else queue.operations.push_back(std::move(operation));
}

void issue_in_fence(Window& window, int target, QueuedOperation operation) {
  const OperationHeader header = OperationView(operation.message).header();
  const bool returns = has_answer(header.deed);
  FenceEpoch& fence = window.epochs.fence;
  fence.is_used = true;
  if (windows_are_messages()) return start_access(window, target, std::move(operation), {EpochKind::fence, 0});
  fence.queues[target].operations.push_back(std::move(operation));
  ask(Traffic{window.communicator->actor_of(target), header.data_bytes, header.answer_bytes, returns});
}

std::string no_epoch_text(const Window& window, int target) {
  const std::string other = open_access_epoch(window);
  if (window.epochs.start) return fmt::format("rank {} is not in the group of {}", target, other);
  if (!other.empty()) return fmt::format("there is no access epoch to rank {}; open is {}", target, other);
  return fmt::format("there is no access epoch to rank {}: no fence, MPI_Win_start or lock is open", target);
}

// An operation with MPI_PROC_NULL, which does nothing.
int do_nothing(const OneSided& call, const Window& window) {
  if (!call.has_request) return MPI_SUCCESS;
  auto request = std::make_unique<Request>();
  request->kind = Request::Kind::one_sided;
  request->state = Request::State::complete;
  request->communicator = window.communicator;
  give_request(call.request, std::move(request));
  return MPI_SUCCESS;
}

int start_operation(const OneSided& call) {
  Arguments check(call.win);
  if (call.has_request) check.pointer(call.request, "request");
  if (check.failed()) return check.error();
  Window& window = *find_window(call.win);
  const int target = call.target.rank;
  if (target != MPI_PROC_NULL && (target < 0 || target >= window.size()))
    check.require(false, MPI_ERR_RANK,
                  fmt::format("the target is {}, but the ranks of the window are 0 to {}", target, window.size() - 1));
  if (check.failed()) return check.error();
  const bool is_nowhere = target == MPI_PROC_NULL;
  const EpochKind epoch = is_nowhere ? EpochKind::none : epoch_for(window, target);
  if (!is_nowhere)
    check.require(epoch != EpochKind::none, MPI_ERR_RMA_SYNC,
                  epoch == EpochKind::none ? no_epoch_text(window, target) : "",
                  window.epochs.start ? "rma.target" : "rma.no_epoch");
  if (call.has_request)
    check.require(is_nowhere || epoch == EpochKind::passive, MPI_ERR_RMA_SYNC,
                  "an operation with a request needs an epoch of MPI_Win_lock or MPI_Win_lock_all", "rma.passive_only");
  if (check.failed()) return check.error();
  if (is_nowhere) return do_nothing(call, window);
  PreparedOperation operation = prepare(check, call);
  if (check.failed()) return check.error();
  QueuedOperation queued = make_queued(call, operation);
  switch (epoch) {
    case EpochKind::none: break;
    case EpochKind::fence: issue_in_fence(window, target, std::move(queued)); break;
    case EpochKind::start: issue_in_start(window, target, std::move(queued), has_answer(call.deed)); break;
    case EpochKind::passive:
      start_access(window, target, std::move(queued), {EpochKind::passive, 0},
                   call.has_request ? call.request : nullptr);
      break;
  }
  return MPI_SUCCESS;
}

OneSided put(LocalSide origin, TargetSide target, MPI_Win win) {
  return {Deed::put, origin, {}, target, MPI_REPLACE, win};
}

OneSided get(LocalSide result, TargetSide target, MPI_Win win) {
  return {Deed::get, {}, result, target, MPI_REPLACE, win};
}

OneSided accumulate(LocalSide origin, TargetSide target, MPI_Op op, MPI_Win win) {
  return {Deed::accumulate, origin, {}, target, op, win};
}

OneSided fetch(LocalSide origin, LocalSide result, TargetSide target, MPI_Op op, MPI_Win win) {
  return {Deed::fetch, origin, result, target, op, win};
}

int with_request(OneSided call, MPI_Request* request) {
  call.has_request = true;
  call.request = request;
  return start_operation(call);
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Put(const void* origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
        int target_count, MPI_Datatype target_datatype, MPI_Win win) {
  return start_operation(put({origin_addr, origin_count, origin_datatype},
                             {target_rank, target_disp, target_count, target_datatype}, win));
}

int Put_c(const void* origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
          MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win) {
  return start_operation(put({origin_addr, origin_count, origin_datatype},
                             {target_rank, target_disp, target_count, target_datatype}, win));
}

int Rput(const void* origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
         int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request* request) {
  return with_request(put({origin_addr, origin_count, origin_datatype},
                          {target_rank, target_disp, target_count, target_datatype}, win),
                      request);
}

int Rput_c(const void* origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
           MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win,
           MPI_Request* request) {
  return with_request(put({origin_addr, origin_count, origin_datatype},
                          {target_rank, target_disp, target_count, target_datatype}, win),
                      request);
}

int Get(void* origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
        int target_count, MPI_Datatype target_datatype, MPI_Win win) {
  return start_operation(get({origin_addr, origin_count, origin_datatype},
                             {target_rank, target_disp, target_count, target_datatype}, win));
}

int Get_c(void* origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
          MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win) {
  return start_operation(get({origin_addr, origin_count, origin_datatype},
                             {target_rank, target_disp, target_count, target_datatype}, win));
}

int Rget(void* origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
         int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request* request) {
  return with_request(get({origin_addr, origin_count, origin_datatype},
                          {target_rank, target_disp, target_count, target_datatype}, win),
                      request);
}

int Rget_c(void* origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
           MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win,
           MPI_Request* request) {
  return with_request(get({origin_addr, origin_count, origin_datatype},
                          {target_rank, target_disp, target_count, target_datatype}, win),
                      request);
}

int Accumulate(const void* origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
               MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  return start_operation(accumulate({origin_addr, origin_count, origin_datatype},
                                    {target_rank, target_disp, target_count, target_datatype}, op, win));
}

int Accumulate_c(const void* origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
                 MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  return start_operation(accumulate({origin_addr, origin_count, origin_datatype},
                                    {target_rank, target_disp, target_count, target_datatype}, op, win));
}

int Raccumulate(const void* origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                MPI_Request* request) {
  return with_request(accumulate({origin_addr, origin_count, origin_datatype},
                                 {target_rank, target_disp, target_count, target_datatype}, op, win),
                      request);
}

int Raccumulate_c(const void* origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
                  MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                  MPI_Request* request) {
  return with_request(accumulate({origin_addr, origin_count, origin_datatype},
                                 {target_rank, target_disp, target_count, target_datatype}, op, win),
                      request);
}

int Get_accumulate(const void* origin_addr, int origin_count, MPI_Datatype origin_datatype, void* result_addr,
                   int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                   int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  return start_operation(fetch({origin_addr, origin_count, origin_datatype},
                               {result_addr, result_count, result_datatype, "result_addr"},
                               {target_rank, target_disp, target_count, target_datatype}, op, win));
}

int Get_accumulate_c(const void* origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, void* result_addr,
                     MPI_Count result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                     MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  return start_operation(fetch({origin_addr, origin_count, origin_datatype},
                               {result_addr, result_count, result_datatype, "result_addr"},
                               {target_rank, target_disp, target_count, target_datatype}, op, win));
}

int Rget_accumulate(const void* origin_addr, int origin_count, MPI_Datatype origin_datatype, void* result_addr,
                    int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                    int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request* request) {
  return with_request(fetch({origin_addr, origin_count, origin_datatype},
                            {result_addr, result_count, result_datatype, "result_addr"},
                            {target_rank, target_disp, target_count, target_datatype}, op, win),
                      request);
}

int Rget_accumulate_c(const void* origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, void* result_addr,
                      MPI_Count result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                      MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                      MPI_Request* request) {
  return with_request(fetch({origin_addr, origin_count, origin_datatype},
                            {result_addr, result_count, result_datatype, "result_addr"},
                            {target_rank, target_disp, target_count, target_datatype}, op, win),
                      request);
}

int Fetch_and_op(const void* origin_addr, void* result_addr, MPI_Datatype datatype, int target_rank,
                 MPI_Aint target_disp, MPI_Op op, MPI_Win win) {
  return start_operation(fetch({origin_addr, 1, datatype}, {result_addr, 1, datatype, "result_addr"},
                               {target_rank, target_disp, 1, datatype}, op, win));
}

int Compare_and_swap(const void* origin_addr, const void* compare_addr, void* result_addr, MPI_Datatype datatype,
                     int target_rank, MPI_Aint target_disp, MPI_Win win) {
  OneSided call = fetch({origin_addr, 1, datatype}, {result_addr, 1, datatype, "result_addr"},
                        {target_rank, target_disp, 1, datatype}, MPI_REPLACE, win);
  call.deed = Deed::swap;
  call.compare = compare_addr;
  return start_operation(call);
}

}  // namespace rehearse::smpi::calls
