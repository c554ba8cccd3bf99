// SPDX-License-Identifier: MIT
//
// See access.hpp. The effects run outside of all ranks.
#include "smpi/rma/access.hpp"

#include <cstring>
#include <string_view>
#include <utility>

#include "simcore/actor.hpp"
#include "smpi/buffers/pending.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/error.hpp"
#include "smpi/library.hpp"
#include "smpi/p2p/buffered.hpp"
#include "smpi/process/rank_threads.hpp"
#include "smpi/request/thread_use.hpp"
#include "smpi/rma/operation_message.hpp"

namespace rehearse::smpi {
namespace {

// The first byte of an answer.
constexpr std::byte was_done{0};
constexpr std::byte is_not_attached{1};

constexpr std::string_view missing_fence = "to leave MPI_Win_fence";
constexpr std::string_view missing_post = "to expose its window (MPI_Win_post)";
constexpr std::string_view missing_unlock = "to release its lock on that window";

AccessHeader header_of(const EffectCall& call) {
  AccessHeader header;
  std::memcpy(&header, call.data.data(), sizeof header);
  return header;
}

ActorId owner_of(const Window& window) { return window.communicator->actor_of(window.rank()); }

bool may_begin(const EffectCall& call, const AccessHeader& header) {
  const Window& window = *header.window;
  const bool is_exposed = window.exposure_count[header.origin] >= header.exposure;
  if (is_exposed && window.fence_count >= header.fences) return true;
  call.waits_for.push_back(owner_of(window));
  return false;
}

bool do_operation(const EffectCall& call) {
  const AccessHeader header = header_of(call);
  if (!may_begin(call, header)) return false;
  const OperationView operation(call.data.subspan(sizeof header));
  const bool is_there = header.window->flavor != MPI_WIN_FLAVOR_DYNAMIC || is_attached(*header.window, operation);
  call.answer.push_back(is_there ? was_done : is_not_attached);
  if (is_there) operation.carry_out(call.answer);
  return true;
}

void name_holders(const Window& window, std::vector<ActorId>& holders) {
  for (std::size_t i = 0; i < window.lock.holds.size(); ++i)
    if (window.lock.holds[i] != 0) holders.push_back(window.communicator->actor_of(static_cast<int>(i)));
  if (holders.empty()) holders.push_back(owner_of(window));
}

template <bool exclusive>
bool grant(const EffectCall& call) {
  AccessHeader header = header_of(call);
  WindowLock& lock = header.window->lock;
  if (header.ticket == 0) {
    header.ticket = ++lock.next_ticket;
    std::memcpy(call.data.data(), &header, sizeof header);
  }
  if (!may_begin(call, header)) return false;
  const bool is_free = lock.exclusive == 0 && (!exclusive || lock.shared == 0);
  if (!is_free || header.ticket != lock.served + 1) {
    name_holders(*header.window, call.waits_for);
    return false;
  }
  ++lock.served;
  if (exclusive) lock.exclusive = header.origin + 1;
  else ++lock.shared;
  lock.holds[header.origin] = 1;
  return true;
}

bool release(const EffectCall& call) {
  const AccessHeader header = header_of(call);
  WindowLock& lock = header.window->lock;
  if (lock.exclusive == header.origin + 1) lock.exclusive = 0;
  else --lock.shared;
  lock.holds[header.origin] = 0;
  return true;
}

RemoteAccess access_to(const Window& window, int target, Effect effect, std::string_view missing) {
  RemoteAccess access;
  access.request = library().start_request();
  access.target = window.communicator->actor_of(target);
  access.context = window.communicator->message_context();
  access.effect = effect;
  access.missing = missing;
  access.origin = origin_of_call();
  return access;
}

AccessHeader header_for(const Window& window, int target, AccessKind kind) {
  return {kind, window.part(target).window, static_cast<std::uint32_t>(window.rank()), 0, window.fence_count, 0, 0, 0,
          0};
}

RequestId request_lock(Window& window, int target, int type, bool blocking) {
  const bool is_exclusive = type == MPI_LOCK_EXCLUSIVE;
  const AccessHeader header =
      header_for(window, target, is_exclusive ? AccessKind::take_exclusive : AccessKind::take_shared);
  RemoteAccess access = access_to(window, target, is_exclusive ? grant<true> : grant<false>, missing_unlock);
  access.data = std::as_bytes(std::span(&header, 1));
  access.blocking = blocking;
  ask(access);
  return access.request;
}

// The end of an operation at its origin.
Trouble end_operation(std::function<Trouble(std::span<const std::byte>)>& take_answer,
                      std::span<const std::byte> answer) {
  if (answer.front() == is_not_attached)
    return {MPI_ERR_RMA_RANGE, "the operation touches memory that is not attached to the dynamic window", "rma.attach"};
  return take_answer ? take_answer(answer.subspan(1)) : Trouble{};
}

}  // namespace

void start_access(Window& window, int target, QueuedOperation operation, AccessEpoch epoch, MPI_Request* request) {
  AccessHeader header = header_for(window, target, AccessKind::operation);
  header.exposure = static_cast<std::uint32_t>(epoch.exposure);
  header.is_in_fence = epoch.kind == EpochKind::fence ? 1 : 0;
  header.has_request = request != nullptr ? 1 : 0;
  const OperationView view(operation.message);
  std::vector<std::byte> data(sizeof header + operation.message.size());
  std::memcpy(data.data(), &header, sizeof header);
  std::memcpy(data.data() + sizeof header, operation.message.data(), operation.message.size());
  RemoteAccess access = access_to(window, target, do_operation, epoch.exposure > 0 ? missing_post : missing_fence);
  access.data = data;
  access.bytes_there = view.header().data_bytes;
  access.bytes_back = view.header().answer_bytes;
  ask(access);
  StartedOperation started;
  started.id = access.request;
  started.target = target;
  started.has_answer = has_answer(view.header().deed);
  if (epoch.kind == EpochKind::passive) ++window.issued[static_cast<std::size_t>(target)];
  started.lent = operation.lent;
  auto take = [take_answer = std::move(operation.take_answer), lent = std::move(operation.lent)](
                  std::span<const std::byte> answer) mutable { return end_operation(take_answer, answer); };
  if (request == nullptr) {
    started.take_answer = std::move(take);
    started.buffers = std::move(operation.buffers);
  } else {
    auto made = std::make_unique<Request>();
    made->kind = Request::Kind::one_sided;
    made->state = Request::State::pending;
    made->id = access.request;
    made->communicator = window.communicator;
    made->more().take_answer = std::move(take);
    for (std::size_t i = 0; i < operation.buffers.size(); ++i) made->buffers[i] = operation.buffers[i];
    give_request(request, std::move(made));
    started.request = *request;
  }
  window.started.push_back(std::move(started));
}

void take_lock(Window& window, int target, int type) { request_lock(window, target, type, true); }

void take_all_locks(Window& window) {
  std::vector<RequestId> requests;
  for (int target = 0; target < window.size(); ++target)
    requests.push_back(request_lock(window, target, MPI_LOCK_SHARED, false));
  ask(Observe{requests, Quantifier::all, true});
}

void give_lock_back(Window& window, int target, int type) {
  AccessHeader header =
      header_for(window, target,
                 type == MPI_LOCK_EXCLUSIVE ? AccessKind::release_exclusive : AccessKind::release_shared);
  header.complete = window.issued[static_cast<std::size_t>(target)];
  RemoteAccess access = access_to(window, target, release, missing_unlock);
  access.data = std::as_bytes(std::span(&header, 1));
  ask(access);
  window.closing.push_back(access.request);
}

namespace {

// Whether the program has waited for the request of the operation.
bool was_concluded(const StartedOperation& operation) {
  if (operation.request == MPI_REQUEST_NULL) return false;
  const Request* request = find_request(operation.request);
  return request == nullptr || request->kind != Request::Kind::one_sided || request->id != operation.id ||
         request->state != Request::State::pending;
}

// The operation has taken effect. Starts no operation.
Trouble conclude_operation(StartedOperation& operation, const Completion& completion,
                           std::vector<ChangedBuffer>& changed) {
  if (operation.request != MPI_REQUEST_NULL) {
    complete_request(*find_request(operation.request), completion);
    return {};
  }
  bool has_place = true;
  for (BufferToken token : operation.buffers) {
    EndedUse ended = end_use(token);
    if (ended.changed) changed.push_back(std::move(*ended.changed));
    has_place = has_place && ended.has_place;
  }
  return has_place ? operation.take_answer(completion.data) : Trouble{};
}

}  // namespace

void note_complete(Window& window, int target) {
  if (target == every_target) window.complete = window.issued;
  else window.complete[static_cast<std::size_t>(target)] = window.issued[static_cast<std::size_t>(target)];
}

// An operation without an answer is complete at its origin when its data is with the driver.
void finish_locally(Window& window, int target) {
  std::vector<ChangedBuffer> changed;
  for (StartedOperation& operation : window.started) {
    if ((target != every_target && operation.target != target) || operation.has_answer) continue;
    if (operation.lent != nullptr) operation.lent->keep();
    for (const BufferToken token : std::exchange(operation.buffers, {}))
      if (EndedUse ended = end_use(token); ended.changed) changed.push_back(std::move(*ended.changed));
  }
  for (const ChangedBuffer& buffer : changed) report_changed(buffer);
}

namespace {

// One thread of the rank at a time waits for the window's operations: the list must not change meanwhile.
class FinishingThread {
 public:
  explicit FinishingThread(Window& window) : window_(window) {
    while (window.is_finishing)
      wait_for({.object = &window.is_finishing, .function = "a flush of a window by another thread"});
    window.is_finishing = true;
  }
  ~FinishingThread() {
    window_.is_finishing = false;
    wake(&window_.is_finishing);
  }
  FinishingThread(const FinishingThread&) = delete;
  FinishingThread& operator=(const FinishingThread&) = delete;

