// SPDX-License-Identifier: MIT
//
// The last operation of a rank that called an unimplemented function.
#include "smpi/abi/unsupported.hpp"

#include <limits>
#include <string>

#include "simcore/actor.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi/api.hpp"

namespace rehearse::smpi {
namespace {

[[noreturn]] void end_unsupported(std::string_view what) {
  ask(Fail{FailureKind::unsupported, "unsupported.function", what});
  internal_error(__FILE__, __LINE__, "ask(Fail)", "a rank continued after it failed");
}

}  // namespace

void unsupported_function(std::uint16_t function) { end_unsupported(functions()[function].name); }

int narrow_count(MPI_Count value, std::uint16_t function) {
  if (value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max()) {
    return static_cast<int>(value);
  }
  end_unsupported(fmt::format("{} with a count of {}", functions()[function].name, value));
}

}  // namespace rehearse::smpi
