// SPDX-License-Identifier: MIT
//
// Reads the options of a verb.
#include "app/cli/verb_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>

#include "app/cli/message.hpp"
#include "app/cli/spelling.hpp"
#include "app/exit_status.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

template <class Number>
bool is_number(const std::string& text, Number minimum, Number maximum) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value >= minimum && value <= maximum;
}

class Help : public CLI::Formatter {
 public:
  explicit Help(std::string usage) : usage_(std::move(usage)) { column_width(34); }
  std::string make_usage(const CLI::App*, std::string) const override { return usage_; }

 private:
  std::string usage_;
};

}  // namespace

Option* Option::required() {
  option_->required();
  return this;
}

Option* Option::check(const Rule& rule) {
  option_->check(CLI::Validator(rule.fault, rule.shown));
  return this;
}

Option* Option::excludes(Option* other) {
  option_->excludes(other->option_);
  return this;
}

Option* Option::delimiter(char character) {
  option_->delimiter(character);
  return this;
}

Option* Option::allow_extra_args(bool allowed) {
  option_->allow_extra_args(allowed);
  return this;
}

Option* Option::joins_lines() {
  option_->multi_option_policy(CLI::MultiOptionPolicy::Join);
  return this;
}

OptionSet::OptionSet(const std::string& text, const std::string& program, std::string usage)
    : app_(std::make_unique<CLI::App>(text, program)) {
  app_->allow_extras();
  app_->formatter(std::make_shared<Help>(std::move(usage)));
}

OptionSet::~OptionSet() = default;

Option* OptionSet::add(const std::string& names, const Target& target, const std::string& help) {
  return std::visit([&](auto* value) { return &options_.emplace_back(app_->add_option(names, *value, help)); }, target);
}

Option* OptionSet::add_option_function(const std::string& names, std::function<std::string(const std::string&)> take,
                                       const std::string& help) {
  const auto take_or_throw = [names, take = std::move(take)](const std::string& text) {
    if (const std::string fault = take(text); !fault.empty()) throw CLI::ValidationError(names, fault);
  };
  return &options_.emplace_back(app_->add_option_function<std::string>(names, take_or_throw, help));
}

Option* OptionSet::add_flag(const std::string& names) { return &options_.emplace_back(app_->add_flag(names)); }

Option* OptionSet::add_flag(const std::string& names, bool& target, const std::string& help) {
  return &options_.emplace_back(app_->add_flag(names, target, help));
}

std::vector<std::string> OptionSet::names() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : std::as_const(*app_).get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::size_t OptionSet::count(const std::string& name) const {
  const CLI::Option* option = app_->get_option_no_throw(name);
  return option == nullptr ? 0 : option->count();
}

Options::Options(std::string verb, const std::string& usage, const std::string& description, const std::string& example)
    : verb_(std::move(verb)),
      set_("example:\n  " + example + "\n\n" + description, "rehearse " + verb_,
           "usage:\n  rehearse " + verb_ + " " + usage + "\n") {}

std::optional<int> Options::parse(const Arguments& arguments) {
  CLI::App& parser = *set_.app_;
  try {
    parser.parse(Arguments(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::Success&) {
    std::cout << parser.help();
    return app::exit_good;
  } catch (const CLI::ParseError& error) {
    for (const std::string& extra : parser.remaining()) {
      if (extra.starts_with('-')) return unknown(extra);
    }
    const bool wants_ranks = error.what() == std::string("--np is required");
    const std::string what = wants_ranks ? "how many ranks? -n N is missing" : error.what();
    return report_error({verb_ + ": " + what + (wants_ranks ? misplaced_ : "") + " (rehearse " + verb_ + " --help)"});
  }
  for (const std::string& extra : parser.remaining()) return unknown(extra);
  return std::nullopt;
}

std::size_t Options::place_of_program(const Arguments& arguments) const {
  std::size_t first = 0;
  while (first < arguments.size() && arguments[first].starts_with('-') && arguments[first] != "--")
    first += takes_value(arguments[first] == "-np" ? "--np" : arguments[first]) ? 2 : 1;
  return std::min(first, arguments.size());
}

std::string Options::program_in(const Arguments& arguments) const {
  std::size_t first = place_of_program(arguments);
  if (first < arguments.size() && arguments[first] == "--") ++first;
  return first < arguments.size() ? arguments[first] : "";
}

std::optional<int> Options::parse_with_program(Arguments arguments) {
  std::size_t first = place_of_program(arguments);
  std::replace(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(first), std::string("-np"),
               std::string("--np"));  // as for mpiexec, and not -n with the value p
  const auto behind = arguments.begin() + static_cast<std::ptrdiff_t>(first);
  const auto late =
      std::find_if(behind, arguments.end(), [](const auto& word) { return word == "-n" || word == "-np"; });
  if (late != arguments.end())
    misplaced_ = "; '" + *late +
                 "' comes after the program, so it is an option of the program: put it before the program";
  if (const auto status = parse({arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(first)})) {
    return status;
  }
  if (first < arguments.size() && arguments[first] == "--") ++first;
  program_.assign(arguments.begin() + static_cast<std::ptrdiff_t>(first), arguments.end());
  if (program_.empty()) {
    return report_error({verb_ + ": which program? (rehearse " + verb_ + " --help)"});
  }
  return std::nullopt;
}

bool Options::takes_value(const std::string& argument) const {
  if (argument.find('=') != std::string::npos) return false;
  const CLI::Option* option = set_.app_->get_option_no_throw(argument);
  return option != nullptr && option->get_items_expected_max() > 0;
}

int Options::unknown(const std::string& argument) const {
  const std::string name = argument.substr(0, argument.find('='));
  if (const auto found = refused_.find(name); found != refused_.end()) {
    return report_error({verb_ + ": option '" + name + "' " + found->second});
  }
  const std::string what = argument.starts_with('-') ? "unknown option '" : "unexpected argument '";
  std::vector<std::string> names;
  std::string list;
  for (const CLI::Option* option : std::as_const(*set_.app_).get_options()) {
    if (!option->nonpositional()) continue;
    names.push_back(option->get_name());
    list += (list.empty() ? "" : ", ") + names.back();
  }
  return report_error({verb_ + ": " + what + argument + "'" + suggestion(name, names) + "; accepted: " + list});
}

Rule one_of(std::vector<std::string> words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
  return Rule(
      [words = std::move(words), list](std::string& text) {
        const bool known = std::ranges::find(words, text) != words.end();
        return known ? std::string() : "'" + text + "' given; accepted: " + list;
      },
      list);
}

Rule whole_number(std::uint64_t minimum, std::uint64_t maximum) {
  const std::string range = maximum == UINT64_MAX ? fmt::format("a whole number from {} on", minimum)
                                                  : fmt::format("a whole number from {} to {}", minimum, maximum);
  return Rule(
      [=](std::string& text) {
        return is_number(text, minimum, maximum) ? std::string() : "'" + text + "' given; accepted: " + range;
      },
      "NUMBER");
}

Rule positive_number() {
  return Rule(
      [](std::string& text) {
        return is_number(text, 1e-300, 1e300) ? std::string()
                                              : "'" + text + "' given; accepted: a number greater than 0";
      },
      "NUMBER");
}

Rule number_from_zero() {
  return Rule(
      [](std::string& text) {
        return is_number(text, 0.0, 1e300) ? std::string() : "'" + text + "' given; accepted: a number from 0 on";
      },
      "NUMBER");
}

}  // namespace rehearse::cli
