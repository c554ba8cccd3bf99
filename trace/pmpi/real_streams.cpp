// SPDX-License-Identifier: MIT
//
// See real_streams.hpp.
#include "trace/real_streams.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <utility>

#include "trace/pmpi/rank_gatherer.hpp"
#include "trace/pmpi/site_table.hpp"
#include "trace/pmpi/stream_file.hpp"
#include "trace/rtrace/writer.hpp"

namespace rehearse::trace {

namespace {

using Files = std::vector<std::unique_ptr<pmpi::StreamFile>>;

Result<std::vector<std::string>> find_streams(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::vector<std::string> found;
  for (const std::string& path : paths) {
    std::error_code problem;
    if (!fs::is_directory(path, problem)) {
      found.push_back(path);
      continue;
    }
    const std::size_t before = found.size();
    for (const fs::directory_entry& entry : fs::directory_iterator(path, problem))
      if (entry.path().extension() == ".stream") found.push_back(entry.path().string());
    if (problem) return Error{path + ": cannot read: " + problem.message()};
    if (found.size() == before) return Error{path + ": the folder has no stream of a rank (rank.N.stream)"};
  }
  std::ranges::sort(found);
  return found;
}

// Sorted by rank. The number of ranks in a damaged head may be any number.
Result<Files> sorted_by_rank(Files files, const std::string& where) {
  const std::uint32_t ranks = files.front()->head().ranks;
  std::ranges::stable_sort(files, {}, [](const auto& file) { return file->rank(); });
  for (std::size_t i = 0; i < files.size(); ++i) {
    const pmpi::StreamFile& file = *files[i];
    if (file.head().ranks != ranks)
      return Error{file.path() + ": of a run of " + std::to_string(file.head().ranks) +
                   " ranks; other streams are of " + std::to_string(ranks)};
    if (i > 0 && file.rank() == files[i - 1]->rank())
      return Error{file.path() + ": rank " + std::to_string(file.rank()) +
                   " has another stream: " + files[i - 1]->path()};
  }
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    if (rank >= files.size() || files[rank]->rank() != rank)
      return Error{where + ": the stream of rank " + std::to_string(rank) + " of " + std::to_string(ranks) +
                   " is missing"};
  return files;
}

}  // namespace

RankStreams::RankStreams(Files files) : files_(std::move(files)) {}
RankStreams::~RankStreams() = default;
RankStreams::RankStreams(RankStreams&&) noexcept = default;
RankStreams& RankStreams::operator=(RankStreams&&) noexcept = default;

Result<RankStreams> RankStreams::open(const std::vector<std::string>& paths) {
  const auto names = find_streams(paths);
  if (!names) return names.error();
  Files read;
  for (const std::string& name : names.value()) {
    auto file = pmpi::StreamFile::open(name);
    if (!file) return file.error();
    read.push_back(std::move(file.value()));
  }
  auto files = sorted_by_rank(std::move(read), paths.front());
  if (!files) return files.error();
  for (const auto& file : files.value())
    if (file->head().counter != files.value().front()->head().counter)
      return Error{file->path() + ": its volumes are of another counter than those of " +
                   files.value().front()->path()};
  return RankStreams(std::move(files.value()));
}

Counter RankStreams::counter() const {
  return files_.front()->head().counter == rehearse_counter_instructions ? Counter::instructions : Counter::seconds;
}

const std::string& RankStreams::command() const { return files_.front()->about("command"); }

std::uint64_t RankStreams::polls() const {
  std::uint64_t polls = 0;
  for (const auto& file : files_) polls += file->head().polls;
  return polls;
}

std::vector<std::string> RankStreams::libraries() const {
  std::vector<std::string> libraries;
  for (const auto& file : files_)
    if (std::ranges::find(libraries, file->about("mpi")) == libraries.end()) libraries.push_back(file->about("mpi"));
  return libraries;
}

std::vector<StreamMachine> RankStreams::machines() const {
  std::vector<StreamMachine> machines;
  for (const auto& file : files_) {
    const std::string &name = file->about("machine"), &processor = file->about("processor");
    auto found = std::ranges::find_if(machines, [&](const StreamMachine& machine) {
      return machine.name == name && machine.processor == processor;
    });
    if (found == machines.end()) found = machines.insert(found, {name, processor, {}});
    found->ranks.push_back(file->rank());
  }
  return machines;
}

std::vector<std::uint32_t> RankStreams::unfinished() const {
  std::vector<std::uint32_t> ranks;
  for (const auto& file : files_)
    if (file->head().has_status == 0) ranks.push_back(file->rank());
  return ranks;
}

Result<GatheredTrace> RankStreams::write(const std::string& output, const std::string& about,
                                         const VolumeRates& rates) const {
  auto writer = rtrace::Writer::create(output, ranks(), about);
  if (!writer) return writer.error();
  pmpi::SiteTable sites;
  GatheredTrace gathered;
  std::map<std::string, std::uint64_t> refused;
  for (const auto& file : files_) {
    pmpi::RankGatherer gatherer(*file, rates, sites, *writer.value());
    if (const auto done = gatherer.gather(); !done) {
      std::remove(output.c_str());
      return done.error();
    }
    for (const auto& [call, count] : gatherer.refused()) refused[call] += count;
  }
  if (!refused.empty()) {
    for (const auto& [call, count] : refused)
      gathered.unsupported.push_back(call + (count == 1 ? "" : " (" + std::to_string(count) + " times)"));
    std::remove(output.c_str());
    return gathered;
  }
  gathered.actions = writer.value()->actions();
  const auto done = writer.value()->finish([&](rtrace::Site& site) { sites.find(site); });
  if (!done) return done.error();
  return gathered;
}

}  // namespace rehearse::trace
