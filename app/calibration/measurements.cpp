// SPDX-License-Identifier: MIT
//
// See measurements.hpp.
#include "app/calibration/measurements.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>

#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr const char* first_line = "# rehearse calibration 1";
constexpr const char* columns_line = "test,ranks,bytes,repetition,seconds";
constexpr std::array plain_tests = {"pingpong", "send",     "late_send", "late_delay",       "isend",
                                    "recv",     "sendrecv", "pairs",     "incast",           "alltoall",
                                    "probe",    "test",     "wtime",     "loopback_pingpong"};

bool is_known_test(const std::string& name) {
  if (name.starts_with("compute:")) return name.size() > std::strlen("compute:");
  return std::ranges::find(plain_tests, name) != plain_tests.end();
}

std::vector<std::string> parts_of(const std::string& line) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  for (std::size_t comma = line.find(','); comma != std::string::npos; comma = line.find(',', at)) {
    parts.push_back(line.substr(at, comma - at));
    at = comma + 1;
  }
  parts.push_back(line.substr(at));
  return parts;
}

template <class Number>
std::optional<Number> number_of(const std::string& text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string refusal(const std::string& what, const std::string& value, const std::string& accepted) {
  return fmt::format("{} '{}' given; accepted: {}", what, value, accepted);
}

// The line before.
struct LastSample {
  MeasuredCase measured;
  std::uint32_t repetition = 0;
  bool operator==(const LastSample&) const = default;
};

// The fault of the line, or nothing.
std::string add_sample(const std::string& line, Measurements& all, LastSample& last) {
  const std::vector<std::string> parts = parts_of(line);
  if (parts.size() != 5) return refusal("line", line, columns_line);
  if (!is_known_test(parts[0])) {
    std::string names;
    for (const char* name : plain_tests) names += std::string(name) + ", ";
    return refusal("test", parts[0], names + "compute:KERNEL:HOST");
  }
  const auto ranks = number_of<std::uint32_t>(parts[1]);
  if (!ranks || *ranks == 0) return refusal("ranks", parts[1], "a whole number from 1 on");
  const auto bytes = number_of<std::uint64_t>(parts[2]);
  if (!bytes) return refusal("bytes", parts[2], "a whole number from 0 on");
  const auto repetition = number_of<std::uint32_t>(parts[3]);
  if (!repetition) return refusal("repetition", parts[3], "a whole number from 0 on");
  const auto seconds = number_of<double>(parts[4]);
  if (!seconds || !std::isfinite(*seconds) || *seconds < 0)
    return refusal("seconds", parts[4], "a number from 0 on, in seconds");
  const LastSample sample{{parts[0], *ranks, *bytes}, *repetition};
  std::vector<double>& values = all.seconds[sample.measured];
  // Pairs at once that share a link may end one after the other. Together they take the time of the last one.
  if (parts[0] == "pairs" && sample == last) values.back() = std::max(values.back(), *seconds);
  else values.push_back(*seconds);
  last = sample;
  return {};
}

// `# host 3: name` and `# key: value`.
std::string add_comment(const std::string& line, Measurements& read) {
  const std::size_t colon = line.find(": ");
  if (colon == std::string::npos || colon < 3) return {};
  const std::string key = line.substr(2, colon - 2), value = line.substr(colon + 2);
  if (!key.starts_with("host ")) {
    read.about[key] = value;
    return {};
  }
  const auto rank = number_of<std::uint32_t>(key.substr(5));
  if (!rank || *rank != read.hosts.size())
    return refusal("host of rank", key.substr(5), fmt::format("{}, as ranks come in order", read.hosts.size()));
  read.hosts.push_back(value);
  return {};
}

}  // namespace

std::vector<std::string> Measurements::nodes() const {
  std::vector<std::string> names;
  for (const std::string& host : hosts)
    if (std::ranges::find(names, host) == names.end()) names.push_back(host);
  return names;
}

bool Measurements::has(const std::string& test) const {
  const auto found = seconds.lower_bound({test, 0, 0});
  return found != seconds.end() && found->first.test == test;
}

Result<void> read_measurements(std::istream& in, const std::string& file, Measurements& all) {
  Measurements read;
  std::string line;
  std::uint64_t samples = 0;
  LastSample last;
  bool has_begun = false;
  for (int number = 1; std::getline(in, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    std::string fault;
    if (!has_begun) {
      has_begun = line == first_line;
    } else if (line.starts_with("#")) {
      fault = add_comment(line, read);
    } else if (!line.empty() && line != columns_line) {
      fault = add_sample(line, all, last);
      ++samples;
    }
    if (!fault.empty()) return Error{fmt::format("{}:{}: {}", file, number, fault)};
  }
  if (!has_begun) return Error{fmt::format("{}: no line '{}'; accepted: the output of calibrate.c", file, first_line)};
  if (samples == 0) return Error{fmt::format("{}: no measurements; accepted: the output of calibrate.c", file)};
  if (read.hosts.size() > all.hosts.size()) {
    all.hosts = std::move(read.hosts);
    all.about = std::move(read.about);
  }
  return {};
}

Result<Measurements> read_measurement_files(const std::vector<std::string>& files) {
  Measurements all;
  for (const std::string& file : files) {
    std::ifstream in(file);
    if (!in) return Error{fmt::format("{}: cannot read: {}", file, std::strerror(errno))};
    if (const auto read = read_measurements(in, file, all); !read) return read.error();
  }
  return all;
}

}  // namespace rehearse::app
