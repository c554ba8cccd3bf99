// SPDX-License-Identifier: MIT
//
// See remote_actor_states.hpp; the program's side is simcore/kernel/state_server.hpp.
#include "simcore/remote_actor_states.hpp"

#include <sys/wait.h>

#include <csignal>
#include <utility>

#include "simcore/remote/driven_process.hpp"
#include "simcore/remote/execution.hpp"
#include "simcore/remote/failures.hpp"
#include "simcore/remote/wire.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse {

using remote::Connection;
using remote::DrivenProcess;
using remote::Execution;
using remote::Message;
using remote::MessageKind;
using remote::Point;

namespace {

constexpr const char* lost_text = "a program that ends the process from which its executions are copied";

std::string bytes_of(std::span<const std::uint64_t> steps) {
  return {reinterpret_cast<const char*>(steps.data()), steps.size_bytes()};
}

std::vector<ActorValue> values_of(const std::vector<remote::PublishedValue>& published) {
  std::vector<ActorValue> values;
  for (const remote::PublishedValue& value : published) values.push_back({value.actor, value.name, value.value});
  return values;
}

}  // namespace

class RemoteActorStates::Core {
 public:
  Core(const Launch& launch, std::unique_ptr<DrivenProcess> process)
      : process_(std::move(process)),
        places_(launch.path, process_->base_address()),
        seconds_(launch.max_step_seconds),
        stop_(launch.stop) {}

  std::vector<ActorsState> successors(std::span<const std::uint64_t> steps) {
    begin(MessageKind::successors, steps);
    std::vector<ActorsState> states;
    bool is_shown = false;  // what is collected has a message
    while (receive()) {
      if (message_.kind == MessageKind::ended || message_.kind == MessageKind::tried) {
        const int status = remote::Unpacker(message_.body).value<int>();
        const bool is_tried = message_.kind == MessageKind::tried;
        if (is_tried || is_shown) states.push_back(conclude(status));
        if (!is_tried) return states;
        if (WIFSIGNALED(status)) {
          process_->forget_errors();
          process_->connection().send({MessageKind::take, {}});
        }
        is_shown = false;
        continue;
      }
      is_shown = collect() || is_shown;
    }
    states.push_back(conclude(0));
    return states;
  }

  ActorTrace trace(std::span<const std::uint64_t> steps) {
    begin(MessageKind::trace, steps);
    ActorTrace trace;
    int status = 0;
    while (receive()) {
      if (message_.kind == MessageKind::ended) {
        status = remote::Unpacker(message_.body).value<int>();
        break;
      }
      if (message_.kind != MessageKind::traced) {
        collect();
        continue;
      }
      remote::TracedStep step;
      REHEARSE_ASSERT(from_bytes(message_.body, step), "a step of the program");
      trace.steps.push_back({step.image, step.index, std::move(step.text), std::move(step.instead),
                             places_.find(step.frames), values_of(step.published)});
    }
    trace.last = conclude(status);
    return trace;
  }

 private:
  void begin(MessageKind kind, std::span<const std::uint64_t> steps) {
    REHEARSE_ASSERT(steps.size() <= remote::steps_max, "a path that the program can take");
    process_->forget_errors();
    clear();
    process_->connection().send({kind, bytes_of(steps)});
  }

  void clear() {
    shown_ = {};
    point_ = {};
    has_state_ = false;
    copy_ = -1;
  }

  // False: the server has ended. A step that takes too long ends with its process.
  bool receive() {
    StopToken patience = stop_.until(StopToken::Clock::now(), seconds_);
    while (true) {
      const auto received = process_->connection().receive(message_, patience);
      if (received == Connection::Received::message) return true;
      if (received == Connection::Received::closed || copy_ <= 0) {
        point_.kind = received == Connection::Received::closed ? Point::Kind::refused : Point::Kind::given_up;
        point_.text = lost_text;
        return false;
      }
      point_.kind = stop_.stop_requested() ? Point::Kind::given_up : Point::Kind::late;
      kill(copy_, SIGKILL);
      copy_ = -1;
      patience = {};
    }
  }

  // Whether the message says something about the state.
  bool collect() {
    switch (message_.kind) {
      case MessageKind::begun: copy_ = remote::Unpacker(message_.body).value<pid_t>(); return false;
      case MessageKind::global_state: {
        remote::GlobalState state;
        REHEARSE_ASSERT(from_bytes(message_.body, state), "a state of the program");
        shown_.image = state.image;
        shown_.has_read_dates = state.has_read_dates;
        for (const auto& step : state.steps) shown_.options.push_back({step.doer, step.is_early_timeout});
        shown_.published = values_of(state.published);
        has_state_ = true;
        return true;
      }
      case MessageKind::crashed:
        point_.crash = remote::Unpacker(message_.body).value<remote::CrashNotice>();
        return true;
      case MessageKind::stopped:
        REHEARSE_ASSERT(from_bytes(message_.body, point_.stop), "a stop of the program");
        point_.kind = Point::Kind::stopped;
        return true;
      case MessageKind::refused:
        point_.kind = Point::Kind::refused;
        point_.text = message_.body;
        return true;
      default: return false;
    }
  }

  ActorsState conclude(int status) {
    ActorsState state = std::move(shown_);
    if (point_.kind == Point::Kind::choice && WIFSIGNALED(status)) point_.kind = Point::Kind::crashed;
    point_.status = status;
    state.status = WEXITSTATUS(status);
    if (point_.kind == Point::Kind::choice && has_state_) {
      state.kind = state.options.empty() ? ActorsState::Kind::ended : ActorsState::Kind::goes_on;
    } else {
      if (point_.kind == Point::Kind::choice) {
        point_.kind = Point::Kind::refused;
        point_.text = lost_text;
      }
      const remote::Failure failure = failure_of(point_, process_->errors(), places_);
      state.kind = ActorsState::Kind::failed;
      state.options.clear();
      state.failure = failure.kind;
      state.id = failure.id;
      state.what = failure.what;
      if (point_.kind == Point::Kind::stopped) state.end = remote::end_of(point_.stop, places_);
      if (failure.at) state.end.failed.push_back(*failure.at);
    }
    clear();
    return state;
  }

  std::unique_ptr<DrivenProcess> process_;
  remote::Places places_;
  double seconds_;
  StopToken stop_;
  Message message_;
  pid_t copy_ = -1;  // that shows a successor
  // ---- of the state that is being shown
  ActorsState shown_;
  Point point_;
  bool has_state_ = false;
};

RemoteActorStates::RemoteActorStates(std::unique_ptr<Core> core) : core_(std::move(core)) {}
RemoteActorStates::~RemoteActorStates() = default;

Result<std::unique_ptr<RemoteActorStates>> RemoteActorStates::launch(const Launch& launch) {
  auto process = DrivenProcess::start({launch.path, launch.arguments, remote::Orders::states});
  if (!process) return process.error();
  const auto ready = Execution::await_server(*process.value());
  if (!ready) return Error{launch.path + ": " + ready.error().text, ready.error().is_inconclusive};
  return std::unique_ptr<RemoteActorStates>(
      new RemoteActorStates(std::make_unique<Core>(launch, std::move(process.value()))));
}

ActorsState RemoteActorStates::first() { return core_->trace({}).last; }

std::vector<ActorsState> RemoteActorStates::successors(std::span<const std::uint64_t> steps) {
  return core_->successors(steps);
}

ActorTrace RemoteActorStates::trace(std::span<const std::uint64_t> steps) { return core_->trace(steps); }

}  // namespace rehearse
