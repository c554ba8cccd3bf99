// SPDX-License-Identifier: MIT
//
// The options of a verb: a layer on CLI11 whose errors name the option, the value and the accepted values. Only
// verb_options.cpp includes CLI11, whose headers cost more to compile than all verbs.
//
// Errors: parse() prints them and returns the exit status to end with.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/cli/verbs.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace rehearse::cli {

// A condition on values. `fault` returns the fault of a value, or nothing; `shown` stands for the value in help texts.
struct Rule {
  std::function<std::string(std::string& value)> fault;
  std::string shown;
};

// A declared option. Each function returns the option itself.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option* required();
  Option* check(const Rule& rule);
  Option* excludes(Option* other);
  Option* delimiter(char character);       // one argument may contain several values, with this between them
  Option* allow_extra_args(bool allowed);  // whether further arguments are further values
  Option* joins_lines();                   // it can be given again; its value has a line for each time

 private:
  CLI::Option* option_;
};

// The options of a verb. The variables that they set must live until the arguments are read.
class OptionSet {
 public:
  using Target = std::variant<std::string*, std::vector<std::string>*, std::uint32_t*, std::uint64_t*, double*,
                              std::optional<std::uint32_t>*, std::optional<std::uint64_t>*, std::optional<double>*>;

  OptionSet(const std::string& text, const std::string& program, std::string usage);
  ~OptionSet();

  template <class T>
  Option* add_option(const std::string& names, T& target, const std::string& help = "") {
    return add(names, Target(&target), help);
  }
  // `take` gets the value, and returns its fault, or nothing.
  Option* add_option_function(const std::string& names, std::function<std::string(const std::string&)> take,
                              const std::string& help);
  Option* add_flag(const std::string& names);
  Option* add_flag(const std::string& names, bool& target, const std::string& help);

  std::size_t count(const std::string& name) const;  // number of times that it was given; 0: or not declared
  std::vector<std::string> names() const;            // of all options, as in arguments: --quiet, -n

 private:
  friend class Options;
  Option* add(const std::string& names, const Target& target, const std::string& help);

  std::unique_ptr<CLI::App> app_;
  std::deque<Option> options_;
};

class Options {
 public:
  // `usage` follows `rehearse VERB` in the usage line.
  Options(std::string verb, const std::string& usage, const std::string& description, const std::string& example);

  OptionSet& app() { return set_; }

  // Options that do not exist yet: refused by name.
  void refuse(const std::vector<std::string>& names) { refuse(names, "is not available yet"); }
  // The same, for another reason.
  void refuse(const std::vector<std::string>& names, const std::string& reason) {
    for (const std::string& name : names) refused_[name] = reason;
  }

  // Reads the arguments; empty, or the exit status to end with (after --help: 0).
  std::optional<int> parse(const Arguments& arguments);

  // Like parse(), for verbs with PROGRAM [ARGS...]: does not read that part.
  std::optional<int> parse_with_program(Arguments arguments);
  const Arguments& program() const { return program_; }

  // PROGRAM in these arguments, which need not be complete; empty: none. Before parsing.
  std::string program_in(const Arguments& arguments) const;

 private:
  std::size_t place_of_program(const Arguments& arguments) const;  // their number: there is none
  bool takes_value(const std::string& argument) const;
  int unknown(const std::string& argument) const;

  std::string verb_;
  OptionSet set_;
  std::map<std::string, std::string> refused_;  // with the reason
  std::string misplaced_;  // text about an option given after the program, if a required one is missing
  Arguments program_;
};

// One of these words, spelled exactly.
Rule one_of(std::vector<std::string> words);

// A whole number of this range. (The rule of CLI11 has a less precise error, and reads 1e3 as 1.)
Rule whole_number(std::uint64_t minimum, std::uint64_t maximum);

// A positive decimal number.
Rule positive_number();
// The same, or 0.
Rule number_from_zero();

}  // namespace rehearse::cli
