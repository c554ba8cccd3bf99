// SPDX-License-Identifier: MIT
//
// The streams of the ranks of a real MPI (trace/pmpi/), and the recording that is made of them. Its operations are
// those that Rehearse's own MPI library asks for in a run of the same program.
//
// Errors: open(): no stream, a rank that is missing or there twice, streams of different runs. write(): a damaged
// stream,
//         or the output.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse::trace {

namespace pmpi {
class StreamFile;
}

enum class Counter : std::uint8_t { seconds, instructions };

// Ranks of one machine.
struct StreamMachine {
  std::string name, processor;
  std::vector<std::uint32_t> ranks;
};

// From volumes to flops.
struct VolumeRates {
  double flops_per_second = 1e9;
  double flops_per_instruction = 1;
};

struct GatheredTrace {
  std::uint64_t actions = 0;
  std::vector<std::string> unsupported;  // calls that a recording cannot have; then there is no file
};

class RankStreams {
 public:
  // Files, and folders with files whose names end in .stream.
  static Result<RankStreams> open(const std::vector<std::string>& paths);
  ~RankStreams();
  RankStreams(RankStreams&&) noexcept;
  RankStreams& operator=(RankStreams&&) noexcept;

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(files_.size()); }
  Counter counter() const;
  const std::string& command() const;
  std::uint64_t polls() const;                    // tests and probes without success
  std::vector<std::string> libraries() const;     // the MPIs, in the order of their first rank
  std::vector<StreamMachine> machines() const;    // in the order of their first rank
  std::vector<std::uint32_t> unfinished() const;  // ranks that did not end by themselves

  // `about`: JSON.
  Result<GatheredTrace> write(const std::string& output, const std::string& about, const VolumeRates& rates) const;

 private:
  explicit RankStreams(std::vector<std::unique_ptr<pmpi::StreamFile>> files);
  std::vector<std::unique_ptr<pmpi::StreamFile>> files_;  // by rank
};

}  // namespace rehearse::trace
