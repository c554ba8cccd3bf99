// SPDX-License-Identifier: MIT
//
// See state_server.hpp.
#include "simcore/kernel/state_server.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <tuple>
#include <vector>

#include "simcore/kernel/crash_report.hpp"
#include "simcore/kernel/kernel.hpp"
#include "simcore/kernel/record_pool.hpp"
#include "simcore/kernel/stop_report.hpp"
#include "simcore/kernel/untimed_world.hpp"
#include "simcore/remote/reports.hpp"

namespace rehearse::sim::kernel {
namespace {

using remote::MessageKind;

constexpr const char* strays_text = "a program that offers other steps after the same steps (it is not deterministic)";
constexpr std::size_t stack_of_thread_bytes = std::size_t{8} << 20;  // nothing else is mapped below it
constexpr const char* plain_text = "races of plain accesses to a SharedVariable while states are explored";
constexpr const char* shared_text = "a program that maps memory as shared, while states are explored";
constexpr const char* too_large_text = "a program whose states have too many parts to be compared";

// Its status of waitpid().
int await(pid_t copy) {
  int status = 0;
  while (copy > 0 && waitpid(copy, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

ActorRecord* actor_of(const Option& option) {
  if (option.actor != nullptr) return option.actor;
  if (option.timer != nullptr && option.timer->kind == TimerKind::actor_wakes)
    return static_cast<ActorRecord*>(option.timer);
  return nullptr;
}

void add_published(Kernel& kernel, std::vector<remote::PublishedValue>& values) {
  for (const PublishedValues::Entry& entry : kernel.published().entries())
    values.push_back({static_cast<std::uint32_t>(entry.pid - 1), entry.name.data(), entry.value});
  std::ranges::sort(values,
                    [](const auto& a, const auto& b) { return std::tie(a.actor, a.name) < std::tie(b.actor, b.name); });
}

}  // namespace

std::uint64_t doer_of(const Option& option) {
  const auto of_actor = [](const ActorRecord& actor, std::uint64_t kind) {
    return std::uint64_t{actor.pid} << 2 | kind;
  };
  const auto of_activity = [](const ActivityRecord& activity) {
    return reinterpret_cast<std::uintptr_t>(&activity) << 2 | 3;
  };
  switch (option.kind) {
    case Option::Kind::step: return of_actor(*option.actor, 0);
    case Option::Kind::end: return of_activity(*option.activity);
    case Option::Kind::alarm: break;
  }
  switch (option.timer->kind) {
    case TimerKind::actor_wakes: return of_actor(static_cast<const ActorRecord&>(*option.timer), 1);
    case TimerKind::actor_is_killed: return of_actor(*static_cast<const KillTimer&>(*option.timer).actor, 2);
    case TimerKind::pause_ends: break;
  }
  return of_activity(static_cast<const ActivityRecord&>(*option.timer));
}

struct StateServer::Shared {
  ProcessImage image;
  MessageKind order = MessageKind::quit;
  bool shows_next = false;  // the state that comes next is that of a successor
  std::uint32_t count = 0, made = 0;
  std::uint64_t steps[remote::steps_max];
};

StateServer::StateServer(remote::Connection& connection) : connection_(connection) {
  void* memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  shared_ = new (memory) Shared;
  std::setvbuf(stdout, nullptr, _IONBF, 0);  // so that output changes no buffer
}

StateServer::~StateServer() {
  shared_->~Shared();
  munmap(shared_, sizeof(Shared));
}

bool StateServer::receive_order() {
  std::uint32_t bytes = 0;
  if (!connection_.receive_raw(shared_->order, shared_->steps, sizeof shared_->steps, bytes)) return false;
  shared_->count = static_cast<std::uint32_t>(bytes / sizeof shared_->steps[0]);
  shared_->made = 0;
  shared_->shows_next = false;
  return shared_->order != MessageKind::quit;
}

// Nothing here allocates: all copies must inherit the same heap.
void StateServer::serve() {
  while (receive_order()) {
    std::fflush(nullptr);
    const pid_t server = getpid();
    const pid_t copy = fork();
    if (copy == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != server) std::_Exit(1);
      report_crashes_to(connection_.descriptor());
      return;
    }
    const int status = await(copy);
    remote::send_raw(connection_.descriptor(), MessageKind::ended, &status, sizeof status);
  }
  std::_Exit(0);
}

std::uint32_t StateServer::choose(Kernel& kernel, UntimedWorld& world, const void* frame) {
  if (shared_->shows_next) send_state(kernel, world, frame);
  if (shared_->made < shared_->count) {
    const std::uint64_t doer = shared_->steps[shared_->made++];
    const auto options = world.listed();
    for (std::uint32_t i = 0; i < options.size(); ++i) {
      if (doer_of(options[i]) != doer) continue;
      if (shared_->order == MessageKind::trace) show_traced(kernel, world, frame, i);
      return i;
    }
    leave(strays_text);
  }
  if (shared_->order == MessageKind::trace) {
    // In a copy of this copy, as each other state is shown: the C library notes whether a process was forked twice.
    const pid_t copy = fork();
    if (copy == 0) send_state(kernel, world, frame);
    await(copy);
    std::_Exit(0);
  }
  return show_successors(kernel, world);
}

// Returns in a copy only.
std::uint32_t StateServer::show_successors(Kernel&, UntimedWorld& world) {
  const auto count = static_cast<std::uint32_t>(world.listed().size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const pid_t parent = getpid();
    const pid_t copy = fork();
    if (copy == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) std::_Exit(1);
      shared_->shows_next = true;
      const pid_t self = getpid();
      remote::send_raw(connection_.descriptor(), MessageKind::begun, &self, sizeof self);
      return i;
    }
    const int status = await(copy);
    shared_->shows_next = false;
    remote::send_raw(connection_.descriptor(), MessageKind::tried, &status, sizeof status);
    std::uint32_t bytes = 0;
    MessageKind go_on = MessageKind::quit;
    if (WIFSIGNALED(status) && !connection_.receive_raw(go_on, nullptr, 0, bytes)) break;
  }
  std::_Exit(0);
}

// In a copy, so that the heap of this process stays as it is.
void StateServer::show_traced(Kernel& kernel, UntimedWorld& world, const void* frame, std::uint32_t choice) {
  const pid_t copy = fork();
  if (copy == 0) {
    const auto hash = image_of(kernel, world, frame);
    if (!hash) leave(shared_->image.shares_memory() ? shared_text : too_large_text);
    const auto options = world.listed();
    remote::TracedStep step;
    step.image = *hash;
    step.index = choice;
    step.text = world.describe(options[choice]);
    if (choice > 0) step.instead = world.describe(options[0]);
    if (ActorRecord* actor = actor_of(options[choice])) step.frames = frames_of(kernel, *actor);
    add_published(kernel, step.published);
    connection_.send({MessageKind::traced, remote::to_bytes(step)});
    std::_Exit(0);
  }
  await(copy);
}

void StateServer::send_state(Kernel& kernel, UntimedWorld& world, const void* frame) {
  if (world.has_plain_accesses()) leave(plain_text);
  const auto hash = image_of(kernel, world, frame);
  if (!hash) leave(shared_->image.shares_memory() ? shared_text : too_large_text);
  remote::GlobalState state;
  state.image = *hash;
  state.has_read_dates = world.has_read_dates();
  const auto options = world.listed();
  bool has_other = false;
  for (const Option& option : options) has_other = has_other || !is_timeout(option);
  for (const Option& option : options) state.steps.push_back({doer_of(option), has_other && is_timeout(option)});
  add_published(kernel, state.published);
  connection_.send({MessageKind::global_state, remote::to_bytes(state)});
  std::_Exit(0);
}

void StateServer::note_end(Kernel& kernel, const UntimedWorld& world) {
  if (!shared_->shows_next && shared_->order != MessageKind::trace) leave(strays_text);
  if (world.has_plain_accesses()) leave(plain_text);
  remote::GlobalState state;
  state.has_read_dates = world.has_read_dates();
  add_published(kernel, state.published);
  connection_.send({MessageKind::global_state, remote::to_bytes(state)});
}

// What counts besides the bytes are sets, whose order in memory depends on the past and decides nothing.
std::optional<WideHash> StateServer::image_of(Kernel& kernel, UntimedWorld& world, const void* frame) {
  ProcessImage& image = shared_->image;
  image.begin();
  image.leave_out(static_cast<const char*>(frame) - stack_of_thread_bytes, frame);
  world.describe_sets(image);
  kernel.scheduler().for_each_slab([&](const void* first, std::size_t bytes) { image.leave_out(first, bytes); });
  const auto [spare_begin, spare_end] = kernel.activities().pool().spare();
  image.leave_out(spare_begin, spare_end);
  ListNode& in_progress = kernel.activities().in_progress();
  image.leave_out(&in_progress, sizeof in_progress);
  for (const ListNode* node = in_progress.next; node != &in_progress; node = node->next) {
    image.leave_out(node, sizeof *node);
    image.add_to_set(reinterpret_cast<std::uintptr_t>(node) << 2 | 3);
  }
  for (ActorRecord* actor : kernel.actors().all()) {
    if (actor == nullptr) continue;
    image.leave_out(&ready_place(*actor), sizeof(ListNode));
    image.leave_out(&actor->has_activities, sizeof actor->has_activities);  // only for ways, which are not used
    if (actor->fiber.stack.bottom != nullptr && actor->phase == ActorRecord::Phase::alive)
      image.add(actor->fiber.context, actor->fiber.stack.top);
  }
  const auto& published = kernel.published().entries();
  image.leave_out(published.data(), published.capacity() * sizeof(PublishedValues::Entry));
  for (const PublishedValues::Entry& entry : published) image.add_to_set(&entry, sizeof entry);
  ListNode& ready = kernel.scheduler().ready();
  image.leave_out(&ready, sizeof ready);
  for (const ListNode* node = ready.next; node != &ready; node = node->next)
    image.add_to_set(reinterpret_cast<std::uintptr_t>(node) << 2);
  return image.hash();
}

void StateServer::leave(const char* refused) {
  connection_.send({MessageKind::refused, refused});
  std::_Exit(0);
}

}  // namespace rehearse::sim::kernel
