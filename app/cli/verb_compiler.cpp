// SPDX-License-Identifier: MIT
//
// rehearse cc, rehearse c++: executes the compiler, or answers a question about it.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "app/cli/fortran_wrapper.hpp"
#include "app/cli/library_compiler.hpp"
#include "app/cli/message.hpp"
#include "app/cli/own_tree.hpp"
#include "app/cli/verbs.hpp"
#include "smpi/compiler.hpp"

namespace rehearse::cli {
namespace {

int become(std::vector<std::string> command, const char* variable) {
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  return report_error({"the compiler '" + command[0] + "' cannot be run: " + std::strerror(errno) + "; set " +
                       variable + " to one that can"});
}

// The first C++ source among the arguments, or nothing.
std::string cxx_source(const Arguments& arguments) {
  constexpr std::array suffixes = {".cpp", ".cc", ".cxx", ".C", ".c++"};
  const auto found = std::ranges::find_if(arguments, [&](const std::string& word) {
    return !word.starts_with('-') &&
           std::ranges::find(suffixes, std::filesystem::path(word).extension()) != suffixes.end();
  });
  return found == arguments.end() ? "" : *found;
}

// Like become(), but waits for the compiler, to report the likely reason of an error: the C compiler accepts a C++
// source, but its linker does not find the libraries of C++.
int compile_cxx_as_c(const std::string& source, const std::vector<std::string>& command, const char* variable) {
  const pid_t child = ::fork();
  if (child <= 0) return become(command, variable);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (code != 0) std::fprintf(stderr, "rehearse: note: %s is C++: rehearse c++ compiles it\n", source.c_str());
  return code;
}

int run_compiler(smpi::Language language, const Arguments& arguments) {
  const char* variable = language == smpi::Language::c ? "REHEARSE_CC" : "REHEARSE_CXX";
  const char* preferred = std::getenv(variable);
  if (const std::string source = fortran_source(arguments); !source.empty())
    return report_error({source + ": " + std::string(fortran_refusal)});
  Result<std::string> prefix = own_prefix();
  if (!prefix) return report_error(prefix.error());
  const smpi::InstalledFolders folders{prefix.value() + "/include", prefix.value() + "/lib"};
  smpi::Toolchain toolchain;
  toolchain.compiler = smpi::choose_compiler(language, arguments, preferred == nullptr ? "" : preferred);
  if (toolchain.compiler.find_first_not_of(' ') == std::string::npos) {
    return report_error({"the name of the compiler is empty; set " + std::string(variable) + " or leave it unset"});
  }
  if (const std::string option = library_option(arguments); !option.empty()) {
    if (language == smpi::Language::c) return report_error({"cc: " + option + " is for C++ programs: rehearse c++"});
    return become(library_command(arguments, prefix.value(), toolchain.compiler), variable);
  }
  if (smpi::makes_code(arguments)) toolchain.makes_pie = smpi::compiler_makes_pie(toolchain.compiler);
  Result<smpi::CompilerPlan> plan = smpi::plan_compiler(language, arguments, folders, toolchain);
  if (!plan) return report_error(plan.error());
  const std::string foreign = language == smpi::Language::c ? cxx_source(arguments) : "";
  if (!plan.value().command.empty() && !foreign.empty())
    return compile_cxx_as_c(foreign, plan.value().command, variable);
  if (!plan.value().command.empty()) return become(plan.value().command, variable);
  std::fputs(plan.value().answer.c_str(), stdout);
  return 0;
}

}  // namespace

int run_c_compiler(const Arguments& arguments) { return run_compiler(smpi::Language::c, arguments); }

int run_cxx_compiler(const Arguments& arguments) { return run_compiler(smpi::Language::cxx, arguments); }

}  // namespace rehearse::cli
