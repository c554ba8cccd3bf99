// SPDX-License-Identifier: MIT
//
// See repeated_states.hpp.
#include "smpi/repeated_states.hpp"

#include "smpi/library.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {
namespace {

class LiveRequests {
 public:
  explicit LiveRequests(Library& library) : library_(library) {}

  void add(RequestId request) {
    if (request.value < library_.live_requests.size()) library_.live_requests.set(request.value);
  }

  void remove(const Observe& observe, const Observation& answer) {
    if (observe.withdraws) return remove(observe.requests.front());
    if (!answer.flag) return;
    if (observe.quantifier == Quantifier::all)
      for (const RequestId request : observe.requests) remove(request);
    else
      for (const Completion& completion : answer.completions) remove(observe.requests[completion.index]);
  }

  void choose_next() {
    const auto most = static_cast<std::uint32_t>(library_.live_requests.size());
    if (library_.next_request > most) return;  // there may be requests that the set cannot hold
    std::uint32_t next = 0;
    while (next < most && library_.live_requests.test(next)) ++next;
    library_.next_request = next;
  }

 private:
  void remove(RequestId request) {
    if (request.value < library_.live_requests.size()) library_.live_requests.reset(request.value);
  }

  Library& library_;
};

// A list of requests marks its members with its number, to find a request that it names twice.
void forget_lists(const void* slot) {
  auto* tables = const_cast<RequestTables*>(find_per_rank<RequestTables>(slot));
  if (tables == nullptr) return;
  tables->made.repeat_handles();
  if (tables->lists == 0) return;
  tables->lists = 0;
  tables->made.for_each_live(
      [](MPI_Request, const std::unique_ptr<Request>& request, const CreationSite&) { request->list_number = 0; });
}

}  // namespace

void repeat_numbers(const void* slot, const Operation& operation, const Observation& answer) {
  auto* library = const_cast<Library*>(find_per_rank<Library>(slot));
  if (library == nullptr) return;
  library->repeats_states = true;
  LiveRequests live(*library);
  if (const auto* send = std::get_if<Send>(&operation); send != nullptr && !send->blocking) live.add(send->request);
  if (const auto* post = std::get_if<Post>(&operation); post != nullptr && !post->blocking) live.add(post->request);
  if (const auto* collective = std::get_if<Collective>(&operation); collective != nullptr && !collective->blocking)
    live.add(collective->request);
  if (const auto* observe = std::get_if<Observe>(&operation)) live.remove(*observe, answer);
  live.choose_next();
  forget_lists(slot);
}

}  // namespace rehearse::smpi
