// SPDX-License-Identifier: MIT
//
// Simulates many GOAL schedules in one process, for goal_test.py.
//
// Input:   for each schedule a line `LOGGOPS BYTES`, as in `L=2500,o=1500 1234`, and so many bytes of GOAL, text or
//          binary.
// Output:  for each schedule one line: `error: MESSAGE`, or the ends of its ranks, the number of events, of operations
//          that never end and of messages that nobody receives, and the binary form in hexadecimal digits.
#include <iostream>
#include <sstream>
#include <string>

#include "trace/goal.hpp"
#include "trace/log_gops.hpp"

namespace {

using namespace rehearse::trace;

rehearse::Result<GoalSchedule> read_either(std::string_view bytes) {
  return goal_form(bytes) == Format::goal_binary ? read_goal_binary(bytes, "input") : read_goal_text(bytes, "input");
}

std::string binary_of(const GoalSchedule& schedule) {
  std::ostringstream out;
  write_goal_binary(schedule, out);
  return out.str();
}

// What is wrong with writing and reading again; nothing.
std::string round_trip_problem(const GoalSchedule& schedule) {
  const std::string binary = binary_of(schedule);
  const auto from_binary = read_goal_binary(binary, "binary");
  if (!from_binary) return from_binary.error().text;
  if (binary_of(from_binary.value()) != binary) return "the binary form differs when it is read and written";
  std::ostringstream text;
  write_goal_text(schedule, text);
  const auto from_text = read_goal_text(text.str(), "text");
  if (!from_text) return from_text.error().text;
  return binary_of(from_text.value()) == binary ? "" : "the text differs when it is written and read";
}

std::string answer(const LogGopsParameters& parameters, std::string_view bytes) {
  const auto schedule = read_either(bytes);
  if (!schedule) return "error: " + schedule.error().text;
  const std::string problem = round_trip_problem(schedule.value());
  if (!problem.empty()) return "error: round trip: " + problem;
  const auto done = simulate_log_gops(schedule.value(), parameters);
  if (!done) return "error: " + done.error().text;
  const LogGopsResult& result = done.value();
  std::ostringstream out;
  out << "ends";
  for (const std::uint64_t end : result.ends) out << ' ' << end;
  out << " events " << result.events << " stuck " << result.begun.size() + result.not_begun.size() << " unexpected "
      << result.not_received.size() << " binary " << std::hex;
  constexpr char digits[] = "0123456789abcdef";
  for (const char byte : binary_of(schedule.value()))
    out << digits[static_cast<unsigned char>(byte) / 16] << digits[static_cast<unsigned char>(byte) % 16];
  return out.str();
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  std::string parameters;
  std::size_t bytes = 0;
  while (std::cin >> parameters >> bytes) {
    std::string text(bytes, '\0');
    std::cin.get();
    std::cin.read(text.data(), static_cast<std::streamsize>(bytes));
    const auto parsed = parse_log_gops(parameters);
    std::cout << (parsed ? answer(parsed.value(), text) : "error: " + parsed.error().text) << '\n';
  }
  return 0;
}
