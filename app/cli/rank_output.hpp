// SPDX-License-Identifier: MIT
//
// Prints the output of ranks on this program's streams, in whole lines, so that lines of different ranks do not mix.
//
// Ownership: the streams must outlive it. The destructor prints an incomplete last line.
#pragma once

#include <array>
#include <ostream>
#include <string>
#include <vector>

#include "simcore/output.hpp"

namespace rehearse::cli {

class RankOutput final : public OutputSink {
 public:
  // `ranks`: at the start; there may be more later. With `label` each line begins with the rank: `[3] hello`.
  RankOutput(std::uint32_t ranks, bool label, std::ostream& out, std::ostream& err);
  ~RankOutput() override;

  void write(ActorId actor, int stream, std::string_view text) override;

 private:
  void emit(std::uint32_t rank, std::size_t stream, std::string_view line);

  bool label_;
  std::array<std::ostream*, 2> streams_;
  std::vector<std::array<std::string, 2>> pending_;  // by rank: the incomplete line
};

}  // namespace rehearse::cli
