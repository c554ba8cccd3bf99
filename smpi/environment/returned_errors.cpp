// SPDX-License-Identifier: MIT
//
// See returned_errors.hpp.
#include "smpi/environment/returned_errors.hpp"

#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mpi.h"
#include "simcore/debug.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi/api.hpp"
#include "smpi/abi/call_scope.hpp"
#include "smpi/abi/result_use.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/heap.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::size_t frames_max = 32;

struct ReturnedErrors {
  std::set<std::pair<const void*, int>> reported;  // place and error class
};

const std::uint8_t* code_at(const void* address) { return static_cast<const std::uint8_t*>(address); }

// The return addresses of the functions on the stack above the function that contains `code`.
std::size_t find_callers(const std::uint8_t* code, std::array<const std::uint8_t*, frames_max>& callers) {
  const HostAllocation host;  // memory that unwinding allocates stays allocated
  std::array<std::uintptr_t, frames_max> frames{};
  const std::size_t count = capture_stack(frames);
  std::size_t first = 0;
  while (first < count && frames[first] + 1 != reinterpret_cast<std::uintptr_t>(code)) ++first;
  std::size_t found = 0;
  for (std::size_t i = first + 1; i < count; ++i)
    callers[found++] = reinterpret_cast<const std::uint8_t*>(frames[i] + 1);
  return found;
}

bool is_ignored(const CallScope& scope) {
  std::array<const std::uint8_t*, frames_max> callers{};
  const std::uint8_t* const code = code_at(scope.caller());
  const std::size_t count = find_callers(code, callers);
  const HostAllocation host;
  return is_result_ignored(code, std::span(callers).first(count));
}

// Whether the program can find the error in its statuses.
bool has_statuses(const CallScope& scope) {
  const std::span<const ParameterInfo> parameters = functions()[scope.function()].parameters;
  const bool has_some = !parameters.empty() && parameters.back().kind == Kind::status &&
                        parameters.back().shape == Shape::array;
  return has_some && scope.argument(static_cast<std::uint32_t>(parameters.size() - 1)) !=
                         reinterpret_cast<std::uint64_t>(MPI_STATUSES_IGNORE);
}

std::string name_of_class(int error_class) {
  const ConstantInfo* constant = find_constant(Kind::error_code, error_class);
  return constant != nullptr ? std::string(constant->name) : fmt::format("error code {}", error_class);
}

}  // namespace

void report_returned_error(int error_class, std::string_view what, std::string_view id) {
  const CallScope* scope = CallScope::innermost();
  if (scope == nullptr) return;
  if (!per_rank<ReturnedErrors>().reported.emplace(scope->caller(), error_class).second) return;
  // Whether a Fortran program looks at its ierror, no code after the call shows.
  const bool ignored = !scope->is_fortran() && !(error_class == MPI_ERR_IN_STATUS && has_statuses(*scope)) &&
                       is_ignored(*scope);
  const std::string message = text_of(creation_site()) + " returns " + name_of_class(error_class) +
                              (ignored ? ", but the program ignores the code: " : " to the program: ") +
                              std::string(what);
  if (ignored && !id.empty()) report(id, Severity::error, message);
  else if (ignored) report("error.ignored", Severity::warning, message);
  else report("error.returned", Severity::note, message);
}

}  // namespace rehearse::smpi
