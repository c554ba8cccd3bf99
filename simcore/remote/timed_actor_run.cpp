// SPDX-License-Identifier: MIT
//
// Follows a program that simulates by itself.
#include <sys/wait.h>

#include <optional>

#include "simcore/actor_events.hpp"
#include "simcore/remote/driven_process.hpp"
#include "simcore/remote/failures.hpp"
#include "simcore/remote/timed_events.hpp"
#include "simcore/remote/wire.hpp"

namespace rehearse {

using remote::Message;
using remote::MessageKind;
using remote::Point;

Result<TimedActorRun> run_actor_program(const RemoteActorProgram::Launch& launch, const ActorEvents& events,
                                        bool with_uses, TimePoint latest) {
  auto process = remote::DrivenProcess::start(
      {launch.path, launch.arguments, remote::Orders::record, {bool(events), with_uses, latest}, true, launch.output});
  if (!process) return process.error();
  const remote::Places places(launch.path, process.value()->base_address());
  TimedActorRun run;
  Point last;
  last.kind = Point::Kind::ended;
  Message message;
  auto received = remote::Connection::Received::message;
  while ((received = process.value()->connection().receive(message, launch.stop)) ==
         remote::Connection::Received::message) {
    if (message.kind == MessageKind::event && events) events(remote::event_of(message.body, places));
    if (message.kind == MessageKind::cut) run.was_cut = true;
    if (message.kind == MessageKind::refused) return Error{message.body + " is not supported"};
    if (message.kind == MessageKind::uses && !from_bytes(message.body, run.uses.emplace()))
      return Error{launch.path + ": sent a map that makes no sense"};
    if (message.kind == MessageKind::crashed) last.crash = remote::Unpacker(message.body).value<remote::CrashNotice>();
    if (message.kind == MessageKind::stopped && from_bytes(message.body, last.stop)) last.kind = Point::Kind::stopped;
    if (message.kind == MessageKind::begins && run.hosts_with_actors == 0)
      run.hosts_with_actors = remote::Unpacker(message.body).value<std::uint32_t>();
    if (message.kind != MessageKind::done) continue;
    remote::Unpacker body(message.body);
    run.has_run = true;
    run.end.picoseconds = body.value<std::int64_t>();
    run.platform = body.text();
  }
  run.was_interrupted = received == remote::Connection::Received::stopped;
  if (run.was_interrupted) return run;
  last.status = process.value()->wait();
  if (WIFSIGNALED(last.status)) last.kind = Point::Kind::crashed;
  run.errors = process.value()->errors();
  if (last.kind == Point::Kind::ended) {
    run.exit_status = WEXITSTATUS(last.status);
    return run;
  }
  const remote::Failure failure = failure_of(last, run.errors, places);
  run.id = failure.id;
  run.what = failure.what;
  run.stops = end_of(last.stop, places);
  if (failure.at) run.stops.failed.push_back(*failure.at);
  return run;
}

}  // namespace rehearse
