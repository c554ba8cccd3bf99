// SPDX-License-Identifier: MIT
//
// The pipe between the process that reads an archive and ours.
//
// Format: records of a type (one byte) and its content; a text is a length and its bytes. Both ends are one program.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

#include "simcore/support/format.hpp"
#include "trace/otf2/archive_process.hpp"

namespace rehearse::trace::otf2 {
namespace {

constexpr std::size_t pipe_buffer_bytes = 1 << 16;
constexpr std::uint64_t longest_text = 1 << 20, longest_list = std::uint64_t{1} << 32;

enum class RecordType : char { definitions = 'D', event = 'E', end = 'Z' };

bool write_all(int out, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = write(out, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

template <class Number>
void append(std::string& text, Number number) {
  text.append(reinterpret_cast<const char*>(&number), sizeof number);
}
void append(std::string& text, const std::string& value) {
  append(text, std::uint64_t{value.size()});
  text += value;
}

}  // namespace

void PipeWriter::add(const ArchiveEvent& event) {
  text_ += static_cast<char>(RecordType::event);
  append(text_, event);
  if (text_.size() >= pipe_buffer_bytes) flush();
}

void PipeWriter::flush() {
  is_broken_ = is_broken_ || !write_all(out_, text_);
  text_.clear();
}

void send_definitions(const Definitions& definitions, int out) {
  std::string text(1, static_cast<char>(RecordType::definitions));
  append(text, definitions.ticks_per_second);
  append(text, std::uint64_t{definitions.locations.size()});
  for (const OTF2_LocationRef location : definitions.locations) append(text, location);
  append(text, std::uint64_t{definitions.regions.size()});
  for (const auto& [self, region] : definitions.regions) {
    append(text, self);
    append(text, region.is_mpi);
    append(text, region.name.substr(0, longest_text));
  }
  append(text, std::uint64_t{definitions.communicators.size()});
  for (const auto& [self, members] : definitions.communicators) {
    append(text, self);
    append(text, std::uint64_t{members.size()});
    for (const std::uint32_t member : members) append(text, member);
  }
  append(text, definitions.instructions.has_value());
  write_all(out, text);
}

void send_end(const std::string& problem, int out) {
  std::string text(1, static_cast<char>(RecordType::end));
  append(text, problem.substr(0, longest_text));
  write_all(out, text);
}

ArchiveProcess::ArchiveProcess(std::string file) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    problem_ = std::string("no pipe: ") + std::strerror(errno);
    return;
  }
  std::fflush(nullptr);
  const pid_t parent = getpid();
  child_ = fork();
  if (child_ == 0) {
    close(ends[0]);
    be_archive_process(file, ends[1], parent);
  }
  close(ends[1]);
  pipe_ = ends[0];
  if (child_ < 0) problem_ = std::string("no process for libotf2: ") + std::strerror(errno);
}

ArchiveProcess::~ArchiveProcess() {
  if (child_ > 0) kill(child_, SIGKILL);
  end_child();
  if (pipe_ >= 0) close(pipe_);
}

// Its status is the problem, unless it has sent another one.
void ArchiveProcess::end_child() {
  if (child_ <= 0) return;
  int status = 0;
  while (waitpid(child_, &status, 0) < 0 && errno == EINTR) continue;
  child_ = -1;
  if (!problem_.empty()) return;
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGPROF) problem_ = "libotf2 does not get to the end of this archive; it is damaged";
  else if (signal != 0)
    problem_ = fmt::format("libotf2 crashed in this archive ({}); it is damaged", strsignal(signal));
  else problem_ = "libotf2 ended before the end of this archive; it is damaged";
}

bool ArchiveProcess::fill() {
  buffer_.resize(pipe_buffer_bytes);
  at_ = 0;
  ssize_t got = 0;
  do {
    got = read(pipe_, buffer_.data(), buffer_.size());
  } while (got < 0 && errno == EINTR);
  buffer_.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  if (got <= 0) end_child();
  return got > 0;
}

bool ArchiveProcess::take(void* target, std::size_t bytes) {
  auto* to = static_cast<char*>(target);
  while (bytes > 0) {
    if (at_ == buffer_.size() && (!problem_.empty() || !fill())) return false;
    const std::size_t part = std::min(bytes, buffer_.size() - at_);
    std::memcpy(to, buffer_.data() + at_, part);
    at_ += part;
    to += part;
    bytes -= part;
  }
  return true;
}

bool ArchiveProcess::take(std::string& text) {
  std::uint64_t size = 0;
  if (!take(&size, sizeof size) || size > longest_text) return false;
  text.resize(size);
  return take(text.data(), size);
}

bool ArchiveProcess::next(ArchiveEvent& event) {
  RecordType type{};
  if (!take(&type, sizeof type)) return false;
  if (type == RecordType::event && take(&event, sizeof event) && event.kind <= ArchiveEvent::Kind::end_of_rank)
    return true;
  std::string text;
  if (type == RecordType::end && take(text)) problem_ = text.empty() ? "ranks are missing" : text;
  if (problem_.empty()) problem_ = "libotf2 read nonsense in this archive; it is damaged";
  return false;
}

Result<Definitions> ArchiveProcess::definitions() {
  RecordType type{};
  Definitions result;
  std::uint64_t locations = 0, regions = 0, communicators = 0;
  if (take(&type, sizeof type) && type == RecordType::end) {
    take(problem_);
    return Error{problem_};
  }
  bool is_good = type == RecordType::definitions && take(&result.ticks_per_second, sizeof result.ticks_per_second) &&
                 take(&locations, sizeof locations) && locations <= longest_list;
  for (OTF2_LocationRef location = 0; is_good && locations > 0; --locations) {
    is_good = take(&location, sizeof location);
    result.locations.push_back(location);
  }
  is_good = is_good && take(&regions, sizeof regions);
  for (OTF2_RegionRef self = 0; is_good && regions > 0; --regions) {
    Region region;
    is_good = take(&self, sizeof self) && take(&region.is_mpi, sizeof region.is_mpi) && take(region.name);
    result.regions[self] = std::move(region);
  }
  is_good = is_good && take(&communicators, sizeof communicators);
  for (OTF2_CommRef self = 0; is_good && communicators > 0; --communicators) {
    std::uint64_t count = 0;
    is_good = take(&self, sizeof self) && take(&count, sizeof count) && count <= longest_list;
    std::vector<std::uint32_t>& members = result.communicators[self];
    for (std::uint32_t member = 0; is_good && count > 0; --count) {
      is_good = take(&member, sizeof member) && member < result.locations.size();
      members.push_back(member);
    }
  }
  bool has_instructions = false;
  is_good = is_good && take(&has_instructions, sizeof has_instructions);
  if (has_instructions) result.instructions.emplace();  // the child selects the counter
  if (is_good) return result;
  return Error{problem_.empty() ? "libotf2 read nonsense in this archive; it is damaged" : problem_};
}

}  // namespace rehearse::trace::otf2
