// SPDX-License-Identifier: MIT
//
// Streams made by hand, as the profiling library writes them.
#include "trace/real_streams.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <vector>

#include "trace/inspection.hpp"
#include "trace/pmpi/stream.h"
#include "trace/rtrace/bytes.hpp"

namespace {
namespace real_streams_test {

using namespace rehearse;
using trace::rtrace::Bytes;

class StreamFolder {
 public:
  explicit StreamFolder(const std::string& name) : path_(std::filesystem::temp_directory_path() / name) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~StreamFolder() { std::filesystem::remove_all(path_); }

  void write(std::uint32_t rank, std::uint32_t ranks, const Bytes& records, bool in_call = false) const {
    rehearse_stream_head head{};
    std::memcpy(head.magic, REHEARSE_STREAM_MAGIC, sizeof head.magic);
    head.version = rehearse_stream_version;
    head.rank = rank;
    head.ranks = ranks;
    head.bytes = records.size();
    head.in_call = in_call;
    head.has_status = !in_call;
    std::string bytes(rehearse_stream_head_bytes, '\0');
    std::memcpy(bytes.data(), &head, sizeof head);
    bytes.append(records.begin(), records.end());
    std::ofstream(path_ / ("rank." + std::to_string(rank) + ".stream"), std::ios::binary) << bytes;
  }
  std::string path() const { return path_.string(); }
  std::string output() const { return (path_ / "out.rtrace").string(); }

  Result<trace::GatheredTrace> gather() const {
    auto streams = trace::RankStreams::open({path()});
    if (!streams) return streams.error();
    return streams.value().write(output(), "{}", {});
  }

 private:
  std::filesystem::path path_;
};

// A record of numbers that take one byte each; those in zig-zag order are doubled by the caller.
void add(Bytes& records, char kind, std::initializer_list<int> numbers) {
  records.push_back(static_cast<std::uint8_t>(kind));
  for (const int number : numbers) records.push_back(static_cast<std::uint8_t>(number));
}

void add_site(Bytes& records, const std::string& call) {
  records.push_back('S');
  trace::rtrace::put(records, call);
  trace::rtrace::put(records, std::string());
  trace::rtrace::put(records, std::uint64_t{0});
}

std::uint64_t actions_of(const trace::Summary& summary, const std::string& kind) {
  const auto found = std::ranges::find(summary.kinds, kind, &trace::KindCount::kind);
  return found == summary.kinds.end() ? 0 : found->actions;
}

TEST_CASE("real streams: a send and a receive with a wildcard become operations", "[trace]") {
  const StreamFolder folder("rehearse_real_streams_1");
  Bytes sender, receiver;
  add_site(sender, "MPI_Send");
  add(sender, 'V', {100});
  add(sender, 's', {1, 4, 0, 1, 14, 8});
  add_site(receiver, "MPI_Recv");
  add(receiver, 'r', {1, 4 + 8 + 16, 0, 0, 0, 8});
  add(receiver, 't', {1, 0, 14});
  folder.write(0, 2, sender);
  folder.write(1, 2, receiver);
  const auto gathered = folder.gather();
  REQUIRE(gathered);
  REQUIRE(gathered.value().actions == 5);  // with an end of each rank
  const auto summary = trace::summarise(folder.output());
  REQUIRE(summary);
  REQUIRE(actions_of(summary.value(), "send") == 1);
  REQUIRE(actions_of(summary.value(), "receive") == 1);
  REQUIRE(summary.value().unanswered == 0);
}

TEST_CASE("real streams: an operation without an answer stays one", "[trace]") {
  const StreamFolder folder("rehearse_real_streams_2");
  Bytes records;
  add_site(records, "MPI_Recv");
  add(records, 'r', {1, 4, 1, 0, 0, 8});
  folder.write(0, 1, records, true);
  REQUIRE(folder.gather());
  REQUIRE(trace::summarise(folder.output()).value().unanswered == 1);
}

TEST_CASE("real streams: refused calls are named, and there is no file", "[trace]") {
  const StreamFolder folder("rehearse_real_streams_3");
  Bytes records;
  add_site(records, "MPI_Win_create");
  add(records, 'n', {1, 0});
  add(records, 'n', {1, 0});
  folder.write(0, 1, records);
  const auto gathered = folder.gather();
  REQUIRE(gathered);
  REQUIRE(gathered.value().unsupported == std::vector<std::string>{"MPI_Win_create (2 times)"});
  REQUIRE_FALSE(std::filesystem::exists(folder.output()));
}

TEST_CASE("real streams: a damaged number of ranks takes no memory", "[trace]") {
  const StreamFolder folder("rehearse_real_streams_5");
  folder.write(0, 4'000'000'000, {});
  REQUIRE(folder.gather().error().text.find("the stream of rank 1 of 4000000000 is missing") != std::string::npos);
  folder.write(1, 2, {});
  REQUIRE(folder.gather().error().text.find("of a run of 2 ranks; other streams are of 4000000000") !=
          std::string::npos);
}

TEST_CASE("real streams: damage and missing ranks are one message", "[trace]") {
  const StreamFolder folder("rehearse_real_streams_4");
  Bytes records;
  add_site(records, "MPI_Send");
  add(records, 's', {1, 4, 0, 7, 14, 8});  // rank 7 of 2
  folder.write(0, 2, records);
  REQUIRE(folder.gather().error().text.find("the stream of rank 1 of 2 is missing") != std::string::npos);
  folder.write(1, 2, {});
  REQUIRE(folder.gather().error().text.find("a peer that is no member of the communicator") != std::string::npos);
  folder.write(0, 2, {'?'});
  REQUIRE(folder.gather().error().text.find("a record of an unknown kind") != std::string::npos);
}

}  // namespace real_streams_test
}  // namespace
