// SPDX-License-Identifier: MIT
//
// Waits and tests of requests in programs whose processes can fail: a request that cannot complete any more is complete
// with an error. A receive from any source stays pending after such an error (MPIX_ERR_PROC_FAILED_PENDING).
//
// Method: a wait for all requests waits for one after the other, together with the notices that concern it. That leaves
//         out no outcome: the call returns when the last one is complete, in any order.
#include <algorithm>
#include <vector>

#include "simcore/actor.hpp"
#include "smpi/failure/failures.hpp"
#include "smpi/request/request_set.hpp"

namespace rehearse::smpi {

bool RequestSet::observe_fallibly(Failures& known, Quantifier quantifier, bool blocking) {
  known.point();
  bool flag = true;
  const bool all = quantifier == Quantifier::all;
  while (flag && (all || observed_.empty()) && !ids_.empty())
    flag = ask_fallibly(known, all ? 1 : ids_.size(), all ? Quantifier::any : quantifier, blocking);
  std::ranges::sort(observed_);
  keep_observed();
  return all ? flag : !observed_.empty();
}

// Asks about the first `count` pending messages and what prevents them. Returns the answer of the driver.
bool RequestSet::ask_fallibly(Failures& known, std::size_t count, Quantifier quantifier, bool blocking) {
  std::vector<RequestId> ids(ids_.begin(), ids_.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<Failures::Notice> notices;
  for (std::size_t i = 0; i < count; ++i)
    for (const Failures::Notice& notice : known.notices(watch_of(*find_request(handles_[places_[i].position])))) {
      if (std::ranges::find(ids, notice.request) != ids.end()) continue;
      notices.push_back(notice);
      ids.push_back(notice.request);
    }
  std::vector<std::uint32_t> heard;
  {
    const Observation& answer = ask(Observe{ids, quantifier, blocking});
    if (!answer.flag) return false;
    std::size_t messages = 0;
    for (const Completion& completion : answer.completions) {
      if (completion.index < count) {
        take(completion);
        ++messages;
      } else {
        heard.push_back(completion.index - static_cast<std::uint32_t>(count));
      }
    }
    if (quantifier != Quantifier::any || count == 1 || observed_.empty()) forget(answer.completions.first(messages));
  }
  for (const std::uint32_t index : heard) {
    known.take(notices[index]);
    const std::vector<int> pending = pending_positions();
    for (const int position : pending) {
      Request& request = *find_request(handles_[position]);
      const Watch watch = watch_of(request);
      if (request.state != Request::State::pending || !known.concerns(notices[index], watch)) continue;
      interrupt(position, known.known(watch));
      if (quantifier == Quantifier::any) break;
    }
  }
  return true;
}

void RequestSet::interrupt(int position, const Interruption& why) {
  Request& request = *find_request(handles_[position]);
  const bool may_continue = request.kind == Request::Kind::receive && request.transfer.peer == MPI_ANY_SOURCE &&
                            why.error == MPIX_ERR_PROC_FAILED;
  if (!may_continue) end_uses(request);
  for (std::size_t i = ids_.size(); i-- > 0;) {
    if (places_[i].position != position) continue;
    if (!may_continue) ask(Release{ids_[i]});
    ids_.erase(ids_.begin() + static_cast<std::ptrdiff_t>(i));
    places_.erase(places_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  request.state = Request::State::complete;
  request.trouble = {may_continue ? MPIX_ERR_PROC_FAILED_PENDING : why.error, why.text, {}, {}};
  observed_.push_back(position);
}

}  // namespace rehearse::smpi
