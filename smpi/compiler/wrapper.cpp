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

std::vector<std::string> include_flags(const InstalledFolders& folders, const Toolchain& toolchain) {
  std::vector<std::string> flags = {"-I" + folders.include_folder};
  if (toolchain.is_fortran) flags.push_back("-I" + folders.module_folder);
  return flags;
}

// Two calls of one procedure of mpif.h with buffers of different types would be an error from gfortran 10 on.
constexpr const char* any_buffer = "-fallow-argument-mismatch";

std::vector<std::string> compile_flags(const InstalledFolders& folders, const Toolchain& toolchain) {
  std::vector<std::string> flags = include_flags(folders, toolchain);
  flags.emplace_back("-g");
  if (toolchain.is_fortran) flags.emplace_back(any_buffer);
  return flags;
}

std::vector<std::string> link_flags(const InstalledFolders& folders, const Toolchain& toolchain) {
  std::vector<std::string> flags;
  if (toolchain.is_fortran) flags.push_back(folders.module_folder + "/librehearse_fortran.a");
  for (const std::string& flag :
       {"-L" + folders.library_folder, "-Wl,-rpath," + folders.library_folder, std::string("-lmpi_abi")})
    flags.push_back(flag);
  return flags;
}

// The first option that changes the size of INTEGER; empty: none.
std::string wide_integer_option(std::span<const std::string> arguments) {
  constexpr std::array<std::string_view, 3> wide = {"-fdefault-integer-8", "-finteger-4-integer-8", "-i8"};
  const auto found = std::ranges::find_if(arguments, [&](const std::string& word) { return is_one_of(word, wide); });
  return found == arguments.end() ? "" : *found;
}

std::vector<std::string> make_command(const Job& job, std::span<const std::string> arguments,
                                      const InstalledFolders& folders, const Toolchain& toolchain) {
  std::vector<std::string> command = split_words(toolchain.compiler);
  const auto add = [&](const std::vector<std::string>& words) {
    command.insert(command.end(), words.begin(), words.end());
  };
  if (job.has_input) add(include_flags(folders, toolchain));
  if (job.has_input && !job.preprocesses) {
    add({"-g"});
    if (toolchain.is_fortran) add({any_buffer});
    if (job.reports_accesses)
      add({"-specs=" + folders.library_folder + "/rehearse-accesses.specs",
           "-B" + folders.library_folder + "/rehearse-accesses/"});
    if (!toolchain.makes_pie && !job.names_code_model) add({"-fPIE"});
  }
  add({arguments.begin(), arguments.end()});
  if (job.links() && !job.relocatable) {
    if (!toolchain.makes_pie && !job.names_output) add({"-pie"});
    add(link_flags(folders, toolchain));
    if (job.reports_accesses) add({"-lrehearse_accesses"});
  }
  return command;
}

constexpr std::string_view check_memory = "--check-memory";

constexpr std::string_view help =
    "example:\n"
    "  mpicc -O2 ring.c -o ring        (or rehearse cc; for C++ mpicxx, mpic++, rehearse c++)\n"
    "  mpifort -O2 ring.f90 -o ring    (or mpif90, mpif77, rehearse fortran; the compiler is gfortran)\n\n"
    "Calls the compiler with the options that MPI programs need: -I, -g, -L and -lmpi_abi. It passes all options\n"
    "to the compiler, except these:\n"
    "  -show, -showme                       print the command instead of running it\n"
    "  -showme:compile, -compile-info       print the options added for compiling\n"
    "  -showme:link, -link-info             print the options added for linking\n"
    "  -showme:incdirs|libdirs|libs|command|version|help\n"
    "  --check-memory                       make the program report its reads and writes: see docs/compiling.md\n"
    "  --actors (C++)                       for programs of actors, not MPI: see docs/actors.md\n"
    "  --help, alone                        this text\n"
    "  -cc=NAME (C), -cxx=NAME (C++), -fc=NAME (Fortran)\n"
    "                                       the compiler to call, default cc, c++ and gfortran; likewise the\n"
    "                                       environment variables REHEARSE_CC, REHEARSE_CXX and REHEARSE_FC\n";

Result<std::string> answer_question(std::string_view question, const InstalledFolders& folders,
                                    const Toolchain& toolchain) {
  const auto with_compiler = [&](std::vector<std::string> flags) {
    std::vector<std::string> words = split_words(toolchain.compiler);
    words.insert(words.end(), flags.begin(), flags.end());
    return join(words);
  };
  if (question == "showme:compile") return join(compile_flags(folders, toolchain));
  if (question == "showme:link") return join(link_flags(folders, toolchain));
  if (question == "compile-info" || question == "compile_info") return with_compiler(compile_flags(folders, toolchain));
  if (question == "link-info" || question == "link_info") return with_compiler(link_flags(folders, toolchain));
  if (question == "showme:incdirs")
    return join(toolchain.is_fortran ? std::vector{folders.include_folder, folders.module_folder}
                                     : std::vector{folders.include_folder});
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
  return argument.starts_with(language == Language::c ? "-cc=" : language == Language::cxx ? "-cxx=" : "-fc=");
}

}  // namespace

std::string choose_compiler(Language language, std::span<const std::string> arguments, const std::string& preferred) {
  for (const std::string& argument : arguments) {
    if (is_compiler_choice(language, argument)) return argument.substr(argument.find('=') + 1);
  }
  if (!preferred.empty()) return preferred;
  return language == Language::c ? "cc" : language == Language::cxx ? "c++" : "gfortran";
}

bool needs_modules(std::span<const std::string> arguments) {
  return read_job(arguments).has_input || std::ranges::any_of(arguments, [](std::string_view argument) {
           while (argument.starts_with('-')) argument.remove_prefix(1);
           return is_question(argument);
         });
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
  if (const std::string wide = wide_integer_option(kept); toolchain.is_fortran && !wide.empty())
    return Error{wide + ": MPI's INTEGER has 4 bytes; compile the program without the option, and declare larger "
                        "integers with INTEGER(8)"};
  Job job = read_job(kept);
  job.reports_accesses = std::ranges::find(arguments, check_memory) != arguments.end();
  if (job.reports_accesses && toolchain.is_fortran)
    return Error{"--check-memory works only with C and C++; accepted for Fortran: no such option"};
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
