// SPDX-License-Identifier: MIT
//
// Turns the records of one rank into operations and their answers, and appends them to a recording.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/observation.hpp"
#include "simcore/operation.hpp"
#include "simcore/support/result.hpp"
#include "trace/pmpi/communicator_table.hpp"
#include "trace/pmpi/site_table.hpp"
#include "trace/pmpi/stream_file.hpp"
#include "trace/real_streams.hpp"
#include "trace/rtrace/bytes.hpp"
#include "trace/rtrace/writer.hpp"

namespace rehearse::trace::pmpi {

class RankGatherer {
 public:
  RankGatherer(const StreamFile& file, const VolumeRates& rates, SiteTable& sites, rtrace::Writer& writer);

  // The error names the file.
  Result<void> gather();
  // Calls that a recording cannot have, with their numbers.
  const std::map<std::string, std::uint64_t>& refused() const { return refused_; }

 private:
  // Each reads a record behind its letter. Null: done. Otherwise: what is wrong.
  const char* read_record(char kind);
  const char* read_site();
  const char* read_volume();
  const char* read_send();
  const char* read_receive();
  const char* read_observe();
  const char* read_probe();
  const char* read_collective();
  const char* read_took();
  const char* read_release();
  const char* read_finalize();
  const char* read_abort();
  const char* read_refused();

  bool read_operation_site();
  bool read_pattern(std::uint64_t flags, Pattern& pattern);
  const char* read_answer(std::size_t requests, std::vector<Completion>& completions);
  bool read_request(RequestId& request);
  bool is_actor(const KnownCommunicator& communicator, std::uint64_t rank) const;
  char next_kind() const;
  bool is_unanswered() const;
  void append(const Operation& operation, const Observation* answer);
  void append_answered(const Operation& operation);

  const StreamFile& file_;
  double flops_per_tenth_;
  SiteTable& sites_;
  rtrace::Writer& writer_;
  rtrace::ByteReader in_;
  CommunicatorTable communicators_;
  std::vector<std::uint64_t> site_numbers_{0};  // by number in the stream
  std::vector<std::string_view> calls_{std::string_view()};
  std::map<std::uint32_t, std::uint64_t> communicator_of_receive_;  // with wildcards
  std::map<std::string, std::uint64_t> refused_;
  std::uint64_t site_ = 0;        // of the operation at hand, in the writer
  std::uint64_t site_index_ = 0;  // in the stream
  std::uint32_t next_request_ = 0;
};

}  // namespace rehearse::trace::pmpi
