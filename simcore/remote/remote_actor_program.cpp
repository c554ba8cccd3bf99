// SPDX-License-Identifier: MIT
//
// Remembers the points of the latest execution. A restarted program that gets the same choices again shows the same
// points without running; its process runs again when a choice differs.
#include "simcore/remote_actor_program.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <deque>
#include <limits>
#include <utility>

#include "simcore/debug.hpp"
#include "simcore/remote/execution.hpp"
#include "simcore/remote/failures.hpp"
#include "simcore/remote/timed_events.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"

namespace rehearse {

using remote::DrivenProcess;
using remote::Execution;
using remote::Point;

namespace {

constexpr const char* strays_text =
    "a program that offers other steps after the same choices (it is not deterministic)";

struct Known {
  Point point;
  Operation operation;
  remote::Failure failure;  // the texts of the operation
  ActorsEnd end;
};

}  // namespace

class RemoteActorProgram::Core {
 public:
  Core(const Launch& launch, std::unique_ptr<DrivenProcess> process, const std::string& platform)
      : process_(std::move(process)),
        platform_(platform),
        execution_(*process_),
        places_(launch.path, process_->base_address()),
        seconds_(launch.max_step_seconds),
        stop_(launch.stop),
        max_steps_(launch.max_steps),
        on_max_steps_(launch.on_max_steps) {}

  Known& here() {
    if (same_ == choices_.size() && same_ < known_.size()) return known_[same_];
    known_.resize(std::min(known_.size(), choices_.size()));
    path_.resize(same_);
    path_.insert(path_.end(), choices_.begin() + static_cast<std::ptrdiff_t>(same_), choices_.end());
    REHEARSE_ASSERT(known_.size() == choices_.size(), "the points before this one are known");
    Known& known = known_.emplace_back();
    if (choices_.size() >= max_steps_) {
      known.point.kind = Point::Kind::given_up;
      if (on_max_steps_) on_max_steps_();
    } else {
      known.point = execution_.go_to(choices_, seconds_, stop_);
    }
    same_ = choices_.size();
    has_read_dates_ = has_read_dates_ || known.point.state.has_read_dates;
    if (strays(known.point)) known.point = refused();
    conclude(known);
    return known;
  }

  void take(std::uint32_t choice) {
    here();
    choices_.push_back(choice);
    if (path_.size() >= choices_.size() && path_[same_] == choice && known_.size() > choices_.size()) ++same_;
  }

  void restart() {
    choices_.clear();
    same_ = 0;
  }

  std::vector<std::string> texts() {
    if (here().point.kind != Point::Kind::choice) return {};
    if (!execution_.is_at(choices_)) execution_.go_to(choices_, seconds_, stop_);
    return execution_.is_at(choices_) ? execution_.texts() : std::vector<std::string>{};
  }

  void limit_steps(double seconds, const StopToken& stop) {
    seconds_ = seconds;
    stop_ = stop;
  }

  std::string errors() const { return process_->errors(); }
  bool has_read_dates() const { return has_read_dates_; }
  const std::string& platform() const { return platform_; }

  void watch(ActorEvents events) {
    if (!events) return execution_.set_events({});
    execution_.set_events(
        [this, events = std::move(events)](const std::string& bytes) { events(remote::event_of(bytes, places_)); });
  }

 private:
  // Other steps came before this point than when they were recorded.
  bool strays(const Point& point) const {
    if (point.kind != Point::Kind::choice || choices_.empty()) return false;
    const Point& before = known_[choices_.size() - 1].point;
    return before.kind == Point::Kind::choice && before.state.reached != point.state.passed;
  }

  static Point refused() {
    Point point;
    point.kind = Point::Kind::refused;
    point.text = strays_text;
    return point;
  }

