// SPDX-License-Identifier: MIT
//
// See execution.hpp.
#include "simcore/remote/execution.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <csignal>

#include "simcore/remote/wire.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::remote {
namespace {

using Received = Connection::Received;

std::string choices_as_bytes(std::span<const std::uint32_t> choices) {
  Packer packer;
  packer.add(static_cast<std::uint32_t>(choices.size()));
  for (const std::uint32_t choice : choices) packer.add(choice);
  return packer.take();
}

}  // namespace

Result<std::string> Execution::await_server(DrivenProcess& process) {
  Message message;
  while (process.connection().receive(message) == Received::message) {
    if (message.kind == MessageKind::ready) return message.body;
    if (message.kind == MessageKind::refused) return Error{message.body + " is not supported yet", true};
  }
  return Error{"ended with " + end_in_words(process.wait()) + " before Simulation::run(): nothing can be explored"};
}

bool Execution::is_at(std::span<const std::uint32_t> choices) const {
  return lives_ && waits_ && std::ranges::equal(made_, choices);
}

Point Execution::go_to(std::span<const std::uint32_t> choices, double seconds, const StopToken& stop) {
  const bool is_on_way = lives_ && waits_ && made_.size() < choices.size() &&
                         std::equal(made_.begin(), made_.end(), choices.begin());
  std::span<const std::uint32_t> missing = choices;
  if (is_on_way) {
    missing = choices.subspan(made_.size());
  } else {
    leave();
    process_.forget_errors();
    now_ = {};
    process_.connection().send({MessageKind::fork, {}});
    lives_ = true;
  }
  // A new copy shows its first state before it takes choices.
  if (!is_on_way && !missing.empty()) {
    const Point first = receive_point(seconds, stop);
    if (first.kind != Point::Kind::choice) return first;
  }
  made_.assign(choices.begin(), choices.end());
  if (!missing.empty()) process_.connection().send({MessageKind::take, choices_as_bytes(missing)});
  return receive_point(seconds, stop);
}

Point Execution::receive_point(double seconds, const StopToken& stop) {
  const StopToken patience = stop.until(StopToken::Clock::now(), seconds);
  Point point;
  waits_ = listens_ = false;
  Message message;
  while (true) {
    const Received received = process_.connection().receive(message, patience);
    if (received == Received::stopped) {
      point.kind = stop.stop_requested() ? Point::Kind::given_up : Point::Kind::late;
      break;
    }
    if (received == Received::closed) {
      lives_ = false;
      point.kind = Point::Kind::refused;
      point.text = "a program that ends the process from which its executions are copied";
      break;
    }
    if (message.kind == MessageKind::begun) copy_ = Unpacker(message.body).value<pid_t>();
    if (message.kind == MessageKind::last)
      REHEARSE_ASSERT(from_bytes(message.body, point.state), "the last state of the program");
    if (message.kind == MessageKind::done) now_.picoseconds = Unpacker(message.body).value<std::int64_t>();
    if (message.kind == MessageKind::event && events_) events_(message.body);
    if (message.kind == MessageKind::crashed) point.crash = Unpacker(message.body).value<CrashNotice>();
    if (message.kind == MessageKind::state) {
      REHEARSE_ASSERT(from_bytes(message.body, point.state), "a state of the program");
      now_ = point.state.now;
      waits_ = listens_ = true;
      break;
    }
    if (message.kind == MessageKind::stopped) {
      REHEARSE_ASSERT(from_bytes(message.body, point.stop), "a stop of the program");
      now_ = point.stop.now;
      listens_ = true;
      point.kind = Point::Kind::stopped;
      break;
    }
    if (message.kind == MessageKind::refused) {
      point.kind = Point::Kind::refused;
      point.text = message.body;
      listens_ = true;
      break;
    }
    if (message.kind == MessageKind::ended) {
      lives_ = false;
      point.status = Unpacker(message.body).value<int>();
      point.kind = WIFSIGNALED(point.status) ? Point::Kind::crashed : Point::Kind::ended;
      break;
    }
  }
  point.state.now = now_;
  return point;
}

std::vector<std::string> Execution::texts() {
  REHEARSE_ASSERT(lives_ && waits_, "an execution at a choice");
  process_.connection().send({MessageKind::describe, {}});
  Message message;
  std::vector<std::string> texts;
  while (process_.connection().receive(message) == Received::message)
    if (message.kind == MessageKind::texts && from_bytes(message.body, texts)) break;
  return texts;
}

// A copy that does not wait for an order may never read one.
void Execution::leave() {
  if (!lives_) return;
  if (listens_) process_.connection().send({MessageKind::quit, {}});
  else if (copy_ > 0) kill(copy_, SIGKILL);
  Message message;
  while (process_.connection().receive(message) == Received::message) {
    if (message.kind == MessageKind::begun) kill(Unpacker(message.body).value<pid_t>(), SIGKILL);
    if (message.kind == MessageKind::ended) break;
  }
  lives_ = waits_ = listens_ = false;
  copy_ = -1;
  made_.clear();
}

}  // namespace rehearse::remote
