// SPDX-License-Identifier: MIT
//
// Traces mutated at random: each must be read to its end, or end in one line of error. What is accepted is converted
// into the other formats, whose readers must accept it. Usage: see harness.hpp; --corpus is tests/trace.
//
// Readers:  ti (text of all ranks), index (a file for each rank), goal, goal-binary, rtrace, otf2, streams.
// otf2:     an archive is files, of which some are mutated. Without libotf2 there are no cases.
// streams:  those of the ranks of a real MPI; what is accepted becomes a recording.
// rtrace:   mutations are made inside of the compressed parts, whose checksums and places are computed again.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>

#include "simcore/support/read_file.hpp"
#include "tests/fuzz/archive_files.hpp"
#include "tests/fuzz/harness.hpp"
#include "tests/fuzz/rtrace_pieces.hpp"
#include "tests/fuzz/stream_files.hpp"
#include "trace/conversion.hpp"
#include "trace/goal.hpp"
#include "trace/goal_conversion.hpp"
#include "trace/inspection.hpp"
#include "trace/log_gops.hpp"
#include "trace/otf2_archive.hpp"
#include "trace/real_streams.hpp"
#include "trace/replayed_program.hpp"
#include "trace/trace.hpp"

namespace {

using namespace rehearse;

const fuzz::Grammar call_grammar{" \n",
                                 '\n',
                                 {"0",
                                  "1",
                                  "-1",
                                  "-2",
                                  "3",
                                  "-333",
                                  "-444",
                                  "-4446",
                                  "1e6",
                                  "1e308",
                                  "-1e9",
                                  "nan",
                                  "inf",
                                  "9e15",
                                  "9e16",
                                  "2147483648",
                                  "18446744073709551616",
                                  "16777215",
                                  "init",
                                  "finalize",
                                  "compute",
                                  "sleep",
                                  "send",
                                  "isend",
                                  "ssend",
                                  "ibsend",
                                  "rsend",
                                  "recv",
                                  "irecv",
                                  "sendRecv",
                                  "wait",
                                  "waitall",
                                  "waitAny",
                                  "waitSome",
                                  "test",
                                  "testany",
                                  "barrier",
                                  "ibarrier",
                                  "bcast",
                                  "reduce",
                                  "allreduce",
                                  "iallreduce",
                                  "reducescatter",
                                  "gather",
                                  "scatter",
                                  "allgather",
                                  "alltoall",
                                  "gatherv",
                                  "scatterv",
                                  "allgatherv",
                                  "alltoallv",
                                  "scan",
                                  "exscan",
                                  "comm_split",
                                  "comm_dup",
                                  "comm_size",
                                  "comm=1",
                                  "comm=-1",
                                  "comm=x",
                                  "bytes=0",
                                  "bytes=7",
                                  "bytes=9000000000000000000",
                                  "Start",
                                  "Put",
                                  "IO",
                                  "location",
                                  "#",
                                  "\n0 init\n",
                                  "\n1 comm_split 0 0 0 1\n",
                                  "\t",
                                  "\r",
                                  "\xff"}};

const fuzz::Grammar goal_grammar{" \n{}:",
                                 '\n',
                                 {"num_ranks",
                                  "num_ranks 3",
                                  "num_ranks 4294967295",
                                  "rank",
                                  "rank 0 {",
                                  "rank 1 {",
                                  "{",
                                  "}",
                                  "l1:",
                                  "l2:",
                                  "send",
                                  "recv",
                                  "calc",
                                  "8b to 1",
                                  "8b from 0",
                                  "b",
                                  "to",
                                  "from",
                                  "tag",
                                  "tag 4294967295",
                                  "tag -1",
                                  "cpu 1",
                                  "cpu 256",
                                  "nic 1",
                                  "requires",
                                  "irequires",
                                  "l1",
                                  "l2",
                                  "0",
                                  "-1",
                                  "18446744073709551615",
                                  "18446744073709551616",
                                  "//",
                                  "/*",
                                  "*/",
                                  "\t",
                                  "\xff"}};

const fuzz::Grammar name_grammar{" \n/",
                                 '\n',
                                 {"r0", "r1", "r2", "missing", ".", "..", "/dev/zero", "/dev/null", "/dev/stdin",
                                  "/proc/self/mem", "index", "#", " ", "\t", "\r", "\xff"}};

// A file that exists while this does.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& content) : file_(memfd_create("fuzz", MFD_CLOEXEC)) {
    if (file_ < 0 || write(file_, content.data(), content.size()) != static_cast<ssize_t>(content.size()))
      fuzz::fail("no memory for a file");
  }
  ~MemoryFile() { close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

class Folder {
 public:
  Folder() {
    // In memory, if that is possible: the cases write thousands of files a second.
    const std::filesystem::path memory = "/dev/shm";
    std::error_code ignored;
    const bool has_memory = std::filesystem::is_directory(memory, ignored);
    std::string name = (has_memory ? memory : std::filesystem::temp_directory_path()) / "rehearse-fuzz-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) fuzz::fail("no temporary folder");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return (path_ / name).string();
  }
  std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// Asks for the operations of each rank, and answers at random.
void play(const std::string& path, SplitMix& random) {
  auto opened = trace::open_program(path, random.below(2) == 0 ? trace::Wildcards::free : trace::Wildcards::recorded);
  if (!opened) return fuzz::check_error(opened.error().text);
  trace::ReplayedProgram& program = *opened.value();
  for (std::uint32_t rank = 0; rank < std::min(program.actor_count(), 16u); ++rank) {
    for (int step = 0; step < 2000; ++step) {
      const Operation& operation = program.next({rank});
      program.describe({rank});
      if (std::holds_alternative<End>(operation) || std::holds_alternative<Fail>(operation)) break;
      Observation answer;
      std::vector<Completion> completions;
      if (const auto* observe = std::get_if<Observe>(&operation)) {
        answer.flag = observe->blocking || random.below(2) == 0;
        const std::size_t count = observe->requests.size();
        Completion one;
        one.index = static_cast<std::uint32_t>(random.below(count));
        if (answer.flag && observe->quantifier != Quantifier::all) completions.push_back(one);
        for (one.index = 0; answer.flag && observe->quantifier == Quantifier::all && one.index < count; ++one.index)
          completions.push_back(one);
      } else if (std::holds_alternative<Probe>(operation)) {
        answer.flag = random.below(2) == 0;
        if (answer.flag) completions.emplace_back();
      }
      answer.completions = completions;
      program.resume({rank}, answer);
    }
  }
  if (program.problem()) fuzz::check_error(program.problem()->text);
}

void compare(const std::string& one, const std::string& other, const char* what) {
  trace::GoalConversion conversion;
  conversion.flops_per_second = 1e9;
  const auto differences = trace::compare_traces(one, other, true, conversion);
  if (!differences) return fuzz::check_error(differences.error().text);
  if (differences.value().empty()) return;
  const trace::TraceDifference& first = differences.value().front();
  fuzz::fail(std::string(what) + ": rank " + std::to_string(first.rank) + ": " + first.text[0] + " became " +
             first.text[1]);
}

// Calls into all other formats. Returns whether all actions could be read.
bool try_calls(const std::string& path, const Folder& folder, SplitMix& random) {
  const auto summary = trace::summarise(path);
  if (!summary) fuzz::check_error(summary.error().text);
  play(path, random);
  const auto opened = trace::open_trace(path);
  if (!opened) {
    fuzz::check_error(opened.error().text);
    return false;
  }
  if (opened.value()->ranks() > 1000) return false;
  std::ostringstream text;
  const auto written = trace::write_text(*opened.value(), text);
  if (!written) fuzz::check_error(written.error().text);
  trace::GoalConversion conversion;
  conversion.flops_per_second = 1e9;
  const auto schedule = trace::make_schedule(*opened.value(), conversion);
  if (!schedule) fuzz::check_error(schedule.error().text);
  if (!written || !written.value().unsupported.empty()) return false;
  const std::string calls = folder.write("calls.ti", text.str());
  const bool is_archive = opened.value()->format() == "otf2";  // its sizes need not fit together; text has one of them
  if (!is_archive) compare(path, calls, "text");
  const std::string recording = folder.path("calls.rtrace");
  const auto recorded = trace::write_recording(*opened.value(), recording, "{}");
  if (!recorded) fuzz::check_error(recorded.error().text);
  if (recorded && recorded.value().unsupported.empty()) {
    if (recorded.value().losses.count(trace::Loss::waited_volumes) == 0 && !is_archive)
      compare(calls, recording, "recording");
    play(recording, random);
  }
  return true;
}

bool try_schedule(const Result<trace::GoalSchedule>& read) {
  if (!read) {
    fuzz::check_error(read.error().text);
    return false;
  }
  std::ostringstream text, binary, again;
  trace::write_goal_text(read.value(), text);
  trace::write_goal_binary(read.value(), binary);
  const auto from_text = trace::read_goal_text(text.view(), "text");
  const auto from_binary = trace::read_goal_binary(binary.view(), "binary");
  if (!from_text) fuzz::fail("our text is refused: " + from_text.error().text);
  if (!from_binary) fuzz::fail("our binary form is refused: " + from_binary.error().text);
  trace::write_goal_binary(from_text.value(), again);
  if (again.view() != binary.view()) fuzz::fail("the text is another schedule");
  const auto result = trace::simulate_log_gops(read.value(), {});
  if (!result) fuzz::check_error(result.error().text);
  std::ostringstream calls;
  trace::GoalConversion conversion;
  conversion.flops_per_second = 1e9;
  if (const auto done = trace::write_calls(read.value(), conversion, calls); !done)
    fuzz::check_error(done.error().text);
  return true;
}

class TraceCases {
 public:
  explicit TraceCases(const fuzz::Settings& settings) : reader_(settings.reader) {
    const bool is_goal = reader_ == "goal" || reader_ == "goal-binary";
    corpus_ = fuzz::read_corpus(settings.corpus + (is_goal ? "/goal/cases" : "/cases"), is_goal ? ".goal" : ".ti");
    if (reader_ == "goal-binary") make_binary();
    if (reader_ == "rtrace") make_recordings();
    if (reader_ == "streams") streams_ = fuzz::make_streams();
    if (reader_ == "otf2") archives_ = fuzz::make_archives(folder_.path(""));
  }

  bool has_corpus() const { return !corpus_.empty() && (reader_ != "otf2" || !archives_.empty()); }

  bool run(SplitMix& random, bool shown) {
    std::string content = corpus_[fuzz::below(random, corpus_.size())];
    const std::string& other = corpus_[fuzz::below(random, corpus_.size())];
    if (reader_ == "index") return run_index(content, random, shown);
    if (reader_ == "otf2") return run_archive(random, shown);
    if (reader_ == "streams") return run_streams(random);
    if (reader_ == "rtrace") {
      fuzz::mutate_recording(content, random);
    } else {
      for (std::size_t i = fuzz::below(random, 6); i > 0; --i) {
        if (reader_ == "goal-binary") fuzz::mutate_bytes(content, random);
        else fuzz::mutate(content, other, reader_ == "goal" ? goal_grammar : call_grammar, random);
      }
    }
    if (shown) std::cerr << content << '\n';
    if (reader_ == "goal") return try_schedule(trace::read_goal_text(content, "fuzz.goal"));
    if (reader_ == "goal-binary") return try_schedule(trace::read_goal_binary(content, "fuzz.bin"));
    return try_calls(MemoryFile(content).path(), folder_, random);
  }

 private:
  void make_binary() {
    std::vector<std::string> all;
    for (const std::string& text : corpus_) {
      const auto schedule = trace::read_goal_text(text, "corpus");
      if (!schedule) continue;
      std::ostringstream out;
      trace::write_goal_binary(schedule.value(), out);
      all.push_back(out.str());
    }
    corpus_ = std::move(all);
  }

  void make_recordings() {
    std::vector<std::string> all;
    for (const std::string& text : corpus_) {
      const auto trace = trace::open_trace(folder_.write("corpus.ti", text));
      if (!trace) continue;
      const std::string path = folder_.path("corpus.rtrace");
      const auto done = trace::write_recording(*trace.value(), path, "{\"corpus\": 1}");
      if (done && done.value().unsupported.empty()) all.push_back(read_file(path).value_or(""));
    }
    corpus_ = std::move(all);
  }

  // Splits a trace into files, and mutates their names or their lines.
  bool run_index(const std::string& content, SplitMix& random, bool shown) {
    std::vector<std::string> files;
    std::istringstream lines(content);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t rank = std::min<std::size_t>(15, std::strtoul(line.c_str(), nullptr, 10));
      if (files.size() <= rank) files.resize(rank + 1);
      files[rank] += line + "\n";
    }
    std::string index;
    for (std::size_t rank = 0; rank < files.size(); ++rank) {
      if (random.below(8) == 0) fuzz::mutate(files[rank], content, call_grammar, random);
      folder_.write("r" + std::to_string(rank), files[rank]);
      index += "r" + std::to_string(rank) + "\n";
    }
    const std::string names = index;
    for (std::size_t i = fuzz::below(random, 3); i > 0; --i) fuzz::mutate(index, names, name_grammar, random);
    if (shown) std::cerr << index << '\n';
    return try_calls(folder_.write("index", index), folder_, random);
  }

  bool run_archive(SplitMix& random, bool shown) {
    fuzz::ArchiveFiles files = archives_[fuzz::below(random, archives_.size())];
    fuzz::mutate_archive(files, archives_[fuzz::below(random, archives_.size())], random);
    const std::string path = fuzz::write_files(files, folder_.path(""), "fuzz");
    if (shown) std::cerr << "the archive is " << path << '\n';
    return try_calls(path, folder_, random);
  }

  bool run_streams(SplitMix& random) {
    fuzz::StreamFiles files = streams_[fuzz::below(random, streams_.size())];
    fuzz::mutate_streams(files, random);
    std::vector<std::string> paths;
    for (std::size_t rank = 0; rank < files.size(); ++rank)
      paths.push_back(folder_.write("rank." + std::to_string(rank) + ".stream", files[rank]));
    const auto opened = trace::RankStreams::open(paths);
    if (!opened) {
      fuzz::check_error(opened.error().text);
      return false;
    }
    const std::string recording = folder_.path("gathered.rtrace");
    const auto gathered = opened.value().write(recording, "{}", {});
    if (!gathered) fuzz::check_error(gathered.error().text);
    if (!gathered || !gathered.value().unsupported.empty()) return false;
    return try_calls(recording, folder_, random);
  }

  std::string reader_;
  Folder folder_;
  std::vector<std::string> corpus_;
  std::vector<fuzz::ArchiveFiles> archives_;
  std::vector<fuzz::StreamFiles> streams_;
};

}  // namespace

int main(int count, char** arguments) {
  const fuzz::Settings settings = fuzz::read_settings(count, arguments);
  if (settings.reader == "otf2" && !trace::has_otf2()) {
    std::cout << "otf2: this build has no libotf2\n";
    return 0;
  }
  TraceCases cases(settings);
  if (!cases.has_corpus()) return 2;
  return fuzz::run_cases(settings, [&](SplitMix& random, bool shown) { return cases.run(random, shown); });
}