 private:
  Window& window_;
};

}  // namespace

int finish_operations(Window& window, int target, bool closing, bool only_answers) {
  const FinishingThread alone(window);
  std::erase_if(window.started, was_concluded);
  if (only_answers) finish_locally(window, target);
  std::vector<RequestId> ids;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < window.started.size(); ++i) {
    if (target != every_target && window.started[i].target != target) continue;
    if (only_answers && !window.started[i].has_answer) continue;
    ids.push_back(window.started[i].id);
    places.push_back(i);
  }
  std::vector<MPI_Request> requests;
  for (const std::size_t place : places)
    if (const MPI_Request request = window.started[place].request; request != MPI_REQUEST_NULL) {
      refuse_if_waited(*find_request(request));
      requests.push_back(request);
    }
  const std::size_t operations = ids.size();
  if (closing) ids.insert(ids.end(), window.closing.begin(), window.closing.end());
  if (closing) window.closing.clear();
  if (ids.empty()) return MPI_SUCCESS;
  Trouble trouble;
  std::vector<ChangedBuffer> changed;
  const WaitingUse use(requests, ThreadUse::Kind::flush);
  const Observation& answer = ask(Observe{ids, Quantifier::all, true});
  heard_from_others();
  for (const Completion& completion : answer.completions) {
    if (completion.index >= operations) continue;
    Trouble one = conclude_operation(window.started[places[completion.index]], completion, changed);
    if (trouble.error == MPI_SUCCESS) trouble = std::move(one);
  }
  for (auto place = places.rbegin(); place != places.rend(); ++place)
    window.started.erase(window.started.begin() + static_cast<std::ptrdiff_t>(*place));
  for (const ChangedBuffer& buffer : changed) report_changed(buffer);
  return trouble.error == MPI_SUCCESS ? MPI_SUCCESS
                                      : error_about(window.handle, trouble.error, trouble.text, trouble.id);
}

}  // namespace rehearse::smpi
