// SPDX-License-Identifier: MIT
//
// See stream_files.hpp.
#include "tests/fuzz/stream_files.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "tests/fuzz/harness.hpp"
#include "trace/pmpi/stream.h"
#include "trace/rtrace/bytes.hpp"

namespace rehearse::fuzz {
namespace {

using trace::rtrace::Bytes;

// Numbers that take one byte; those in zig-zag order are doubled by the caller.
void add(Bytes& records, char kind, std::initializer_list<int> numbers) {
  records.push_back(static_cast<std::uint8_t>(kind));
  for (const int number : numbers) records.push_back(static_cast<std::uint8_t>(number));
}

void add_site(Bytes& records, const char* call) {
  records.push_back('S');
  trace::rtrace::put(records, std::string(call));
  trace::rtrace::put(records, std::string("program"));
  trace::rtrace::put(records, std::uint64_t{4096});
}

void add_about(Bytes& records, std::uint32_t rank) {
  records.push_back('A');
  trace::rtrace::put(records, std::uint64_t{2});
  for (const std::string& text :
       {std::string("machine"), "node-" + std::to_string(rank), std::string("processor"), std::string("model")})
    trace::rtrace::put(records, text);
}

std::string file_of(std::uint32_t rank, std::uint32_t ranks, const Bytes& records, bool in_call) {
  rehearse_stream_head head{};
  std::memcpy(head.magic, REHEARSE_STREAM_MAGIC, sizeof head.magic);
  head.version = rehearse_stream_version;
  head.counter = rehearse_counter_seconds;
  head.rank = rank;
  head.ranks = ranks;
  head.bytes = records.size();
  head.in_call = in_call ? 1 : 0;
  head.has_status = in_call ? 0 : 1;
  std::string file(rehearse_stream_head_bytes, '\0');
  std::memcpy(file.data(), &head, sizeof head);
  file.append(records.begin(), records.end());
  return file;
}

// Messages of two ranks, with wildcards, probes and waits for some.
StreamFiles messages() {
  Bytes sender, receiver;
  add_about(sender, 0);
  add_site(sender, "MPI_Isend");
  add_site(sender, "MPI_Waitsome");
  add(sender, 'V', {100});
  add(sender, 's', {1, 0, 0, 1, 14, 8});
  add(sender, 's', {1, 0, 0, 1, 16, 8});
  add(sender, 'o', {2, 4 + 2, 2, 2, 1});
  add(sender, 'a', {1, 0});
  add(sender, 'f', {2, 1});
  add(sender, 'z', {2});
  add_about(receiver, 1);
  add_site(receiver, "MPI_Irecv");
  add_site(receiver, "MPI_Wait");
  add_site(receiver, "MPI_Mprobe");
  add(receiver, 'r', {1, 8 + 16, 0, 0, 0, 8});
  add(receiver, 't', {1, 0, 14});
  add(receiver, 'V', {50});
  add(receiver, 'o', {2, 4 + 8, 1, 1});
  add(receiver, 'p', {3, 4 + 8 + 16 + 32, 0, 0, 0});
  add(receiver, 'e', {0, 16});
  add(receiver, 'r', {3, 4 + 32, 0, 0, 16, 8, 0});
  add(receiver, 'z', {2});
  return {file_of(0, 2, sender, false), file_of(1, 2, receiver, false)};
}

// Collectives on the world and on a communicator, of three ranks; the last one waits.
StreamFiles collectives() {
  StreamFiles files;
  for (std::uint32_t rank = 0; rank < 3; ++rank) {
    Bytes records;
    add_site(records, "MPI_Allreduce");
    add_site(records, "MPI_Comm_split");
    add_site(records, "MPI_Alltoallv");
    add(records, 'c', {1, 4 + 8, rehearse_allreduce, 0, 0, 8, 1, 8});
    add(records, 'c', {2, 4, rehearse_sync, 0, 0, 0, 0, 0});
    if (rank < 2) add(records, 'C', {0, 0, 0, 0, 2, 0, 2});
    if (rank < 2) add(records, 'c', {1, 4, rehearse_bcast, 2, 0, 16, 2, 16});
    add(records, 'c', {3, 4 + 16, rehearse_alltoallv, 0, 0, 24, 3, 24, 8, 8, 8});
    add(records, 'c', {3, 4 + 16 + 32, rehearse_scatter, 0, 0, 24, 3, 24, 8});
    add(records, 'V', {3});
    add(records, 'c', {1, 4, rehearse_barrier, 0, 0, 0, 0, 0});
    if (rank == 1) add(records, 'n', {1, 0});
    if (rank == 2) add(records, 'x', {1, 6});
    files.push_back(file_of(rank, 3, records, rank == 2));
  }
  return files;
}

void set_bytes(std::string& file) {
  const std::uint64_t bytes = file.size() - rehearse_stream_head_bytes;
  std::memcpy(file.data() + offsetof(rehearse_stream_head, bytes), &bytes, sizeof bytes);
}

}  // namespace

std::vector<StreamFiles> make_streams() { return {messages(), collectives()}; }

void mutate_streams(StreamFiles& files, SplitMix& random) {
  for (std::size_t count = below(random, 4); count > 0; --count) {
    std::string& file = files[below(random, files.size())];
    if (random.below(16) == 0) {
      mutate_bytes(file, random);
      continue;
    }
    if (file.size() < rehearse_stream_head_bytes) continue;
    std::string records = file.substr(rehearse_stream_head_bytes);
    mutate_bytes(records, random);
    file = file.substr(0, rehearse_stream_head_bytes) + records;
    if (random.below(16) != 0) set_bytes(file);
  }
}

}  // namespace rehearse::fuzz
