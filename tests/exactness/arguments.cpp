// SPDX-License-Identifier: MIT
//
// Reading arguments.
#include "tests/exactness/arguments.hpp"

#include <charconv>
#include <string_view>

namespace rehearse::tests {

namespace {

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

bool read_pair(std::string_view text, char between, std::uint64_t& first, std::uint64_t& second) {
  const std::size_t middle = text.find(between);
  return middle != std::string_view::npos && read_number(text.substr(0, middle), first) &&
         read_number(text.substr(middle + 1), second);
}

// What is accepted, if the value is not.
std::string read_value(std::string_view name, std::string_view value, Arguments& a) {
  const auto number = [value](std::uint64_t& to) { return read_number(value, to) ? "" : "a number"; };
  if (name == "--two") return number(a.two);
  if (name == "--three") return number(a.three);
  if (name == "--length") return number(a.length);
  if (name == "--names") return number(a.samples.names);
  if (name == "--parts") return number(a.samples.parts);
  if (name == "--jobs") return number(a.samples.jobs);
  if (name == "--odpor") return number(a.samples.odpor);
  if (name == "--random") return read_pair(value, '-', a.first, a.last) ? "" : "FIRST-LAST, two numbers";
  if (name == "--groups") return read_pair(value, '-', a.first_group, a.last_group) ? "" : "FIRST-LAST, two numbers";
  if (name == "--merged") return read_pair(value, '-', a.first_merged, a.last_merged) ? "" : "FIRST-LAST, two numbers";
  if (name == "--buffers")
    return read_pair(value, '-', a.first_buffers, a.last_buffers) ? "" : "FIRST-LAST, two numbers";
  if (name == "--flow") return read_pair(value, '-', a.first_flow, a.last_flow) ? "" : "FIRST-LAST, two numbers";
  if (name == "--predict")
    return read_pair(value, '-', a.first_predict, a.last_predict) ? "" : "FIRST-LAST, two numbers";
  if (name == "--rules") return number(a.rules);
  if (name == "--sums") return number(a.sums);
  if (name == "--part")
    return read_pair(value, '/', a.part, a.parts) && a.part < a.parts ? "" : "K/N, two numbers, K less than N";
  if (name == "--seconds") return read_number(value, a.seconds) && a.seconds >= 0 ? "" : "a number, not negative";
  if (name == "--count") {
    a.counts = value == "-";
    return a.counts ? "" : "-, for the standard input";
  }
  return "?";
}

Error wrong(const std::string& what) { return Error{"rehearse_exactness: " + what}; }

}  // namespace

Result<Arguments> read_arguments(int argc, const char* const* argv) {
  Arguments arguments;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    const std::string accepted = read_value(name, value, arguments);
    if (accepted == "?")
      return wrong(
          "unknown argument '" + name +
          "'; known are --count, --random, --groups, --two, --three, "
          "--length, --part, --seconds, --names, --parts, --jobs, --odpor, --merged, --flow, --predict, --buffers, "
          "--rules and --sums");
    if (i + 1 == argc) return wrong(name + " has no value: it takes " + accepted);
    if (!accepted.empty()) return wrong("'" + value + "' is no value of " + name + ": it takes " + accepted);
  }
  const bool compares = arguments.first <= arguments.last || arguments.first_group <= arguments.last_group ||
                        arguments.first_merged <= arguments.last_merged ||
                        arguments.first_flow <= arguments.last_flow ||
                        arguments.first_buffers <= arguments.last_buffers ||
                        arguments.first_predict <= arguments.last_predict ||
                        arguments.two + arguments.three + arguments.sums + arguments.rules > 0;
  if (!compares && !arguments.counts && arguments.seconds == 0)
    return wrong("nothing to compare: give --random FIRST-LAST, --groups FIRST-LAST, --merged FIRST-LAST, --flow "
                 "FIRST-LAST, --predict FIRST-LAST, --rules N, --sums N, "
                 "--two STRIDE, --three STRIDE or --seconds S");
  return arguments;
}

}  // namespace rehearse::tests
