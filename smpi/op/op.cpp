// SPDX-License-Identifier: MIT
//
// Operators as objects, and reductions over packed contributions.
#include "smpi/op/op.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "simcore/actor.hpp"
#include "simcore/support/assert.hpp"
#include "smpi/abi/api.hpp"
#include "smpi/abi/call_scope.hpp"
#include "smpi/callbacks.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/datatype/pack.hpp"
#include "smpi/library.hpp"
#include "smpi/op/kernels.hpp"
#include "smpi/op/laid_out.hpp"
#include "smpi/op/swapped.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

// The constants of the ABI lie between MPI_OP_NULL and 0x40.
class PredefinedOps {
 public:
  PredefinedOps() {
    add(MPI_SUM, OpCode::sum, "MPI_SUM");
    add(MPI_MIN, OpCode::min, "MPI_MIN");
    add(MPI_MAX, OpCode::max, "MPI_MAX");
    add(MPI_PROD, OpCode::prod, "MPI_PROD");
    add(MPI_BAND, OpCode::band, "MPI_BAND");
    add(MPI_BOR, OpCode::bor, "MPI_BOR");
    add(MPI_BXOR, OpCode::bxor, "MPI_BXOR");
    add(MPI_LAND, OpCode::land, "MPI_LAND");
    add(MPI_LOR, OpCode::lor, "MPI_LOR");
    add(MPI_LXOR, OpCode::lxor, "MPI_LXOR");
    add(MPI_MINLOC, OpCode::minloc, "MPI_MINLOC");
    add(MPI_MAXLOC, OpCode::maxloc, "MPI_MAXLOC");
    add(MPI_REPLACE, OpCode::replace, "MPI_REPLACE");
    add(MPI_NO_OP, OpCode::no_op, "MPI_NO_OP");
  }

  const Op* find(MPI_Op handle) const {
    const auto i = reinterpret_cast<std::uintptr_t>(handle);
    return i < ops_.size() ? ops_[i].get() : nullptr;
  }

 private:
  void add(MPI_Op handle, OpCode code, const char* name) {
    ops_[reinterpret_cast<std::uintptr_t>(handle)] = std::make_unique<const Op>(code, name);
  }

  std::array<std::unique_ptr<const Op>, 0x40> ops_;
};

// Made before main() starts, outside of any rank's memory, and never written afterwards.
const PredefinedOps predefined;

// The first and the last byte that the elements may touch.
std::pair<const std::byte*, const std::byte*> touched(const ReduceElements& elements, const void* buffer) {
  const std::int64_t span = (elements.count - 1) * elements.type.extent();
  const std::byte* data = static_cast<const std::byte*>(buffer) + elements.type.true_lower_bound();
  return {data + std::min<std::int64_t>(span, 0),
          data + std::max<std::int64_t>(span, 0) + elements.type.true_extent() - 1};
}

// The contributions. Those that lie in the memory of the result are copied.
class SafeContributions {
 public:
  SafeContributions(const ReduceElements& elements, std::span<const std::span<const std::byte>> contributions,
                    const void* result)
      : all_(contributions.begin(), contributions.end()) {
    const auto [first, last] = touched(elements, result);
    for (auto& data : all_) {
      if (data.empty() || data.data() > last || &data.back() < first) continue;
      data = copies_.emplace_back(data.begin(), data.end());
    }
  }
  std::span<const std::byte> operator[](std::size_t i) const { return all_[i]; }

 private:
  std::vector<std::span<const std::byte>> all_;
  std::deque<std::vector<std::byte>> copies_;
};

// Exists while a function of the program combines elements.
class RunningOperator {
 public:
  RunningOperator() : mpi_(in_actor() ? &library() : nullptr) {
    if (mpi_ != nullptr) ++mpi_->running_operators;
  }
  ~RunningOperator() {
    if (mpi_ != nullptr) --mpi_->running_operators;
  }
  RunningOperator(const RunningOperator&) = delete;
  RunningOperator& operator=(const RunningOperator&) = delete;

 private:
  Library* mpi_;  // null outside of ranks
};

struct UsualMeanings {
  std::set<const void*> reported;  // places of the program
};

bool is_aligned(const std::byte* data, const Datatype& type) {
  return reinterpret_cast<std::uintptr_t>(data) % static_cast<std::size_t>(type.alignment()) == 0;
}

}  // namespace

Op::Op(OpCode code, const char* name)
    : SharedObject(Lifetime::immortal),
      code_(code),
      commutative_(code != OpCode::replace && code != OpCode::no_op),
      name_(name) {}

