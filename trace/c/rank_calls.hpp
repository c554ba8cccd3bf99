// SPDX-License-Identifier: MIT
//
// The calls of one rank as statements in C.
//
// Errors: of the trace; a wait for a request that is not open, with its place.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "simcore/support/result.hpp"
#include "trace/c/collective_counts.hpp"
#include "trace/c/folded_calls.hpp"
#include "trace/losses.hpp"
#include "trace/trace.hpp"

namespace rehearse::trace::c {

// Values of the whole program, which all ranks share.
struct ProgramFacts {
  std::uint32_t slots = 0;           // requests that are open at once
  std::uint64_t sent_bytes = 1;      // of the largest buffer that is sent
  std::uint64_t buffered_bytes = 0;  // for all buffered sends of a rank
  bool computes = false, pauses = false;
  std::map<std::uint32_t, bool> communicators;  // those that are used, without the world
  Losses losses;
};

class RankCalls {
 public:
  RankCalls(const Trace& trace, const CollectiveCounts& counts, std::uint32_t rank, ProgramFacts& facts,
            Statements& statements);

  Result<void> read();
  const std::string& unsupported() const { return unsupported_; }
  const std::vector<Item>& list() const { return folded_.list(); }

 private:
  struct OpenRequest {
    RequestName name;
    std::uint32_t slot = 0;
    double flops = 0;
  };

  void add(const ComputeAction& compute) { add_computation(compute.flops); }
  void add(const SleepAction& sleep);
  void add(const SendAction& send);
  void add(const ReceiveAction& receive);
  void add(const ExchangeAction& exchange);
  void add(const WaitAction& wait);
  void add(const WaitAllAction&);
  void add(const WaitAnyAction&);
  void add(const CollectiveAction& collective);
  void add_computation(double flops);

  std::string arguments_of(const CollectiveAction& collective, std::string& arrays, const std::string& slot);
  std::string reduction(const CollectiveAction& collective, std::string& arrays, const std::string& slot);
  std::string with_equal_parts(const CollectiveAction& collective, std::uint64_t number, const std::string& slot);
  std::string with_lists(const CollectiveAction& collective, std::uint64_t number, std::string& arrays,
                         const std::string& slot);
  std::string place(const std::string& slot, std::uint64_t bytes);
  std::string communicator();
  std::string rank_in_communicator(std::uint32_t world_rank);
  std::string sent(std::uint64_t bytes);
  std::string count(std::uint64_t bytes);
  std::string arrays(const char* counts, const char* displacements, const std::vector<std::uint64_t>& sizes);
  std::uint32_t open(const RequestName& name, double flops);
  void refuse(const std::string& why);

  const Trace& trace_;
  const CollectiveCounts& counts_;
  std::uint32_t rank_;
  ProgramFacts& facts_;
  FoldedCalls folded_;
  std::unique_ptr<ActionReader> reader_;
  Action action_;
  std::vector<OpenRequest> open_;
  std::uint64_t chosen_ = 0;   // of them, completed by waits for any
  std::vector<bool> is_used_;  // by slot
  std::uint64_t buffered_bytes_ = 0;
  std::unordered_map<std::uint32_t, std::uint64_t> numbers_;  // of collectives, by communicator
  std::unordered_map<std::uint32_t, std::unordered_map<std::uint32_t, std::uint32_t>> members_;
  std::string unsupported_;
  std::optional<Error> problem_;
};

}  // namespace rehearse::trace::c
