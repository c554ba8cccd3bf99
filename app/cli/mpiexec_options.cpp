// SPDX-License-Identifier: MIT
//
// One pass over the options; does not read the program and its arguments, up to a `:` that starts another program.
#include "app/cli/mpiexec_options.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

namespace rehearse::cli {
namespace {

enum class Meaning { ranks, programs, hosts, label, satisfied, folder, variable, assignment, help, version };

struct LauncherOption {
  std::string_view name;
  Meaning meaning;
};

// `satisfied`: every run meets the option's request.
constexpr LauncherOption options[] = {{"-n", Meaning::ranks},
                                      {"-np", Meaning::ranks},
                                      {"--np", Meaning::ranks},
                                      {"-c", Meaning::ranks},
                                      {"-configfile", Meaning::programs},
                                      {"--configfile", Meaning::programs},
                                      {"--app", Meaning::programs},
                                      {"-f", Meaning::hosts},
                                      {"-machinefile", Meaning::hosts},
                                      {"--machinefile", Meaning::hosts},
                                      {"-hostfile", Meaning::hosts},
                                      {"--hostfile", Meaning::hosts},
                                      {"-l", Meaning::label},
                                      {"-prepend-rank", Meaning::label},
                                      {"--label", Meaning::label},
                                      {"-tag-output", Meaning::label},
                                      {"--tag-output", Meaning::label},
                                      {"--oversubscribe", Meaning::satisfied},
                                      {"-oversubscribe", Meaning::satisfied},
                                      {"--allow-run-as-root", Meaning::satisfied},
                                      {"-wdir", Meaning::folder},
                                      {"--wdir", Meaning::folder},
                                      {"-wd", Meaning::folder},
                                      {"-env", Meaning::variable},
                                      {"-genv", Meaning::variable},
                                      {"-x", Meaning::assignment},
                                      {"--help", Meaning::help},
                                      {"-help", Meaning::help},
                                      {"-h", Meaning::help},
                                      {"--version", Meaning::version},
                                      {"-version", Meaning::version},
                                      {"-V", Meaning::version}};

const LauncherOption* find_option(std::string_view name) {
  for (const LauncherOption& option : options) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

Error unknown_option(const std::string& name) {
  std::string text = "mpiexec: option '" + name + "' is not known; accepted:";
  for (const LauncherOption& option : options) text += " " + std::string(option.name);
  return Error{text};
}

class Reader {
 public:
  explicit Reader(std::span<const std::string> arguments) : arguments_(arguments) {}

  Result<MpiexecPlan> read() {
    while (at_ < arguments_.size()) {
      const std::string& word = arguments_[at_];
      if (!word.starts_with('-')) {
        copy_program();
        continue;
      }
      const LauncherOption* option = find_option(word);
      if (option == nullptr) return unknown_option(word);
      if (has_program_ && option->meaning != Meaning::ranks && option->meaning != Meaning::satisfied)
        return Error{"mpiexec: option '" + word + "' comes after a ':', where it would apply to one program only; " +
                     "accepted there: -n; other options before the first program"};
      ++at_;
      if (std::string problem = take(*option); !problem.empty()) return Error{problem};
    }
    return plan_;
  }

 private:
  // The program, its arguments, and the colon after them.
  void copy_program() {
    bool colon = false;
    has_program_ = true;
    while (at_ < arguments_.size() && !colon) {
      colon = arguments_[at_] == ":";
      plan_.run_arguments.push_back(arguments_[at_++]);
    }
  }

  // Takes the option's values; returns their fault.
  std::string take(const LauncherOption& option) {
    const std::size_t needed = option.meaning == Meaning::variable ? 2
                               : option.meaning == Meaning::label || option.meaning == Meaning::satisfied ||
                                       option.meaning == Meaning::help || option.meaning == Meaning::version
                                   ? 0
                                   : 1;
    if (at_ + needed > arguments_.size()) {
      return "mpiexec: option '" + std::string(option.name) + "' needs " + (needed == 2 ? "two values" : "a value");
    }
    const std::span<const std::string> values = arguments_.subspan(at_, needed);
    at_ += needed;
    auto& run = plan_.run_arguments;
    switch (option.meaning) {
      case Meaning::ranks: run.insert(run.end(), {"-n", values[0]}); break;
      case Meaning::programs: return take_file(values[0]);
      case Meaning::hosts: run.insert(run.end(), {"--hostfile", values[0]}); break;
      case Meaning::label: run.push_back("--label"); break;
      case Meaning::satisfied: break;
      case Meaning::folder: plan_.folder = values[0]; break;
      case Meaning::variable: plan_.environment.emplace_back(values[0], values[1]); break;
      case Meaning::assignment: take_assignment(values[0]); break;
      case Meaning::help: plan_.asks_help = true; break;
      case Meaning::version: plan_.asks_version = true; break;
    }
    return {};
  }

  // Takes a file with the options and the program of one part of the job on each line; returns its fault.
  std::string take_file(const std::string& file) {
    std::ifstream in(file);
    if (!in) return "mpiexec: -configfile: " + file + ": cannot read: " + std::strerror(errno);
    for (std::string line; std::getline(in, line);) {
      std::istringstream stream(line.substr(0, line.find('#')));
      std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
      if (words.empty()) continue;
      if (has_program_) plan_.run_arguments.emplace_back(":");
      auto part = Reader(words).read();
      if (!part) return part.error().text + " (in " + file + ")";
      const auto& theirs = part.value();
      if (!theirs.environment.empty() || !theirs.folder.empty())
        return "mpiexec: " + file + ": '" + line + "' given; accepted: -n N PROGRAM ARGS...";
      plan_.run_arguments.insert(plan_.run_arguments.end(), theirs.run_arguments.begin(), theirs.run_arguments.end());
      has_program_ = true;
    }
    return has_program_ ? "" : "mpiexec: -configfile: " + file + " names no program";
  }

  // NAME=VALUE. NAME alone passes a variable on, which happens to all variables anyway.
  void take_assignment(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) plan_.environment.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }

  std::span<const std::string> arguments_;
  std::size_t at_ = 0;
  MpiexecPlan plan_;
  bool has_program_ = false;
};

}  // namespace

Result<MpiexecPlan> plan_mpiexec(std::span<const std::string> arguments) { return Reader(arguments).read(); }

}  // namespace rehearse::cli
