// SPDX-License-Identifier: MIT
//
// A trace of calls as a recording: the operations that its replay asks for (rank_replay.cpp), with answers.
//
// Undecided: a trace of calls does not say which request a waitany takes. From there on, the open requests may or may
//            not be complete, until all of them are.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "trace/call_operations.hpp"
#include "trace/conversion.hpp"
#include "trace/rtrace/writer.hpp"

namespace rehearse::trace {

namespace rtrace {
namespace {

class CallRecorder {
 public:
  CallRecorder(const Trace& trace, Writer& writer) : trace_(trace), writer_(writer) {}

  Result<Conversion> record() {
    for (rank_ = 0; rank_ < trace_.ranks(); ++rank_) {
      reader_ = trace_.read(rank_);
      next_request_ = 0;
      taken_ = 0;
      open_.clear();
      while (problem_.empty() && reader_->next(action_))
        std::visit([this](const auto& what) { add(what); }, action_.what);
      done_.losses.add(reader_->losses());
      if (reader_->problem()) return *reader_->problem();
      if (!problem_.empty()) return Error{problem_};
      if (reader_->unsupported()) {
        done_.unsupported = *reader_->unsupported();
        return std::move(done_);
      }
      for (OpenRequest& open : open_) open.flops = 0;  // as in a replay of the calls
      if (!open_.empty()) wait_for_all_open();
      write(End{});
    }
    return std::move(done_);
  }

 private:
  struct OpenRequest {
    RequestName name;
    RequestId request;
    double flops = 0;          // to be computed once it is complete
    bool may_be_over = false;  // a waitany could have taken it
  };

  void write(const Operation& operation) {
    static constexpr Observation answer;
    writer_.append({rank_}, operation, &answer, {}, 0);
  }

  RequestId start(const RequestName& name, bool blocking, double flops = 0) {
    const RequestId request{next_request_++};
    if (!blocking) open_.push_back({name, request, flops});
    return request;
  }
  ContextId context() const { return message_context(action_.communicator); }

  void add(const ComputeAction& action) { write(Compute{action.flops}); }
  void add(const SleepAction& action) { write(Sleep{Duration::from_seconds(action.seconds)}); }
  void add(const SendAction& action) { write(operation_of(action, start(action.name, action.blocking), context())); }
  void add(const ReceiveAction& action) { receive(action, start(action.name, action.blocking)); }
  void add(const ExchangeAction& action) {
    const RequestId received{next_request_++}, sent{next_request_++};
    receive(action.receive, received);
    write(operation_of(action.send, sent, context()));
    observe({received, sent});
  }
  void receive(const ReceiveAction& action, RequestId request) {
    const Post post = operation_of(action, request, context());
    if (action.source && action.tag) write(post);
    else writer_.append_undecided({rank_}, post);
  }
  void add(const CollectiveAction& action) {
    const RequestId request = start(collective_name, action.blocking, action.flops);
    write(operation_of(action, request, action_.communicator, trace_.communicators()));
    if (action.blocking && action.flops > 0) write(Compute{action.flops});
  }

  void observe(std::vector<RequestId> requests) {
    observed_ = std::move(requests);
    write(Observe{observed_});
  }

  void add(const WaitAction& action) {
    const auto is_named = [&](const OpenRequest& open) { return is_meant(open.name, action.name); };
    const auto first = std::ranges::find_if(open_, is_named);
    if (first == open_.end()) {
      problem_ = reader_->place() + ": rank " + std::to_string(rank_) + ": " + without_request(action.name);
      return;
    }
    if (!first->may_be_over) {
      observe({first->request});
      const double flops = first->flops;
      open_.erase(first);
      if (flops > 0) write(Compute{flops});
      return;
    }
    std::vector<RequestId> candidates;
    for (const OpenRequest& open : open_)
      if (is_named(open)) candidates.push_back(open.request);
    take_one(std::move(candidates), Quantifier::all);
  }

  void add(const WaitAllAction&) {
    if (!open_.empty()) wait_for_all_open();
  }
  void wait_for_all_open() {
    std::vector<RequestId> requests;
    double flops = 0;
    for (const OpenRequest& open : open_) {
      requests.push_back(open.request);
      flops += open.flops;
    }
    observe(std::move(requests));
    open_.clear();
    taken_ = 0;
    if (flops > 0) write(Compute{flops});
  }

  void add(const WaitAnyAction&) {
    if (open_.empty()) return;
    if (open_.size() == 1) return wait_for_all_open();
    std::vector<RequestId> requests;
    for (const OpenRequest& open : open_) requests.push_back(open.request);
    take_one(std::move(requests), Quantifier::any);
  }

  // One of these requests ends; which one is not known.
  void take_one(std::vector<RequestId> requests, Quantifier quantifier) {
    for (OpenRequest& open : open_) {
      if (std::ranges::find(requests, open.request) == requests.end()) continue;
      open.may_be_over = true;
      if (std::exchange(open.flops, 0) > 0) done_.losses.add(Loss::waited_volumes);
    }
    observed_ = std::move(requests);
    writer_.append_undecided({rank_}, Observe{observed_, quantifier});
    if (++taken_ == open_.size()) wait_for_all_open();
  }

  const Trace& trace_;
  Writer& writer_;
  std::uint32_t rank_ = 0;
  std::unique_ptr<ActionReader> reader_;
  Action action_;
  std::uint32_t next_request_ = 0;
  std::vector<OpenRequest> open_;
  std::size_t taken_ = 0;  // of open_, so many are over
  std::vector<RequestId> observed_;
  std::string problem_;
  Conversion done_;
};

}  // namespace
}  // namespace rtrace

Result<Conversion> write_recording(const Trace& trace, const std::string& path, const std::string& about) {
  auto writer = rtrace::Writer::create(path, trace.ranks(), about, true);
  if (!writer) return writer.error();
  auto done = rtrace::CallRecorder(trace, *writer.value()).record();
  if (!done || !done.value().unsupported.empty()) return done;
  if (auto closed = writer.value()->finish([](rtrace::Site&) {}); !closed) return closed.error();
  return done;
}

}  // namespace rehearse::trace
