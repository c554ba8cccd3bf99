// SPDX-License-Identifier: MIT
//
// The additional arguments of a compiler, and the answers to questions about it.
#include "smpi/compiler.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

namespace rehearse::smpi {
namespace {

template <std::size_t count>
bool is_one_of(std::string_view text, const std::array<std::string_view, count>& list) {
  return std::ranges::find(list, text) != list.end();
}

// Options of gcc and clang whose value is the next argument.
constexpr std::array<std::string_view, 33> options_with_value = {
    "-o",          "-I",        "-L",       "-D",         "-U",       "-x",           "-l",
    "-A",          "-B",        "-F",       "-G",         "-T",       "-e",           "-u",
    "-z",          "-include",  "-imacros", "-idirafter", "-iprefix", "-iwithprefix", "-isystem",
    "-iquote",     "-isysroot", "-MF",      "-MT",        "-MQ",      "-Xlinker",     "-Xpreprocessor",
    "-Xassembler", "-Xclang",   "--param",  "-wrapper",   "-target"};

constexpr std::array<std::string_view, 2> only_preprocess = {"-E", "-M"};
constexpr std::array<std::string_view, 3> only_compile = {"-c", "-S", "-fsyntax-only"};
constexpr std::array<std::string_view, 14> code_model_options = {"-fpic",       "-fPIC",    "-fpie",    "-fPIE",
                                                                 "-fno-pic",    "-fno-PIC", "-fno-pie", "-fno-PIE",
                                                                 "-no-pie",     "-nopie",   "-pie",     "-static",
                                                                 "-static-pie", "-shared"};
constexpr std::array<std::string_view, 6> output_options = {"-no-pie", "-nopie",      "-pie",
                                                            "-static", "-static-pie", "-shared"};

struct Job {
  bool has_input = false;
  bool preprocesses = false;
  bool compiles_only = false;
  bool relocatable = false;  // -r
  bool names_code_model = false;
  bool names_output = false;
  bool reports_accesses = false;  // --check-memory

  bool links() const { return has_input && !preprocesses && !compiles_only; }
};

Job read_job(std::span<const std::string> arguments) {
  Job job;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    const bool is_option = argument.size() > 1 && argument[0] == '-';
    if (!is_option || argument.starts_with("-l")) job.has_input = true;
    if (is_one_of(argument, only_preprocess) || argument == "-MM") job.preprocesses = true;
    if (is_one_of(argument, only_compile)) job.compiles_only = true;
    if (argument == "-r") job.relocatable = true;
    if (is_one_of(argument, code_model_options)) job.names_code_model = true;
    if (is_one_of(argument, output_options)) job.names_output = true;
    if (is_one_of(argument, options_with_value)) ++i;
  }
  return job;
}

std::vector<std::string> split_words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// Quotes a word for a shell. Build systems parse some flags in our answers; of these only the value is quoted, as they
// expect.
std::string quote(const std::string& word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=/.,:@%^";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  for (const std::string_view flag : {"-I", "-L", "-Wl,"}) {
    if (word.starts_with(flag) && word.find_first_of("\"$`\\!") == std::string::npos) {
      return std::string(flag) + '"' + word.substr(flag.size()) + '"';
    }
  }
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + quote(word);
  return text + "\n";
}

std::vector<std::string> compile_flags(const InstalledFolders& folders) {
  return {"-I" + folders.include_folder, "-g"};
}

std::vector<std::string> link_flags(const InstalledFolders& folders) {
  return {"-L" + folders.library_folder, "-Wl,-rpath," + folders.library_folder, "-lmpi_abi"};
}

std::vector<std::string> make_command(const Job& job, std::span<const std::string> arguments,
                                      const InstalledFolders& folders, const Toolchain& toolchain) {
  std::vector<std::string> command = split_words(toolchain.compiler);
  const auto add = [&](const std::vector<std::string>& words) {
    command.insert(command.end(), words.begin(), words.end());
  };
  if (job.has_input) add({"-I" + folders.include_folder});
  if (job.has_input && !job.preprocesses) {
    add({"-g"});
    if (job.reports_accesses)
      add({"-specs=" + folders.library_folder + "/rehearse-accesses.specs",
           "-B" + folders.library_folder + "/rehearse-accesses/"});
    if (!toolchain.makes_pie && !job.names_code_model) add({"-fPIE"});
  }
  add({arguments.begin(), arguments.end()});
  if (job.links() && !job.relocatable) {
    if (!toolchain.makes_pie && !job.names_output) add({"-pie"});
    add(link_flags(folders));
    if (job.reports_accesses) add({"-lrehearse_accesses"});
  }
  return command;
}

