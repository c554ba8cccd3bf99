// SPDX-License-Identifier: MIT
//
// Lines of hostfiles, and the slots that they give.
#include "app/hostfile.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>

#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

struct Slots {
  std::string host;
  std::uint32_t count = 1;
};

// One line without its comment; nothing if it cannot be read.
std::optional<Slots> parse_line(const std::string& line) {
  std::istringstream words(line);
  Slots slots;
  std::string count, rest;
  words >> slots.host >> count >> rest;
  if (!rest.empty()) return std::nullopt;
  if (const auto colon = slots.host.find(':'); colon != std::string::npos) {
    if (!count.empty()) return std::nullopt;
    count = slots.host.substr(colon + 1);
    slots.host.resize(colon);
  } else if (!count.empty()) {
    if (!count.starts_with("slots=")) return std::nullopt;
    count.erase(0, std::strlen("slots="));
  } else {
    return slots;
  }
  const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), slots.count);
  if (error != std::errc{} || end != count.data() + count.size() || slots.count == 0) return std::nullopt;
  return slots;
}

// The result of `find` for the host of each rank. Its error is reported for the line.
template <class Host>
Result<std::vector<Host>> read_slots(const std::string& file, std::uint32_t ranks,
                                     const std::function<Result<Host>(const std::string& name)>& find) {
  std::ifstream in(file);
  if (!in) return Error{file + ": cannot read: " + std::strerror(errno)};
  std::vector<Host> slots;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string place = fmt::format("{}:{}: ", file, number);
    const auto parsed = parse_line(line);
    if (!parsed) return Error{place + "'" + line + "' given; accepted: HOST, HOST:SLOTS or HOST slots=N"};
    auto host = find(parsed->host);
    if (!host) return Error{place + host.error().text};
    slots.insert(slots.end(), std::min(parsed->count, ranks), host.value());
  }
  if (slots.empty()) return Error{file + ": names no host"};
  std::vector<Host> hosts;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) hosts.push_back(slots[rank % slots.size()]);
  return hosts;
}

}  // namespace

Result<std::vector<HostId>> read_hostfile(const std::string& file, const Platform& platform, std::uint32_t ranks) {
  return read_slots<HostId>(file, ranks, [&](const std::string& name) -> Result<HostId> {
    if (const auto host = platform.find_host(name)) return *host;
    return Error{"platform " + platform.name() + " has no host '" + name + "'"};
  });
}

Result<std::vector<std::string>> read_host_names(const std::string& file, std::uint32_t ranks) {
  return read_slots<std::string>(file, ranks, [](const std::string& name) -> Result<std::string> { return name; });
}

}  // namespace rehearse::app
