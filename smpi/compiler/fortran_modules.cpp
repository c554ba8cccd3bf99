// SPDX-License-Identifier: MIT
//
// See fortran_modules.hpp.
#include "smpi/fortran_modules.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

#include "simcore/support/format.hpp"
#include "simcore/support/hash.hpp"

namespace rehearse::smpi {
namespace {

namespace fs = std::filesystem;

constexpr const char* module_sources[] = {"mpi", "mpi_f08"};
constexpr const char* archive_name = "librehearse_fortran.a";

struct Finished {
  int status = -1;     // of wait(); -1: it could not be started
  std::string output;  // standard output and error
};

std::string read_all(int file) {
  std::string text;
  char piece[4096];
  for (ssize_t count; (count = ::read(file, piece, sizeof piece)) > 0;)
    text.append(piece, static_cast<std::size_t>(count));
  return text;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

Finished run_to_end(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int ends[2];
  if (arguments[0] == nullptr || ::pipe2(ends, O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  Finished finished;
  if (failed == 0) finished.output = read_all(ends[0]);
  ::close(ends[0]);
  if (failed == 0) ::waitpid(child, &finished.status, 0);
  return finished;
}

std::string contents_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::uint64_t hash_of(const std::string& text) {
  StableHash hash;
  hash.add(text);
  return hash.value();
}

std::string last_lines(const std::string& output) {
  constexpr std::size_t enough = 400;
  std::string text = output.size() > enough ? "..." + output.substr(output.size() - enough) : output;
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

std::optional<Error> compile_modules(const ModuleRequest& request, const fs::path& folder) {
  std::vector<std::string> archive = {"ar", "rcs", (folder / archive_name).string()};
  for (const char* name : module_sources) {
    std::vector<std::string> command = words_of(request.compiler);
    const std::string object = (folder / name).string() + ".o";
    for (const std::string& word :
         {std::string("-w"), std::string("-O1"), std::string("-fPIC"), std::string("-ffree-line-length-none"),
          std::string("-J") + folder.string(), std::string("-c"), request.source_folder + "/" + name + ".f90",
          std::string("-o"), object})
      command.push_back(word);
    const Finished done = run_to_end(command);
    if (done.status != 0)
      return Error{fmt::format("{}/{}.f90: {} cannot compile the module {}: {}", request.source_folder, name,
                               request.compiler, name, last_lines(done.output))};
    archive.push_back(object);
  }
  const Finished done = run_to_end(archive);
  if (done.status != 0)
    return Error{fmt::format("{}: ar cannot make it: {}", (folder / archive_name).string(), last_lines(done.output))};
  return std::nullopt;
}

}  // namespace

std::string compiler_version(const std::string& compiler) {
  std::vector<std::string> command = words_of(compiler);
  command.emplace_back("--version");
  const Finished done = run_to_end(command);
  return done.status == 0 ? done.output.substr(0, done.output.find('\n')) : "";
}

Result<std::string> make_fortran_modules(const ModuleRequest& request) {
  const std::string version = compiler_version(request.compiler);
  if (version.empty())
    return Error{"the compiler '" + request.compiler +
                 "' cannot be run; install gfortran, or set REHEARSE_FC to a compiler that can"};
  if (version.find("GNU Fortran") == std::string::npos)
    return Error{"the compiler '" + request.compiler + "' is " + version + "; accepted: gfortran"};
  std::string key = version;
  for (const char* name : module_sources) {
    const fs::path source = fs::path(request.source_folder) / (std::string(name) + ".f90");
    const std::string text = contents_of(source);
    if (text.empty()) return Error{source.string() + ": cannot be read; the installation is incomplete"};
    key += text;
  }
  const fs::path folder = fs::path(request.cache_folder) / fmt::format("fortran-{:016x}", hash_of(key));
  std::error_code failed;
  if (fs::exists(folder / archive_name, failed)) return folder.string();
  const fs::path partial = folder.string() + fmt::format(".{}", ::getpid());
  fs::create_directories(partial, failed);
  if (failed)
    return Error{partial.string() + ": cannot be made: " + failed.message() +
                 "; set XDG_CACHE_HOME to a folder for the compiled modules of MPI"};
  if (auto error = compile_modules(request, partial)) {
    fs::remove_all(partial, failed);
    return *error;
  }
  fs::rename(partial, folder, failed);
  if (failed) fs::remove_all(partial, failed);  // another process was faster
  if (!fs::exists(folder / archive_name, failed)) return Error{folder.string() + ": cannot be made"};
  return folder.string();
}

}  // namespace rehearse::smpi