constexpr std::string_view check_memory = "--check-memory";

constexpr std::string_view help =
    "example:\n"
    "  mpicc -O2 ring.c -o ring        (or rehearse cc; for C++ mpicxx, mpic++, rehearse c++)\n\n"
    "Calls the compiler with the options that MPI programs need: -I, -g, -L and -lmpi_abi. It passes all options\n"
    "to the compiler, except these:\n"
    "  -show, -showme                       print the command instead of running it\n"
    "  -showme:compile, -compile-info       print the options added for compiling\n"
    "  -showme:link, -link-info             print the options added for linking\n"
    "  -showme:incdirs|libdirs|libs|command|version|help\n"
    "  --check-memory                       make the program report its reads and writes: see docs/compiling.md\n"
    "  --actors (C++)                       for programs of actors, not MPI: see docs/actors.md\n"
    "  --help, alone                        this text\n"
    "  -cc=NAME (C), -cxx=NAME (C++)        the compiler to call, default cc and c++; likewise the environment\n"
    "                                       variables REHEARSE_CC and REHEARSE_CXX\n";

Result<std::string> answer_question(std::string_view question, const InstalledFolders& folders,
                                    const Toolchain& toolchain) {
  const auto with_compiler = [&](std::vector<std::string> flags) {
    std::vector<std::string> words = split_words(toolchain.compiler);
    words.insert(words.end(), flags.begin(), flags.end());
    return join(words);
  };
  if (question == "showme:compile") return join(compile_flags(folders));
  if (question == "showme:link") return join(link_flags(folders));
  if (question == "compile-info" || question == "compile_info") return with_compiler(compile_flags(folders));
  if (question == "link-info" || question == "link_info") return with_compiler(link_flags(folders));
  if (question == "showme:incdirs") return join({folders.include_folder});
  if (question == "showme:libdirs") return join({folders.library_folder});
  if (question == "showme:libs") return join({"mpi_abi"});
  if (question == "showme:command") return with_compiler({});
  if (question == "showme:version") return std::string("rehearse: MPI 5.0, standard ABI 1.0\n");
  if (question == "showme:help") return std::string(help);
  return Error{"-" + std::string(question) +
               " is not known; accepted: -show, -showme, -showme:compile, :link, :incdirs, :libdirs, :libs, "
               ":command, :version, :help, -compile-info, -link-info"};
}

bool is_question(std::string_view argument) {
  return argument.starts_with("showme") || argument == "show" || argument == "compile-info" ||
         argument == "compile_info" || argument == "link-info" || argument == "link_info";
}

bool is_compiler_choice(Language language, std::string_view argument) {
  return argument.starts_with(language == Language::c ? "-cc=" : "-cxx=");
}

}  // namespace

std::string choose_compiler(Language language, std::span<const std::string> arguments, const std::string& preferred) {
  for (const std::string& argument : arguments) {
    if (is_compiler_choice(language, argument)) return argument.substr(argument.find('=') + 1);
  }
  if (!preferred.empty()) return preferred;
  return language == Language::c ? "cc" : "c++";
}

bool makes_code(std::span<const std::string> arguments) {
  const Job job = read_job(arguments);
  return job.has_input && !job.preprocesses;
}

Result<CompilerPlan> plan_compiler(Language language, std::span<const std::string> arguments,
                                   const InstalledFolders& folders, const Toolchain& toolchain) {
  std::vector<std::string> kept;
  std::string question = arguments.size() == 1 && arguments[0] == "--help" ? "showme:help" : "";
  for (const std::string& argument : arguments) {
    std::string_view bare = argument;
    while (bare.starts_with('-')) bare.remove_prefix(1);
    const bool asks = argument.starts_with('-') && is_question(bare);
    if (asks && question.empty()) question = bare;
    if (!asks && !is_compiler_choice(language, argument) && argument != check_memory) kept.push_back(argument);
  }
  Job job = read_job(kept);
  job.reports_accesses = std::ranges::find(arguments, check_memory) != arguments.end();
  if (job.reports_accesses && toolchain.compiler.find("clang") != std::string::npos)
    return Error{"--check-memory works only with gcc, but the compiler is " + toolchain.compiler};
  if (question.empty()) return CompilerPlan{make_command(job, kept, folders, toolchain), {}};
  if (question == "show" || question == "showme") {
    job.has_input = true;  // a question without other arguments: print all options that would be added
    return CompilerPlan{{}, join(make_command(job, kept, folders, toolchain))};
  }
  Result<std::string> answer = answer_question(question, folders, toolchain);
  if (!answer) return answer.error();
  return CompilerPlan{{}, answer.value()};
}

}  // namespace rehearse::smpi
