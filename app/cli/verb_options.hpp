// SPDX-License-Identifier: MIT
//
// The options of a verb: a layer on CLI11 whose errors name the option, the value and the accepted values.
//
// Errors: parse() prints them and returns the exit status to end with.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/verbs.hpp"

namespace rehearse::cli {

class Options {
 public:
  // `usage` follows `rehearse VERB` in the usage line.
  Options(std::string verb, const std::string& usage, const std::string& description, const std::string& example);

  CLI::App& app() { return app_; }

  // Options that are described but not there yet: refused by name.
  void refuse(std::vector<std::string> names) { refused_ = std::move(names); }

  // Reads the arguments; empty, or the exit status to end with (after --help: 0).
  std::optional<int> parse(const Arguments& arguments);

  // As parse(), for verbs that take PROGRAM [ARGS...]: that part is not looked at.
  std::optional<int> parse_with_program(Arguments arguments);
  const Arguments& program() const { return program_; }

 private:
  bool takes_value(const std::string& argument) const;
  int unknown(const std::string& argument) const;

  std::string verb_;
  CLI::App app_;
  std::vector<std::string> refused_;
  std::string misplaced_;  // text about an option given after the program, if a required one is missing
  Arguments program_;
};

// One of these words, spelled exactly.
CLI::Validator one_of(std::vector<std::string> words);

// A whole number of this range. (CLI11's own says less, and takes 1e3 for 1.)
CLI::Validator whole_number(std::uint64_t minimum, std::uint64_t maximum);

// A positive decimal number.
CLI::Validator positive_number();
// The same, or 0.
CLI::Validator number_from_zero();

}  // namespace rehearse::cli