Op::Op(MPI_User_function* function, bool commutative)
    : SharedObject(Lifetime::counted),
      code_(OpCode::user),
      commutative_(commutative),
      name_("user operator"),
      function_(function) {}

Op::Op(MPI_User_function_c* function, bool commutative)
    : SharedObject(Lifetime::counted),
      code_(OpCode::user),
      commutative_(commutative),
      name_("user operator"),
      function_c_(function) {}

bool Op::accepts(const Datatype& type) const {
  if (code_ == OpCode::user) return true;
  return type.basic() != nullptr && is_valid(code_, type.basic()->type_class);
}

bool Op::is_tolerated(const Datatype& type) const {
  return code_ != OpCode::user && type.basic() != nullptr && type.basic()->type_class == TypeClass::character &&
         type.basic()->storage == Storage::int8 && is_valid(code_, TypeClass::c_integer);
}

void Op::apply(const Datatype& type, MPI_Datatype handle, std::int64_t count, const void* in, void* inout) const {
  if (code_ != OpCode::user) {
    REHEARSE_ASSERT(type.basic() != nullptr, "a predefined operator on a derived type");
    apply_predefined(code_, *type.basic(), count, in, inout);
    return;
  }
  if (commutative_) try_swapped(*this, {type, handle, count}, in, inout);
  const RunningOperator running;
  TypeArgument datatype(function_c_ != nullptr ? reinterpret_cast<const void*>(function_c_)
                                               : reinterpret_cast<const void*>(function_),
                        handle);
  if (function_c_ != nullptr) {
    MPI_Count length = count;
    function_c_(const_cast<void*>(in), inout, &length, datatype.address());
    return;
  }
  REHEARSE_ASSERT(count <= std::numeric_limits<int>::max(),
                  "more elements than the user's function can be called with");
  int length = static_cast<int>(count);
  function_(const_cast<void*>(in), inout, &length, datatype.address());
}

void reduce(const Op& op, const ReduceElements& elements, std::span<const std::span<const std::byte>> contributions,
            void* result) {
  const auto& [type, handle, count] = elements;
  REHEARSE_ASSERT(!contributions.empty(), "a reduction over nobody");
  if (count <= 0) return;
  const SafeContributions data(elements, contributions, result);
  unpack(type, count, data[contributions.size() - 1], result);
  std::unique_ptr<LaidOut> scratch;
  for (std::size_t i = contributions.size() - 1; i-- > 0;) {
    const std::span<const std::byte> packed = data[i];
    // A function of the user gets a copy, because it may write to its input.
    const bool as_is = type.contiguous() && op.code() != OpCode::user && is_aligned(packed.data(), type);
    if (!as_is && !scratch) scratch = std::make_unique<LaidOut>(type, count);
    const void* in = as_is ? packed.data() - type.layout()[0].offset : scratch->fill(packed);
    op.apply(type, handle, count, in, result);
  }
}

// Operators write their result into their right operand, so the new right operand is prepared next to the left one.
void reduce_in_order(const Op& op, const ReduceElements& elements,
                     std::span<const std::span<const std::byte>> contributions, void* result) {
  const auto& [type, handle, count] = elements;
  REHEARSE_ASSERT(!contributions.empty(), "a reduction over nobody");
  if (count <= 0) return;
  LaidOut left(type, count), right(type, count);
  void* sum = left.fill(contributions[0]);
  for (std::size_t i = 1; i < contributions.size(); ++i) {
    void* next = right.fill(contributions[i]);
    op.apply(type, handle, count, sum, next);
    copy(type, count, next, type, count, sum);
  }
  copy(type, count, sum, type, count, result);
}

// MPI 4.1, 6.9.5: no MPI communication function may be called inside of the user function.
void report_communication_of_operator() {
  const CallScope* inside = CallScope::innermost();
  const CallScope* reducing = inside == nullptr ? nullptr : inside->outer();
  std::string what = "an operator of the program communicates";
  if (reducing != nullptr)
    what += ": it calls " + std::string(functions()[inside->function()].name) + " while " +
            std::string(functions()[reducing->function()].name) + " combines elements with it";
  report("operator.communicates", Severity::error, what);
}

void report_tolerated_type(const Op& op, const Datatype& type) {
  const CreationSite site = creation_site();
  if (!per_rank<UsualMeanings>().reported.insert(site.return_address).second) return;
  report("argument.operator.character", Severity::warning,
         std::string(op.name()) + " is not defined on " + describe(type) +
             ", which is for text; like other libraries, Rehearse uses it as a signed integer, in " + text_of(site));
}

const Op* predefined_op(MPI_Op handle) { return predefined.find(handle); }

}  // namespace rehearse::smpi
