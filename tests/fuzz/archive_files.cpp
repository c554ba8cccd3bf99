// SPDX-License-Identifier: MIT
//
// See archive_files.hpp.
#include "tests/fuzz/archive_files.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "simcore/support/read_file.hpp"
#include "tests/fuzz/harness.hpp"
#include "trace/otf2_archive.hpp"

namespace rehearse::fuzz {
namespace {

using trace::ArchiveContent;
using trace::ArchiveRecord;
using Kind = ArchiveRecord::Kind;

ArchiveRecord record(Kind kind, std::uint32_t peer, std::uint64_t bytes, std::uint64_t request) {
  ArchiveRecord at;
  at.kind = kind;
  at.peer = peer;
  at.bytes = at.received = bytes;
  at.request = request;
  return at;
}

ArchiveRecord collective(Kind kind, CollectiveKind of, std::uint32_t communicator, std::uint64_t bytes,
                         std::uint64_t request = 0) {
  ArchiveRecord at = record(kind, 0, bytes, request);
  at.collective = of;
  at.communicator = communicator;
  at.root = 0;
  return at;
}

// The calls of a rank: the function, and the records in it.
struct Call {
  const char* function;
  std::vector<ArchiveRecord> records;
};

std::vector<Call> calls_of(std::uint32_t rank, std::uint32_t ranks) {
  const std::uint32_t next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  std::vector<Call> calls = {{"MPI_Init", {}},
                             {"MPI_Irecv", {record(Kind::irecv_request, 0, 0, 1)}},
                             {"MPI_Isend", {record(Kind::isend, next, 5000, 2)}},
                             {"MPI_Ibcast", {record(Kind::collective_request, 0, 0, 3)}},
                             {"MPI_Waitall",
                              {record(Kind::irecv, before, 5000, 1), record(Kind::isend_complete, 0, 0, 2),
                               collective(Kind::collective_complete, CollectiveKind::broadcast, 0, 300, 3)}},
                             {"main_loop", {}},
                             {rank == 0 ? "MPI_Send" : "MPI_Recv",
                              {record(rank == 0 ? Kind::send : Kind::recv, rank == 0 ? 1 : 0, 70, 0)}},
                             {"MPI_Sendrecv", {record(Kind::send, next, 9, 0), record(Kind::recv, before, 9, 0)}},
                             {"MPI_Probe", {}}};
  if (rank > 1) calls.erase(calls.begin() + 6);
  for (std::uint8_t kind = 1; kind <= static_cast<std::uint8_t>(CollectiveKind::reduce_scatter_block); ++kind)
    calls.push_back({"MPI_Collective",
                     {record(Kind::collective_begin, 0, 0, 0),
                      collective(Kind::collective_end, static_cast<CollectiveKind>(kind), kind % 2, 64 * kind)}});
  calls.push_back({"MPI_Finalize", {}});
  return calls;
}

ArchiveContent content_of(std::uint32_t ranks) {
  ArchiveContent content;
  content.platform = "machine";
  content.hosts.assign(ranks, "host");
  content.communicators.resize(2);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    content.communicators[0].push_back(rank);
    content.communicators[1].insert(content.communicators[1].begin(), rank);
    std::vector<ArchiveRecord>& records = content.records.emplace_back();
    std::int64_t now = 0;
    for (const Call& call : calls_of(rank, ranks)) {
      ArchiveRecord frame;
      frame.region = static_cast<std::uint32_t>(content.regions.size());
      content.regions.emplace_back(call.function);
      const auto add = [&](Kind kind, ArchiveRecord at) {
        at.kind = kind;
        at.date = TimePoint{now += 1000};
        records.push_back(at);
      };
      add(Kind::enter, frame);
      for (const ArchiveRecord& at : call.records) add(at.kind, at);
      add(Kind::leave, frame);
    }
    content.end = TimePoint{now};
  }
  return content;
}

ArchiveFiles read_files(const std::filesystem::path& folder, const std::string& name) {
  ArchiveFiles files;
  for (const std::string ending : {".otf2", ".def"})
    files[ending] = read_file((folder / (name + ending)).string()).value_or("");
  for (const auto& entry : std::filesystem::directory_iterator(folder / name))
    files["/" + entry.path().filename().string()] = read_file(entry.path().string()).value_or("");
  return files;
}

}  // namespace

std::vector<ArchiveFiles> make_archives(const std::string& folder) {
  std::vector<ArchiveFiles> archives;
  for (const std::uint32_t ranks : {2u, 3u}) {
    const std::string path = (std::filesystem::path(folder) / "corpus.otf2").string();
    if (const auto written = trace::write_archive(path, content_of(ranks)); !written) fail(written.error().text);
    if (const auto read = trace::open_archive(path); !read) fail(read.error().text);
    archives.push_back(read_files(folder, "corpus"));
  }
  return archives;
}

void mutate_archive(ArchiveFiles& files, const ArchiveFiles& other, SplitMix& random) {
  for (std::size_t i = below(random, 5); i > 0; --i) {
    const auto at = std::next(files.begin(), static_cast<std::ptrdiff_t>(below(random, files.size())));
    std::string& content = at->second;
    switch (random.below(24)) {
      case 0: content.clear(); break;
      case 1: content.resize(below(random, content.size() + 1)); break;
      case 2:
        if (files.size() > 1) files.erase(at);
        break;
      case 3:
        if (const auto found = other.find(at->first); found != other.end()) content = found->second;
        break;
      case 4:
        content = std::next(other.begin(), static_cast<std::ptrdiff_t>(below(random, other.size())))->second;
        break;
      default: mutate_bytes(content, random);
    }
  }
}

std::string write_files(const ArchiveFiles& files, const std::string& folder, const std::string& name) {
  const std::filesystem::path stem = std::filesystem::path(folder) / name;
  std::filesystem::remove_all(stem);
  for (const char* ending : {".otf2", ".def"}) std::filesystem::remove(stem.string() + ending);
  std::filesystem::create_directory(stem);
  for (const auto& [ending, content] : files) std::ofstream(stem.string() + ending, std::ios::binary) << content;
  return stem.string() + ".otf2";
}

}  // namespace rehearse::fuzz
