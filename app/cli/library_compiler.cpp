// SPDX-License-Identifier: MIT
//
// Commands for programs of actors, and for programs that check others.
#include "app/cli/library_compiler.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>

namespace rehearse::cli {
namespace {

constexpr const char *for_actors = "--actors", *for_checking = "--api";
// With their names in CMakeLists.txt, in the order that a linker needs.
constexpr std::array upper_libraries = {"-lrehearse_app",       "-lrehearse_properties", "-lrehearse_trace", "-lzstd",
#if __has_include(<otf2/otf2.h>)
                                        "-lopen-trace-format2",
#endif
                                        "-lrehearse_manynode",  "-lrehearse_smpi"};
constexpr std::array libraries = {"-lrehearse_mc",   "-lrehearse_simcore", "-lrehearse_support",
                                  "-lboost_context", "-lpugixml",          "-lZydis",
                                  "-lgcc_s",         "-lunwind",           "-lunwind-x86_64",
                                  "-ldwarf",         "-lxxhash",           "-lfmt"};

bool links(const std::vector<std::string>& arguments) {
  return std::ranges::none_of(arguments, [](const std::string& word) {
    return word == "-c" || word == "-E" || word == "-S" || word == "-M" || word == "-MM" || word == "-fsyntax-only";
  });
}

}  // namespace

std::string library_option(const std::vector<std::string>& arguments) {
  for (const char* option : {for_actors, for_checking})
    if (std::ranges::find(arguments, option) != arguments.end()) return option;
  return "";
}

std::vector<std::string> library_command(const std::vector<std::string>& arguments, const std::string& prefix,
                                         const std::string& compiler) {
  const std::string option = library_option(arguments);
  std::vector<std::string> command;
  std::istringstream words(compiler);
  for (std::string word; words >> word;) command.push_back(word);
  command.insert(command.end(), {"-std=c++20", "-g", "-I" + prefix + "/include/rehearse"});
  std::ranges::copy_if(arguments, std::back_inserter(command),
                       [&option](const std::string& word) { return word != option; });
  if (!links(arguments)) return command;
  command.push_back("-L" + prefix + "/lib/rehearse");
  if (option == for_checking) command.insert(command.end(), upper_libraries.begin(), upper_libraries.end());
  command.insert(command.end(), libraries.begin(), libraries.end());
  return command;
}

}  // namespace rehearse::cli
