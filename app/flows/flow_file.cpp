// SPDX-License-Identifier: MIT
//
// Reading files of flows.
#include "app/flow_file.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iostream>
#include <limits>
#include <optional>
#include <sstream>

#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr double latest_seconds = 4e6;  // far below the end of simulated time

std::optional<double> number_in(const std::string& text, double least, double most) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= least) || !(value <= most))
    return std::nullopt;
  return value;
}

Result<Flow> parse_line(const std::vector<std::string>& words, const Platform& platform) {
  if (words.size() < 4 || words.size() > 5)
    return Error{fmt::format("{} words given; accepted: start source destination bytes [rate]", words.size())};
  Flow flow;
  const auto start = number_in(words[0], 0, latest_seconds);
  if (!start) return Error{"start '" + words[0] + "' given; accepted: seconds from 0 to 4e6"};
  flow.start_seconds = *start;
  for (const auto& [word, host] : {std::pair{words[1], &flow.source}, std::pair{words[2], &flow.destination}}) {
    const auto found = platform.find_host(word);
    if (!found) return Error{"platform " + platform.name() + " has no host '" + word + "'"};
    *host = *found;
  }
  const auto bytes = number_in(words[3], 0, 1e18);
  if (!bytes) return Error{"size '" + words[3] + "' given; accepted: bytes from 0 to 1e18"};
  flow.bytes = *bytes;
  flow.rate = std::numeric_limits<double>::infinity();
  if (words.size() == 5) {
    const auto rate = number_in(words[4], 1e-9, 1e300);
    if (!rate) return Error{"rate '" + words[4] + "' given; accepted: bytes per second, more than 0"};
    flow.rate = *rate;
  }
  return flow;
}

}  // namespace

Result<std::vector<Flow>> read_flows(const std::string& file, const Platform& platform) {
  std::ifstream opened;
  if (file != "-") {
    opened.open(file);
    if (!opened) return Error{file + ": cannot read: " + std::strerror(errno)};
  }
  std::istream& in = file == "-" ? std::cin : opened;
  std::vector<Flow> flows;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    std::istringstream text(line.substr(0, line.find('#')));
    std::vector<std::string> words;
    for (std::string word; text >> word;) words.push_back(word);
    if (words.empty()) continue;
    auto flow = parse_line(words, platform);
    if (!flow) return Error{fmt::format("{}:{}: {}", file, number, flow.error().text)};
    flow.value().line = number;
    flows.push_back(flow.value());
  }
  if (in.bad()) return Error{file + ": cannot read: " + std::strerror(errno)};
  return flows;
}

}  // namespace rehearse::app
