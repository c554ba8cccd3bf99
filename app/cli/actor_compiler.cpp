// SPDX-License-Identifier: MIT
//
// Options for actor programs.
#include "app/cli/actor_compiler.hpp"

#include <algorithm>
#include <array>
#include <sstream>

namespace rehearse::cli {
namespace {

constexpr const char* option = "--actors";
// As CMakeLists.txt names them, in the order in which a linker wants them.
constexpr std::array libraries = {"-lrehearse_mc", "-lrehearse_simcore", "-lrehearse_support", "-lboost_context",
                                  "-lpugixml",     "-lgcc_s",            "-lunwind",           "-lunwind-x86_64",
                                  "-ldwarf",       "-lxxhash"};

bool links(const std::vector<std::string>& arguments) {
  return std::ranges::none_of(arguments, [](const std::string& word) {
    return word == "-c" || word == "-E" || word == "-S" || word == "-M" || word == "-MM" || word == "-fsyntax-only";
  });
}

}  // namespace

bool is_for_actors(const std::vector<std::string>& arguments) {
  return std::ranges::find(arguments, option) != arguments.end();
}

std::vector<std::string> actor_command(const std::vector<std::string>& arguments, const std::string& prefix,
                                       const std::string& compiler) {
  std::vector<std::string> command;
  std::istringstream words(compiler);
  for (std::string word; words >> word;) command.push_back(word);
  command.insert(command.end(), {"-std=c++20", "-g", "-I" + prefix + "/include/rehearse"});
  std::ranges::copy_if(arguments, std::back_inserter(command), [](const std::string& word) { return word != option; });
  if (!links(arguments)) return command;
  command.push_back("-L" + prefix + "/lib/rehearse");
  command.insert(command.end(), libraries.begin(), libraries.end());
  return command;
}

}  // namespace rehearse::cli
