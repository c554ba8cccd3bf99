// SPDX-License-Identifier: MIT
//
// Actors that are C++ functions on pooled stacks.
#include "simcore/fiber_program.hpp"

#include <exception>
#include <optional>
#include <string>

#include "simcore/actor.hpp"
#include "simcore/actor_context.hpp"
#include "simcore/actor_lists.hpp"
#include "simcore/fiber/exception_globals.hpp"
#include "simcore/fiber/stack_pool.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse {
namespace {

struct FiberActor {
  ActorContext context;
  std::function<void()> function;
  ExceptionGlobals exceptions;
};

void fail_with(const char* what) {
  const std::string text = std::string("uncaught exception: ") + what;
  ask(Fail{FailureKind::crash, "crash.exception", text});
}

void run_function(ActorContext& context) {
  begin_application(context);
  try {
    static_cast<FiberActor*>(context.user)->function();
  } catch (const std::exception& exception) {
    fail_with(exception.what());
  } catch (...) {
    fail_with("not a std::exception");
  }
  ask(End{0});
}

// Makes one actor the current one for a switch, with its own exceptions in flight.
class Current {
 public:
  explicit Current(FiberActor& actor) : actor_(actor), outer_(current_context()) {
    set_current_context(&actor.context);
    swap_exceptions();
  }
  ~Current() {
    swap_exceptions();
    set_current_context(outer_);
  }

 private:
  void swap_exceptions() { std::swap(exception_globals(), actor_.exceptions); }
  FiberActor& actor_;
  ActorContext* outer_;
};

}  // namespace

struct FiberProgram::State {
  explicit State(std::size_t stack_bytes) : stacks(stack_bytes) {}
  StackPool stacks;
  std::vector<FiberActor> actors;
  ActorLists lists;

  FiberActor& at(ActorId id) {
    REHEARSE_ASSERT(id.value < actors.size(), "no such actor");
    return actors[id.value];
  }
  // Runs the actor to its first Operation if it has not run yet.
  FiberActor& started(ActorId id) {
    FiberActor& actor = at(id);
    if (actor.context.operation == nullptr) {
      Current current(actor);
      enter(actor.context, nullptr);
    }
    return actor;
  }
};

FiberProgram::FiberProgram(std::vector<std::function<void()>> actors, FiberOptions options)
    : state_(std::make_unique<State>(options.stack_bytes)) {
  state_->actors.resize(actors.size());
  for (std::uint32_t i = 0; i < actors.size(); ++i) {
    FiberActor& actor = state_->actors[i];
    actor.function = std::move(actors[i]);
    actor.context.identity.id = ActorId{i};
    actor.context.identity.actor_count = actor_count();
    actor.context.body = run_function;
    actor.context.lists = &state_->lists;
    actor.context.user = &actor;
    actor.context.stack = state_->stacks.acquire();
    prepare(actor.context);
  }
}

FiberProgram::~FiberProgram() = default;

std::uint32_t FiberProgram::actor_count() const { return static_cast<std::uint32_t>(state_->actors.size()); }

const Operation& FiberProgram::next(ActorId actor) { return *state_->started(actor).context.operation; }

void FiberProgram::resume(ActorId actor, const Observation& observation) {
  FiberActor& target = state_->started(actor);
  Current current(target);
  enter(target.context, &observation);
}

void FiberProgram::restart(ActorId actor) {
  FiberActor& target = state_->at(actor);
  target.exceptions = {};
  prepare(target.context);
}

std::unique_ptr<Snapshot> FiberProgram::save(ActorId) { return nullptr; }

void FiberProgram::restore(ActorId, const Snapshot&) {
  internal_error(__FILE__, __LINE__, "restore", "a FiberProgram makes no snapshots");
}

void FiberProgram::measure(ApplicationMeter& meter) {
  for (FiberActor& actor : state_->actors) actor.context.meter = &meter;
}

CallDescription FiberProgram::describe(ActorId actor) {
  CallDescription description;
  description.call = kind_name(*state_->started(actor).context.operation);
  return description;
}

}  // namespace rehearse
