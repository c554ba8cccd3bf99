// SPDX-License-Identifier: MIT
//
// See list_calls.hpp.
#include "app/cli/list_calls.hpp"

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <iostream>

#include "app/cli/message.hpp"
#include "app/cli/read_job.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/exit_status.hpp"
#include "app/finding_json.hpp"
#include "app/launch.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"
#include "smpi/requirements.hpp"

namespace rehearse::cli {
namespace {

constexpr int name_columns = 28;

using smpi::RequiredFunction;
using Calls = std::vector<RequiredFunction>;

bool is_supported(const RequiredFunction& call) { return call.support == RequiredFunction::Support::implemented; }

std::ptrdiff_t unsupported_in(const Calls& calls) {
  return std::ranges::count_if(calls, [](const RequiredFunction& call) { return !is_supported(call); });
}

// The files that need it, unless only the program does.
std::string needed_by(const RequiredFunction& call, const std::string& program) {
  if (call.needed_by == std::vector{program}) return {};
  std::vector<std::string> names;
  for (const std::string& file : call.needed_by) names.push_back(std::filesystem::path(file).filename());
  return " (in " + app::list_of(names) + ")";
}

void print(const Calls& calls, const std::string& program) {
  for (const RequiredFunction& call : calls) {
    const std::string remark = (is_supported(call) ? "" : "not supported; " + call.reason) + needed_by(call, program);
    if (remark.empty()) {
      std::cout << call.name << '\n';
    } else {
      std::cout << std::left << std::setw(name_columns) << call.name << ' ' << remark << '\n';
    }
  }
  const std::ptrdiff_t missing = unsupported_in(calls);
  const std::string_view library = smpi::foreign_library_of(program);
  std::cout << app::counted(calls.size(), "function") << ", "
            << (missing == 0 ? "all of them supported" : fmt::format("{} of them not supported", missing))
            << (library.empty() ? "" : fmt::format("; compiled for {}", library)) << '\n';
}

app::Json calls_json(const Calls& calls, const std::string& program) {
  app::Json json = {{"program", program}, {"calls", app::Json::array()}, {"unsupported", app::Json::array()}};
  for (const RequiredFunction& call : calls) {
    app::Json entry = {{"name", call.name}, {"supported", is_supported(call)}, {"needed_by", call.needed_by}};
    if (!is_supported(call)) {
      entry["reason"] = call.reason;
      json["unsupported"].push_back(call.name);
    }
    json["calls"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace

int list_calls(const std::string& program, const ListOptions& options) {
  auto path = find_program(program);
  if (!path) return report_error(path.error());
  auto calls = smpi::required_functions(app::launch_spec({path.value(), {}, 1, {}}));
  if (!calls) return report_error(calls.error());
  if (!options.quiet && options.json != "-") print(calls.value(), path.value());
  if (!options.json.empty()) {
    const Result<void> written = write_json(options.json, calls_json(calls.value(), path.value()));
    if (!written) return report_error({"list: --json: " + written.error().text});
  }
  return app::exit_good;
}

}  // namespace rehearse::cli
