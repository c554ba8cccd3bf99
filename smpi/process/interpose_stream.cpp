// SPDX-License-Identifier: MIT
//
// A rank's standard streams: separate FILEs whose writes are Log operations, and the descriptors 0, 1 and 2.
//
// Buffering: as for a pipe: standard output is fully buffered, standard error not at all; setvbuf works.
// Input:     rank 0 reads this process's standard input, the others read an empty file.
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>

#include "simcore/actor.hpp"
#include "smpi/abi/dead_stack.hpp"
#include "smpi/collective/barrier_search.hpp"
#include "smpi/process/files.hpp"
#include "smpi/process/heap.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/process/sockets.hpp"

namespace rehearse::smpi {
namespace {

void log_text(int stream, std::string_view text) {
  if (text.empty()) return;
  report_output();
  ask(Log{stream, text});
  clear_dead_stack();
}

ssize_t write_stream(void* cookie, const char* data, std::size_t bytes) {
  log_text(static_cast<int>(reinterpret_cast<std::intptr_t>(cookie)), {data, bytes});
  return static_cast<ssize_t>(bytes);
}

// Reads input until there is at least one byte from `position` on, or the input ends.
void read_host_input(HostInput& input, std::size_t position) {
  HostAllocation host;
  while (!input.ended && input.read.size() <= position) {
    std::array<char, 4096> chunk;
    const ssize_t got = ::read(STDIN_FILENO, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) input.ended = true;
    else input.read.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

ssize_t read_input(void*, char* to, std::size_t bytes) {
  RankState& rank = this_rank();
  if (rank.context.identity.id.value != 0) return 0;
  HostInput& input = rank.world->input;
  read_host_input(input, rank.input_position);
  const std::size_t count = std::min(bytes, input.read.size() - std::min(input.read.size(), rank.input_position));
  std::memcpy(to, input.read.data() + rank.input_position, count);
  rank.input_position += count;
  return static_cast<ssize_t>(count);
}

FILE* open_stream(int number) {
  cookie_io_functions_t functions{};
  if (number == STDIN_FILENO) functions.read = read_input;
  else functions.write = write_stream;
  return fopencookie(reinterpret_cast<void*>(static_cast<std::intptr_t>(number)), number == STDIN_FILENO ? "r" : "w",
                     functions);
}

bool is_output(int descriptor) { return descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO; }

ssize_t rank_write(int descriptor, const void* data, std::size_t bytes) {
  if (RankFiles::is_descriptor(descriptor) && rank_files() != nullptr)
    return rank_files()->write(descriptor, data, bytes);
  if (RankSockets* sockets = sockets_of(descriptor)) return sockets->write(descriptor, data, bytes);
  if (!is_output(descriptor)) return ::write(descriptor, data, bytes);
  log_text(descriptor, {static_cast<const char*>(data), bytes});
  return static_cast<ssize_t>(bytes);
}

ssize_t rank_writev(int descriptor, const iovec* parts, int count) {
  const bool is_file = RankFiles::is_descriptor(descriptor) && rank_files() != nullptr;
  if (sockets_of(descriptor) != nullptr) return write_parts(descriptor, parts, static_cast<std::size_t>(count));
  if (!is_output(descriptor) && !is_file) return ::writev(descriptor, parts, count);
  std::string text;
  for (int i = 0; i < count; ++i) text.append(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
  if (is_file) return rank_files()->write(descriptor, text.data(), text.size());
  log_text(descriptor, text);
  return static_cast<ssize_t>(text.size());
}

ssize_t rank_read(int descriptor, void* to, std::size_t bytes) {
  if (descriptor == random_descriptor) return rank_getrandom(to, bytes, 0);
  if (RankFiles::is_descriptor(descriptor) && rank_files() != nullptr) return rank_files()->read(descriptor, to, bytes);
  if (RankSockets* sockets = sockets_of(descriptor)) return sockets->read(descriptor, to, bytes, {});
  if (descriptor != STDIN_FILENO) return ::read(descriptor, to, bytes);
  return read_input(nullptr, static_cast<char*>(to), bytes);
}

int rank_fileno(FILE* file) {
  const StandardStreams& streams = this_rank().streams;
  if (file == streams.input) return STDIN_FILENO;
  if (file == streams.output) return STDOUT_FILENO;
  if (file == streams.error) return STDERR_FILENO;
  if (file == this_rank().random_stream) return random_descriptor;
  if (rank_files() != nullptr)
    if (const int descriptor = rank_files()->descriptor_of(file); descriptor >= 0) return descriptor;
  return ::fileno(file);
}

int rank_isatty(int descriptor) {
  if (descriptor > STDERR_FILENO && !RankFiles::is_descriptor(descriptor)) return ::isatty(descriptor);
  errno = ENOTTY;
  return 0;
}

// The rank's own streams first: libc holds a lock of the process while it flushes all streams, and no Operation may be
// made under that lock.
int rank_fflush(FILE* file) {
  if (file != nullptr) return ::fflush(file);
  const StandardStreams& streams = this_rank().streams;
  const int output = ::fflush(streams.output), error = ::fflush(streams.error);
  return (::fflush(nullptr) | output | error) == 0 ? 0 : EOF;
}

int rank_vdprintf(int descriptor, const char* format, va_list arguments) {
  const bool is_file = RankFiles::is_descriptor(descriptor) && rank_files() != nullptr;
  RankSockets* sockets = sockets_of(descriptor);
  if (!is_output(descriptor) && !is_file && sockets == nullptr) return ::vdprintf(descriptor, format, arguments);
  char* text = nullptr;
  const int length = vasprintf(&text, format, arguments);
  if (length >= 0 && sockets != nullptr) sockets->write(descriptor, text, static_cast<std::size_t>(length));
  else if (length >= 0 && is_file) rank_files()->write(descriptor, text, static_cast<std::size_t>(length));
  else if (length >= 0) log_text(descriptor, {text, static_cast<std::size_t>(length)});
  std::free(text);
  return length;
}

int rank_dprintf(int descriptor, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = rank_vdprintf(descriptor, format, arguments);
  va_end(arguments);
  return result;
}

// Ranks share descriptors: closing a standard one must not close it for all.
int rank_close(int descriptor) {
  if (descriptor == random_descriptor) return 0;
  if (RankFiles::is_descriptor(descriptor) && rank_files() != nullptr) return rank_files()->close(descriptor);
  if (RankSockets* sockets = sockets_of(descriptor)) return sockets->close(descriptor);
  return descriptor >= 0 && descriptor <= STDERR_FILENO ? 0 : ::close(descriptor);
}

int rank_openat(int folder, const char* path, int flags, mode_t mode) {
  if (is_random_device(path)) return random_descriptor;
  RankFiles* files = rank_files();
  return files == nullptr ? ::openat(folder, path, flags, mode) : files->open(folder, path, flags, mode);
}
int rank_open(const char* path, int flags, mode_t mode) { return rank_openat(AT_FDCWD, path, flags, mode); }
int rank_open_checked(const char* path, int flags) { return rank_open(path, flags, 0); }
int rank_openat_checked(int folder, const char* path, int flags) { return rank_openat(folder, path, flags, 0); }

FILE* rank_fopen(const char* path, const char* mode) {
  if (RankFiles* files = rank_files(); files != nullptr && !is_random_device(path))
    return files->open_stream(path, mode);
  if (!is_random_device(path)) return std::fopen(path, mode);
  cookie_io_functions_t functions{};
  functions.read = [](void*, char* to, std::size_t bytes) { return rank_getrandom(to, bytes, 0); };
  return this_rank().random_stream = fopencookie(nullptr, "r", functions);
}

}  // namespace

void open_standard_streams(RankState& rank) {
  rank.streams.input = open_stream(STDIN_FILENO);
  rank.streams.output = open_stream(STDOUT_FILENO);
  rank.streams.error = open_stream(STDERR_FILENO);
  std::setvbuf(rank.streams.error, nullptr, _IONBF, 0);
  rank.variable<FILE*>(Variable::standard_input) = stdin = rank.streams.input;
  rank.variable<FILE*>(Variable::standard_output) = stdout = rank.streams.output;
  rank.variable<FILE*>(Variable::standard_error) = stderr = rank.streams.error;
}

void flush_standard_streams(RankState&) { rank_fflush(nullptr); }

InterposerList stream_interposers() {
  return {{"write", function_address(rank_write)},
          {"__write", function_address(rank_write)},
          {"writev", function_address(rank_writev)},
          {"read", function_address(rank_read)},
          {"__read", function_address(rank_read)},
          {"fileno", function_address(rank_fileno)},
          {"fileno_unlocked", function_address(rank_fileno)},
          {"isatty", function_address(rank_isatty)},
          {"fflush", function_address(rank_fflush)},
          {"fflush_unlocked", function_address(rank_fflush)},
          {"dprintf", function_address(rank_dprintf)},
          {"vdprintf", function_address(rank_vdprintf)},
          {"close", function_address(rank_close)},
          {"__close", function_address(rank_close)},
          {"open", function_address(rank_open)},
          {"open64", function_address(rank_open)},
          {"__open", function_address(rank_open)},
          {"__open64", function_address(rank_open)},
          {"openat", function_address(rank_openat)},
          {"openat64", function_address(rank_openat)},
          {"__open_2", function_address(rank_open_checked)},
          {"__open64_2", function_address(rank_open_checked)},
          {"__openat_2", function_address(rank_openat_checked)},
          {"__openat64_2", function_address(rank_openat_checked)},
          {"__read_chk", function_address(rank_read)},
          {"fopen", function_address(rank_fopen)},
          {"fopen64", function_address(rank_fopen)}};
}

}  // namespace rehearse::smpi
