// SPDX-License-Identifier: MIT
//
// What one rank of a trace asks for: its actions, as Operations.
//
// Threads: none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simcore/observation.hpp"
#include "simcore/operation.hpp"
#include "trace/trace.hpp"

namespace rehearse::trace {

class RankReplay {
 public:
  // Trace and reader must outlive this.
  RankReplay(const Trace& trace, ActionReader& reader, std::uint32_t rank);

  // Valid until go_on().
  const Operation& operation() const { return operation_; }
  void go_on(const Observation& observation);

  std::uint64_t actions() const { return actions_; }
  std::uint64_t line() const { return action_.line; }
  bool is_at_end() const { return is_at_end_; }
  std::uint64_t answered_tests() const { return answered_tests_; }

 private:
  struct OpenRequest {
    RequestName name;
    RequestId request;
    double flops = 0;  // to be computed once it is complete
  };
  // What remains of the action at hand.
  enum class Rest : std::uint8_t { nothing, exchange_send, exchange_wait };

  void advance();
  void begin_action();
  bool go_on_with_rest();
  void begin(const ComputeAction& compute);
  void begin(const SleepAction& sleep);
  void begin(const SendAction& send);
  void begin(const ReceiveAction& receive);
  void begin(const ExchangeAction& exchange);
  void begin(const WaitAction& wait);
  void begin(const WaitAllAction&);
  void begin(const WaitAnyAction&);
  void begin(const CollectiveAction& collective);
  void begin_end();

  RequestId start(const RequestName& name, bool blocking, double flops = 0);
  void ask_send(const SendAction& send, RequestId request);
  void ask_receive(const ReceiveAction& receive, RequestId request);
  void wait_for_all(Quantifier quantifier);
  void fail(std::string what);

  const Trace& trace_;
  ActionReader& reader_;
  std::uint32_t rank_;
  Operation operation_ = End{};
  Action action_;
  bool is_answered_ = true;  // the action at hand asks for nothing more
  Rest rest_ = Rest::nothing;
  bool observes_any_ = false;
  bool observes_one_ = false;
  bool is_at_end_ = false;
  double volume_ = 0;
  std::uint32_t next_request_ = 0;
  std::vector<OpenRequest> open_;
  std::size_t waited_ = 0;  // index into open_, of the request that is observed alone
  std::vector<RequestId> observed_;
  std::string failure_;
  std::uint64_t actions_ = 0;
  std::uint64_t answered_tests_ = 0;
};

}  // namespace rehearse::trace
