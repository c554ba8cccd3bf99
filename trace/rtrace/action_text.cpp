// SPDX-License-Identifier: MIT
//
// See action_text.hpp.
#include "trace/rtrace/action_text.hpp"

#include <array>
#include <limits>
#include <variant>

#include "simcore/support/format.hpp"

namespace rehearse::trace::rtrace {

namespace {

std::string text_of(const Pattern& pattern) {
  return "from " + (pattern.source ? std::to_string(pattern.source->value) : "any source") + ", " +
         (pattern.tag ? "tag " + std::to_string(*pattern.tag) : "any tag");
}

std::string started(bool is_blocking, RequestId request) {
  return is_blocking ? "" : ", request " + std::to_string(request.value);
}

// Words for each kind of operation, without the call.
class ActionWords {
 public:
  explicit ActionWords(const Asked& action) : action_(action) {}

  std::string operator()(const Send& send) const {
    constexpr std::array modes = {"", "synchronous ", "buffered ", "ready "};
    return modes[static_cast<std::size_t>(send.mode)] + std::string("send to ") +
           std::to_string(send.destination.value) + ", tag " + std::to_string(send.tag) + ", " +
           std::to_string(send.data.size()) + " bytes" + started(send.blocking, send.request);
  }
  std::string operator()(const Post& post) const {
    return "receive " + text_of(post.pattern) +
           (post.capacity_bytes == std::numeric_limits<std::uint64_t>::max()
                ? ""
                : ", at most " + std::to_string(post.capacity_bytes) + " bytes") +
           started(post.blocking, post.request);
  }
  std::string operator()(const Observe& observe) const {
    constexpr std::array quantifiers = {"all", "one", "some"};
    std::string text = observe.withdraws ? "cancel" : observe.blocking ? "wait for" : "test";
    if (observe.requests.size() > 1)
      text += " " + std::string(quantifiers[static_cast<std::size_t>(observe.quantifier)]) + " of";
    text += observe.requests.size() > 1 ? " requests" : " request";
    std::size_t listed = 0;
    for (const RequestId request : observe.requests) {
      if (++listed > 8) return text + "... (" + std::to_string(observe.requests.size()) + ")" + answer(observe);
      text += (listed > 1 ? ", " : " ") + std::to_string(request.value);
    }
    return text + answer(observe);
  }
  std::string operator()(const Probe& probe) const {
    const std::string answer = action_.is_unanswered || probe.blocking ? "" : action_.yes ? ": yes" : ": no";
    return "probe " + text_of(probe.pattern) + answer +
           (action_.yes ? ", a message " + text_of(action_.seen) : std::string());
  }
  std::string operator()(const Collective& collective) const {
    const bool has_root = collective.flow == Flow::root_to_all || collective.flow == Flow::all_to_root;
    return std::string(collective.name) + " of " + std::to_string(collective.members.size()) + " ranks, " +
           std::to_string(collective.contribution.size()) + " bytes" +
           (has_root ? ", root " + std::to_string(collective.root) : std::string()) +
           started(collective.blocking, collective.request);
  }
  std::string operator()(const RemoteAccess& access) const {
    return "access to rank " + std::to_string(access.target.value);
  }
  std::string operator()(const Traffic& traffic) const {
    return "traffic to rank " + std::to_string(traffic.target.value);
  }
  std::string operator()(const Settle&) const { return "wait for traffic"; }
  std::string operator()(const StorageAccess&) const { return "access to a file"; }
  std::string operator()(const Work&) const { return "computation of a thread"; }
  std::string operator()(const Await&) const { return "wait of several threads"; }
  std::string operator()(const Release& release) const {
    return "release request " + std::to_string(release.request.value);
  }
  std::string operator()(const Choose& choose) const {
    return "choice between " + std::to_string(choose.count) + ": " + std::string(choose.what);
  }
  std::string operator()(const Compute& compute) const {
    return "compute " + fmt::format("{}", compute.flops) + " flops";
  }
  std::string operator()(const Sleep& sleep) const {
    return "sleep " + std::to_string(sleep.duration.picoseconds) + " ps";
  }
  std::string operator()(const Clock&) const { return "read the clock"; }
  std::string operator()(const Log&) const { return "output"; }
  std::string operator()(const Report&) const { return "output"; }
  std::string operator()(const Fail& fail) const { return "failure: " + std::string(fail.what); }
  std::string operator()(const End& end) const { return "end with status " + std::to_string(end.status); }

 private:
  std::string answer(const Observe& observe) const {
    if (action_.is_unanswered || action_.is_undecided) return "";
    if (!action_.yes) return ": no";
    if (observe.quantifier == Quantifier::all) return observe.blocking ? "" : ": yes";
    std::string text = ": ";
    for (std::size_t i = 0; i < action_.completed.size(); ++i)
      text += (i > 0 ? ", " : "") + std::to_string(observe.requests[action_.completed[i]].value);
    return text;
  }

  const Asked& action_;
};

}  // namespace

std::string text_of(const Asked& action, const Tables& tables) {
  const std::string& call = tables.sites()[action.site].call;
  std::string text = std::visit(ActionWords(action), action.operation);
  return call.empty() || text.starts_with(call + " ") ? text : call + ": " + text;
}

}  // namespace rehearse::trace::rtrace
