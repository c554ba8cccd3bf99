// SPDX-License-Identifier: MIT
//
// See c_conversion.hpp.
#include "app/c_conversion.hpp"

#include <filesystem>
#include <optional>
#include <system_error>

#include "app/output_file.hpp"
#include "trace/trace.hpp"

namespace rehearse::app {

Result<trace::WrittenProgram> convert_to_c(const std::string& input, const std::string& output) {
  std::error_code ignored;
  if (std::filesystem::equivalent(input, output, ignored)) return Error{output + ": this is the input"};
  const auto trace = trace::open_trace(input);
  if (!trace) return trace.error();
  std::optional<Result<trace::WrittenProgram>> made;
  const auto written =
      write_file(output, [&](std::ostream& out) { made.emplace(trace::write_c_program(*trace.value(), out)); });
  const bool is_complete = made && *made && made->value().unsupported.empty();
  if (!is_complete && std::filesystem::is_regular_file(output, ignored)) std::filesystem::remove(output, ignored);
  if (made && !*made) return made->error();
  if (!written) return written.error();
  return made->value();
}

}  // namespace rehearse::app
