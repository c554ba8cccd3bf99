// SPDX-License-Identifier: MIT
//
// rehearse cc, rehearse c++, rehearse fortran: executes the compiler, or answers a question about it.
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

#include "app/cli/library_compiler.hpp"
#include "app/cli/message.hpp"
#include "app/cli/own_tree.hpp"
#include "app/cli/verbs.hpp"
#include "smpi/compiler.hpp"
#include "smpi/fortran_modules.hpp"

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

// The first source with one of these suffixes among the arguments, or nothing.
template <std::size_t count>
std::string find_source(const Arguments& arguments, const std::array<const char*, count>& suffixes) {
  const auto found = std::ranges::find_if(arguments, [&](const std::string& word) {
    return !word.starts_with('-') &&
           std::ranges::find(suffixes, std::filesystem::path(word).extension()) != suffixes.end();
  });
  return found == arguments.end() ? "" : *found;
}

// The first Fortran source (in free or fixed form, as gcc's driver knows them) among the arguments, or nothing.
std::string fortran_source(const Arguments& arguments) {
  constexpr std::array suffixes = {".f", ".for", ".ftn", ".f77", ".f90", ".f95", ".f03", ".f08",
                                   ".F", ".FOR", ".FTN", ".F77", ".F90", ".F95", ".F03", ".F08"};
  return find_source(arguments, suffixes);
}

// The first C++ source among the arguments, or nothing.
std::string cxx_source(const Arguments& arguments) {
  constexpr std::array suffixes = {".cpp", ".cc", ".cxx", ".C", ".c++"};
  return find_source(arguments, suffixes);
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

// The folder for files that can be made again: $XDG_CACHE_HOME/rehearse or ~/.cache/rehearse.
Result<std::string> cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/rehearse";
  if (home != nullptr && *home == '/') return std::string(home) + "/.cache/rehearse";
  return Error{
      "neither XDG_CACHE_HOME nor HOME is set; set XDG_CACHE_HOME to a folder for the compiled modules of MPI"};
}

// The modules for this compiler, which are made at the first use.
Result<std::string> find_modules(const std::string& prefix, const std::string& compiler) {
  Result<std::string> cache = cache_folder();
  if (!cache) return cache;
  return smpi::make_fortran_modules({compiler, prefix + "/lib/rehearse-fortran", cache.value()});
}

const char* variable_of(smpi::Language language) {
  switch (language) {
    case smpi::Language::c: return "REHEARSE_CC";
    case smpi::Language::cxx: return "REHEARSE_CXX";
    case smpi::Language::fortran: return "REHEARSE_FC";
  }
  return "";
}

int run_compiler(smpi::Language language, const Arguments& arguments) {
  const bool is_fortran = language == smpi::Language::fortran;
  const char* variable = variable_of(language);
  const char* preferred = std::getenv(variable);
  if (const std::string source = fortran_source(arguments); !source.empty() && !is_fortran)
    return report_error({source + ": is Fortran; compile it with rehearse fortran (mpifort)"});
  Result<std::string> prefix = own_prefix();
  if (!prefix) return report_error(prefix.error());
  smpi::InstalledFolders folders{prefix.value() + "/include", prefix.value() + "/lib", {}};
  smpi::Toolchain toolchain;
  toolchain.is_fortran = is_fortran;
  toolchain.compiler = smpi::choose_compiler(language, arguments, preferred == nullptr ? "" : preferred);
  if (toolchain.compiler.find_first_not_of(' ') == std::string::npos) {
    return report_error({"the name of the compiler is empty; set " + std::string(variable) + " or leave it unset"});
  }
  if (const std::string option = library_option(arguments); !option.empty()) {
    if (language != smpi::Language::cxx)
      return report_error({(is_fortran ? "fortran: " : "cc: ") + option + " is for C++ programs: rehearse c++"});
    return become(library_command(arguments, prefix.value(), toolchain.compiler), variable);
  }
  if (is_fortran && smpi::needs_modules(arguments)) {
    Result<std::string> modules = find_modules(prefix.value(), toolchain.compiler);
    if (!modules) return report_error(modules.error());
    folders.module_folder = modules.value();
  }
  if (smpi::makes_code(arguments) && !is_fortran) toolchain.makes_pie = smpi::compiler_makes_pie(toolchain.compiler);
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

int run_fortran_compiler(const Arguments& arguments) { return run_compiler(smpi::Language::fortran, arguments); }

}  // namespace rehearse::cli
