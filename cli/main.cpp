// SPDX-License-Identifier: MIT
//
// The program `rehearse`: picks a verb. Under the names mpicc, mpicxx, mpic++, mpiexec and mpirun it is that verb.
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

#include "cli/verbs.hpp"

namespace {

using rehearse::cli::Verb;

struct Name {
  std::string_view program;
  std::string_view verb;
};

constexpr Name other_names[] = {
    {"mpicc", "cc"}, {"mpicxx", "c++"}, {"mpic++", "c++"}, {"mpiexec", "mpiexec"}, {"mpirun", "mpiexec"}};

int print_help() {
  std::printf("rehearse VERB ARGUMENTS...\n\nVerbs (each has --help):\n");
  for (const Verb& verb : rehearse::cli::verbs()) {
    std::printf("  %-9.*s %.*s\n", static_cast<int>(verb.name.size()), verb.name.data(),
                static_cast<int>(verb.summary.size()), verb.summary.data());
  }
  std::printf("\nrehearse --version, rehearse --help\n");
  return 0;
}

int unknown_verb(const std::string& name) {
  std::string text = "unknown verb '" + name + "'; accepted:";
  for (const Verb& verb : rehearse::cli::verbs()) text += " " + std::string(verb.name);
  return rehearse::cli::input_error(text + ", --help, --version");
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv, argv + argc);
  const std::string name = words.empty() ? "rehearse" : words[0].substr(words[0].rfind('/') + 1);
  for (const Name& other : other_names) {
    if (name == other.program) return rehearse::cli::find_verb(other.verb)->run(std::span(words).subspan(1));
  }
  if (words.size() < 2) return rehearse::cli::input_error("no verb given; see rehearse --help");
  if (words[1] == "--help" || words[1] == "-h") return print_help();
  if (words[1] == "--version") {
    std::printf("rehearse %s (MPI 5.0, standard ABI 1.0)\n", REHEARSE_VERSION);
    return 0;
  }
  const Verb* verb = rehearse::cli::find_verb(words[1]);
  return verb != nullptr ? verb->run(std::span(words).subspan(2)) : unknown_verb(words[1]);
}
