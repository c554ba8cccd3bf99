// SPDX-License-Identifier: MIT
//
// See prepared_operation.hpp.
#include "smpi/rma/prepared_operation.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "simcore/support/format.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/datatype/amount.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/library.hpp"
#include "smpi/op/op.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

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

}  // namespace

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

}  // namespace rehearse::smpi
