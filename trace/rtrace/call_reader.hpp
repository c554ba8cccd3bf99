// SPDX-License-Identifier: MIT
//
// The actions of one rank of a recording as calls.
//
// Requests:  calls name a request by its ends and its tag, so the oldest open request of a name is meant. open_ repeats
//            what a reader of the calls keeps, so that each wait gets the name that means its request.
// Undecided: a recording of a trace that does not say which request a waitany took. The reader only knows how many of
//            the open requests are complete.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trace/rtrace/by_call.hpp"
#include "trace/rtrace/event_conversion.hpp"
#include "trace/rtrace/file.hpp"
#include "trace/rtrace/recorded_trace.hpp"
#include "trace/rtrace/repetition.hpp"
#include "trace/trace.hpp"

namespace rehearse::trace::rtrace {

class CallReader final : public ActionReader {
 public:
  // The trace must outlive it.
  CallReader(const RecordedTrace& trace, std::uint32_t rank);

  bool next(Action& action) override;
  const std::optional<Error>& problem() const override { return reader_.problem(); }
  const std::optional<std::string>& unsupported() const override { return unsupported_; }
  std::string text() const override;
  std::string file() const override { return trace_.file().path(); }
  std::string place() const override;
  Losses losses() const override { return losses_; }

 private:
  struct OpenRequest {
    RequestName name;
    RequestId request;
    bool is_freed = false;
  };

  // A call of the block at hand that can be repeated.
  struct Repeated {
    Repetition what;
    Action action;     // of a send, a receive or a computation; of a wait, only the site
    RequestName name;  // of a send or a receive
  };

  bool take_event();
  bool repeat(const Repeated& repeated);
  void note_repetition(std::size_t waiting);
  void convert(const Send& send);
  void convert(const Post& post);
  void convert(const Observe& observe);
  void convert(const Collective& collective);
  void convert(const Release& release);
  void convert(const Compute& compute);
  void convert(const Sleep& sleep) { pause(sleep.duration); }
  void convert(const Clock& clock);
  void convert(const Probe&) { losses_.add(Loss::probes); }
  void convert(const RemoteAccess&) {}  // no recording has it, nor the next five
  void convert(const Traffic&) {}
  void convert(const Settle&) {}
  void convert(const StorageAccess&) {}
  void convert(const Work&) {}
  void convert(const Await&) {}
  void convert(const Choose&) { losses_.add(Loss::choices); }
  void convert(const Log&) { losses_.add(Loss::output); }
  void convert(const Report&) { losses_.add(Loss::output); }
  void convert(const Fail& fail);
  void convert(const End& end);

  bool find_message(const Post& post, Pattern& pattern);
  void convert_undecided(const Observe& observe);
  std::size_t waiting() const { return pending_.size() - given_; }
  bool may_be_exchange() const;
  bool make_exchange(std::span<const RequestId> requests);
  void wait_for_all_of(std::span<const RequestId> requests);
  void wait_for(RequestId request);
  void finish();
  void add_sizes(const Collective& collective, std::size_t context, CollectiveAction& action);

  void pause(Duration duration);
  void add(AnyAction what, std::size_t context = no_context);
  void refuse(const std::string& why);
  std::uint32_t member_in(std::uint32_t communicator);

  static constexpr std::size_t no_context = ~std::size_t{0};
  static constexpr std::uint64_t most_contribution = 9'000'000'000'000'000;  // counts may be floating-point numbers

  const RecordedTrace& trace_;
  std::uint32_t rank_;
  Reader reader_;
  Event event_;
  Asked asked_;
  ByCall<Repeated> repeated_;
  bool is_repeated_ = false;          // the last action is, and asked_ is that of an earlier one
  std::uint32_t request_before_ = 0;  // the next request of the rank before the last action, if it is repeated
  std::vector<Action> pending_;       // from given_ on
  std::size_t given_ = 0;
  std::vector<OpenRequest> open_;
  std::uint64_t undecided_ = 0;                       // of open_, so many are complete
  std::vector<std::optional<std::uint32_t>> member_;  // by communicator
  std::vector<std::uint64_t> numbers_;                // by context: collectives with sizes that others must know
  std::vector<std::uint64_t> blocks_;
  bool is_stopped_ = false, is_finished_ = false;
  Losses losses_;
  std::optional<std::string> unsupported_;
};

}  // namespace rehearse::trace::rtrace