  void conclude(Known& known) {
    const Point& point = known.point;
    known.failure = remote::failure_of(point, process_->errors(), places_);
    switch (point.kind) {
      case Point::Kind::choice: known.operation = Choose{point.state.choices, "the next step of the actors"}; return;
      case Point::Kind::ended: known.operation = End{WEXITSTATUS(point.status)}; return;
      case Point::Kind::stopped: known.end = remote::end_of(point.stop, places_); break;
      case Point::Kind::crashed:
      case Point::Kind::refused:
      case Point::Kind::late:
      case Point::Kind::given_up: break;
    }
    if (known.failure.at) known.end.failed.push_back(*known.failure.at);
    known.operation = Fail{known.failure.kind, known.failure.id, known.failure.what};
  }

  std::unique_ptr<DrivenProcess> process_;
  std::string platform_;
  Execution execution_;
  remote::Places places_;
  double seconds_;
  StopToken stop_;
  std::uint64_t max_steps_;
  std::function<void()> on_max_steps_;
  std::vector<std::uint32_t> choices_;  // of the present point
  std::vector<std::uint32_t> path_;     // of the last one of known_
  bool has_read_dates_ = false;
  std::deque<Known> known_;  // by number of choices
  std::size_t same_ = 0;     // as many choices are those of path_, to known points
};

RemoteActorProgram::RemoteActorProgram(std::unique_ptr<Core> core) : core_(std::move(core)) {}
RemoteActorProgram::~RemoteActorProgram() = default;

Result<std::unique_ptr<RemoteActorProgram>> RemoteActorProgram::launch(const Launch& launch) {
  auto process = DrivenProcess::start({launch.path,
                                       launch.arguments,
                                       launch.with_dates ? remote::Orders::replay : remote::Orders::explore,
                                       {},
                                       launch.shows_output});
  if (!process) return process.error();
  const auto ready = Execution::await_server(*process.value());
  if (!ready) return Error{launch.path + ": " + ready.error().text, ready.error().is_inconclusive};
  return std::unique_ptr<RemoteActorProgram>(
      new RemoteActorProgram(std::make_unique<Core>(launch, std::move(process.value()), ready.value())));
}

const Operation& RemoteActorProgram::next(ActorId) { return core_->here().operation; }

Ways RemoteActorProgram::ways(ActorId) {
  const Known& known = core_->here();
  return {known.point.state.ways, known.point.state.strayed};
}

void RemoteActorProgram::resume(ActorId actor, const Observation& observation) {
  REHEARSE_ASSERT(std::holds_alternative<Choose>(next(actor)), "only a choice is answered");
  REHEARSE_ASSERT(observation.completions.size() == 1, "a choice is answered with its index");
  core_->take(observation.completions[0].index);
}

void RemoteActorProgram::restart(ActorId) { core_->restart(); }

std::unique_ptr<Snapshot> RemoteActorProgram::save(ActorId) { return nullptr; }

void RemoteActorProgram::restore(ActorId, const Snapshot&) {
  internal_error(__FILE__, __LINE__, "restore", "a RemoteActorProgram makes no snapshots");
}

CallDescription RemoteActorProgram::describe(ActorId actor) {
  CallDescription description;
  if (const auto* failure = std::get_if<Fail>(&next(actor))) {
    description.call = failure->what;
  } else if (std::holds_alternative<End>(next(actor))) {
    description.call = "the end";
  } else {
    for (const std::string& choice : choices())
      description.call += (description.call.empty() ? "choose: " : "; ") + choice;
  }
  return description;
}

void RemoteActorProgram::limit_steps(double seconds, const StopToken& stop) { core_->limit_steps(seconds, stop); }

std::vector<std::string> RemoteActorProgram::choices() { return core_->texts(); }
const ActorsEnd& RemoteActorProgram::end() { return core_->here().end; }
TimePoint RemoteActorProgram::now() { return core_->here().point.state.now; }
std::string RemoteActorProgram::errors() const { return core_->errors(); }
const std::string& RemoteActorProgram::platform() const { return core_->platform(); }
bool RemoteActorProgram::has_read_dates() const { return core_->has_read_dates(); }
void RemoteActorProgram::watch(ActorEvents events) { core_->watch(std::move(events)); }

}  // namespace rehearse
