// SPDX-License-Identifier: MIT
//
// Calls of a program that a test writes as a function of a rank.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "manynode/recorded_calls.hpp"

namespace rehearse::manynode::tests {

class CallRecorder {
 public:
  CallRecorder(RecordedRuns& runs, std::int64_t ranks, std::int64_t rank, std::vector<RecordedCall>& calls)
      : P(ranks), r(rank), runs_(runs), calls_(calls) {}

  const std::int64_t P, r;

  void send(std::int64_t to, std::int64_t bytes, std::int64_t tag = 0) {
    message(CallKind::send, true, to, bytes, tag);
  }
  void recv(std::int64_t from, std::int64_t bytes, std::int64_t tag = 0) {
    message(CallKind::receive, true, from, bytes, tag);
  }
  void isend(std::int64_t to, std::int64_t bytes, std::int64_t tag = 0) {
    message(CallKind::send, false, to, bytes, tag);
  }
  void irecv(std::int64_t from, std::int64_t bytes, std::int64_t tag = 0) {
    message(CallKind::receive, false, from, bytes, tag);
  }
  void wait(std::int64_t which) { add(CallKind::wait)[Slot::waited] = which; }
  void waitall() { add(CallKind::wait_all); }
  void collective(const std::string& name, std::int64_t bytes, std::int64_t root = absent) {
    RecordedCall& call = add(CallKind::collective);
    call.name = name_of(name);
    call[Slot::bytes] = bytes;
    call[Slot::root] = root;
  }
  void compute(double seconds) { seconds_ += seconds; }
  void at_site(std::uint32_t site) { site_ = site; }
  double rest() const { return seconds_; }

 private:
  RecordedCall& add(CallKind kind) {
    RecordedCall& call = calls_.emplace_back();
    call.kind = kind;
    call.site = site_;
    call.seconds = seconds_;
    seconds_ = 0;
    return call;
  }
  void message(CallKind kind, bool blocking, std::int64_t peer, std::int64_t bytes, std::int64_t tag) {
    RecordedCall& call = add(kind);
    call.blocking = blocking;
    call[Slot::peer] = peer;
    call[Slot::bytes] = bytes;
    call[Slot::tag] = tag;
  }
  std::uint32_t name_of(const std::string& name) {
    for (std::uint32_t i = 0; i < runs_.names.size(); ++i)
      if (runs_.names[i] == name) return i;
    runs_.names.push_back(name);
    return static_cast<std::uint32_t>(runs_.names.size() - 1);
  }

  RecordedRuns& runs_;
  std::vector<RecordedCall>& calls_;
  double seconds_ = 0;
  std::uint32_t site_ = 0;
};

using Rank = CallRecorder;

inline RecordedRuns record(const std::vector<std::uint32_t>& sizes, const std::function<void(CallRecorder&)>& program) {
  RecordedRuns runs;
  runs.sites = {""};
  for (const std::uint32_t ranks : sizes) {
    RecordedRun& run = runs.runs.emplace_back();
    run.ranks = ranks;
    run.calls.resize(ranks);
    run.communicators.emplace_back();
    run.parts.emplace_back();
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      run.communicators.front().push_back(rank);
      CallRecorder recorder(runs, ranks, rank, run.calls[rank]);
      program(recorder);
      run.seconds_after.push_back(recorder.rest());
    }
  }
  return runs;
}

}  // namespace rehearse::manynode::tests
