// SPDX-License-Identifier: MIT
//
// Archives: the records of each rank, as Score-P writes them, become calls. Without libotf2 there is nothing to test.
#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/trace/ti/trace_files.hpp"
#include "trace/conversion.hpp"
#include "trace/otf2_archive.hpp"

namespace rehearse::trace {
namespace {

using Kind = ArchiveRecord::Kind;

// A rank's calls, one microsecond each. Regions are added when they are used.
class Rank {
 public:
  Rank(ArchiveContent& content, std::vector<ArchiveRecord>& records) : content_(content), records_(records) {}

  Rank& call(const std::string& function, const std::vector<ArchiveRecord>& records = {}) {
    ArchiveRecord frame;
    frame.region = static_cast<std::uint32_t>(content_.regions.size());
    content_.regions.push_back(function);
    add(Kind::enter, frame);
    for (const ArchiveRecord& record : records) add(record.kind, record);
    content_.end = now_ = TimePoint{now_.picoseconds + 1'000'000};
    add(Kind::leave, frame);
    return *this;
  }

 private:
  void add(Kind kind, ArchiveRecord record) {
    record.kind = kind;
    record.date = now_;
    records_.push_back(record);
  }

  ArchiveContent& content_;
  std::vector<ArchiveRecord>& records_;
  TimePoint now_;
};

ArchiveRecord request(Kind kind, std::uint64_t number) {
  ArchiveRecord record;
  record.kind = kind;
  record.request = number;
  return record;
}

ArchiveRecord collective(Kind kind, CollectiveKind of, std::uint32_t communicator, std::uint32_t root,
                         std::uint64_t sent, std::uint64_t received, std::uint64_t number = 0) {
  ArchiveRecord record = request(kind, number);
  record.collective = of;
  record.communicator = communicator;
  record.root = root;
  record.bytes = sent;
  record.received = received;
  return record;
}

ArchiveContent empty_content(std::uint32_t ranks) {
  ArchiveContent content;
  content.platform = "machine";
  content.hosts.assign(ranks, "host");
  content.records.resize(ranks);
  content.communicators.emplace_back();
  for (std::uint32_t rank = 0; rank < ranks; ++rank) content.communicators[0].push_back(rank);
  return content;
}

struct Converted {
  std::string text;
  Losses losses;
};

Converted as_text(const std::string& file) {
  const auto trace = open_archive(file);
  if (!trace) return {trace.error().text, {}};
  std::ostringstream out;
  const auto done = write_text(*trace.value(), out);
  REQUIRE(done);
  CHECK(done.value().unsupported.empty());
  return {out.str(), done.value().losses};
}

Converted as_text(const ArchiveContent& content) {
  const ti::TraceFiles files;
  const std::string file = files.path("t.otf2");
  REQUIRE(write_archive(file, content));
  return as_text(file);
}

TEST_CASE("archive: a nonblocking collective stays nonblocking, with its wait") {
  if (!has_otf2()) return;
  ArchiveContent content = empty_content(2);
  for (std::uint32_t rank = 0; rank < 2; ++rank)
    Rank(content, content.records[rank])
        .call("MPI_Ibcast", {request(Kind::collective_request, 7)})
        .call("MPI_Barrier", {request(Kind::collective_begin, 0),
                              collective(Kind::collective_end, CollectiveKind::barrier, 0, ~0u, 0, 0)})
        .call("MPI_Wait",
              {collective(Kind::collective_complete, CollectiveKind::broadcast, 0, 1, rank == 1 ? 200 : 0, 100, 7)});
  const Converted done = as_text(content);
  CHECK(done.text == "0 init\n0 ibcast 100 1 6\n0 barrier\n0 wait -333 -333 -4446\n0 finalize\n"
                     "1 init\n1 ibcast 100 1 6\n1 barrier\n1 wait -333 -333 -4446\n1 finalize\n");
  CHECK_FALSE(done.losses.any());
}

TEST_CASE("archive: collectives that complete in another order are a loss") {
  if (!has_otf2()) return;
  ArchiveContent content = empty_content(1);
  Rank(content, content.records[0])
      .call("MPI_Ibarrier", {request(Kind::collective_request, 1)})
      .call("MPI_Ibarrier", {request(Kind::collective_request, 2)})
      .call("MPI_Wait", {collective(Kind::collective_complete, CollectiveKind::barrier, 0, ~0u, 0, 0, 2)})
      .call("MPI_Wait", {collective(Kind::collective_complete, CollectiveKind::barrier, 0, ~0u, 0, 0, 1)});
  CHECK(as_text(content).losses.count(Loss::ambiguous_waits) == 1);
}

TEST_CASE("archive: members of a communicator keep their order, and roots mean it") {
  if (!has_otf2()) return;
  ArchiveContent content = empty_content(3);
  content.communicators.push_back({2, 0, 1});
  for (std::uint32_t rank = 0; rank < 3; ++rank)
    Rank(content, content.records[rank])
        .call("MPI_Bcast", {request(Kind::collective_begin, 0),
                            collective(Kind::collective_end, CollectiveKind::broadcast, 1, 0, rank == 2 ? 30 : 0, 10)});
  const Converted done = as_text(content);
  CHECK(done.text == "0 init\n0 comm_split 0 0 1 1\n0 bcast 10 0 6 comm=1\n0 finalize\n"
                     "1 init\n1 comm_split 0 0 2 1\n1 bcast 10 0 6 comm=1\n1 finalize\n"
                     "2 init\n2 comm_split 0 0 0 1\n2 bcast 10 0 6 comm=1\n2 finalize\n");
}

TEST_CASE("archive: probes and tests without success are losses") {
  if (!has_otf2()) return;
  ArchiveContent content = empty_content(1);
  Rank(content, content.records[0])
      .call("MPI_Ibarrier", {request(Kind::collective_request, 1)})
      .call("MPI_Probe")
      .call("MPI_Iprobe")
      .call("MPI_Test")
      .call("MPI_Test", {collective(Kind::collective_complete, CollectiveKind::barrier, 0, ~0u, 0, 0, 1)});
  const Losses losses = as_text(content).losses;
  CHECK(losses.count(Loss::probes) == 2);
  CHECK(losses.count(Loss::failed_tests) == 1);
}

TEST_CASE("archive: events that mean nothing are errors with the file and the rank") {
  if (!has_otf2()) return;
  const auto problem = [](const std::vector<ArchiveRecord>& records) {
    ArchiveContent content = empty_content(2);
    for (std::uint32_t rank = 0; rank < 2; ++rank)
      Rank(content, content.records[rank]).call("MPI_Something", rank == 1 ? records : std::vector<ArchiveRecord>());
    const std::string text = as_text(content).text;
    CHECK(text.find("t.otf2: rank 1: ") != std::string::npos);
    return text.substr(text.find("rank 1: ") + 8);
  };
  ArchiveRecord message = request(Kind::recv, 0);
  message.peer = 2;
  CHECK(problem({message}) == "communicator 0 has no member 2");
  message.peer = 0;
  message.tag = -1;
  CHECK(problem({message}) == "the tag of a message is 4294967295; accepted: 0 to 2147483647");
  message.tag = 0;
  message.bytes = ~std::uint64_t{0};
  CHECK(problem({message}) == "a message has 18446744073709551615 bytes; accepted: 0 to 9e15");
  CHECK(problem({request(Kind::collective_request, 5)}) ==
        "the collective of request 5 never completes in the archive, so its kind is not known");
  CHECK(problem({request(Kind::isend_complete, 5)}) == "request 5 completes, but it was not started");
  CHECK(problem({collective(Kind::collective_end, CollectiveKind::reduce, 0, 2, 8, 0)}) ==
        "the root of MPI_Reduce is member 2 of 2");
}

}  // namespace
}  // namespace rehearse::trace
