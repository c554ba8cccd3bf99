// SPDX-License-Identifier: MIT
//
// Turns of the processes, by signals.
#include "mc/strategy/rivals.hpp"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

namespace rehearse::mc::strategy {

namespace {

using Clock = std::chrono::steady_clock;
using parallel::Frame;

constexpr std::chrono::milliseconds shortest_turn{200};

// One of the processes.
class Contender {
 public:
  explicit Contender(const Rival& rival) : rival_(&rival) {}
  ~Contender() { end(); }
  Contender(Contender&& other) noexcept
      : rival_(other.rival_), child_(std::exchange(other.child_, {})), is_over_(other.is_over_) {}
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;
  Contender& operator=(Contender&&) = delete;

  bool is_over() const { return is_over_; }
  int descriptor() const { return child_ ? child_->channel.descriptor() : -1; }

  // Lets the process run for one turn, or until it has an answer or ends. The first turn starts it.
  std::optional<Frame> take_turn(const std::vector<int>& siblings) {
    if (child_) kill(child_->pid, SIGCONT);
    else child_ = parallel::start_child(siblings, rival_->work);
    std::optional<Frame> answer;
    bool goes_on = child_.has_value();
    for (const Clock::time_point until = Clock::now() + rival_->weight * shortest_turn;
         goes_on && !answer && Clock::now() < until;) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
      pollfd waits = {child_->channel.descriptor(), POLLIN, 0};
      poll(&waits, 1, static_cast<int>(left.count()));
      goes_on = child_->channel.fetch();
      answer = child_->channel.next();
    }
    if (answer || !goes_on) end();
    else kill(child_->pid, SIGSTOP);
    return answer;
  }

 private:
  void end() {
    is_over_ = true;
    if (!child_) return;
    kill(child_->pid, SIGKILL);
    parallel::reap(child_->pid);
    child_.reset();
  }

  const Rival* rival_;
  std::optional<parallel::Child> child_;
  bool is_over_ = false;
};

// Where others keep the processors busy, a share of the time gets as much less of them as the others do.
void pause_after(Clock::duration awake, double share) {
  const std::chrono::duration<double> pause(std::chrono::duration<double>(awake).count() * (1 / share - 1));
  if (share < 1) std::this_thread::sleep_for(pause);
}

}  // namespace

std::optional<Frame> first_answer(const std::vector<Rival>& rivals, double share, const std::vector<int>& siblings) {
  std::vector<Contender> contenders;
  for (const Rival& rival : rivals) contenders.emplace_back(rival);
  while (!std::ranges::all_of(contenders, &Contender::is_over))
    for (Contender& contender : contenders) {
      if (contender.is_over()) continue;
      std::vector<int> others = siblings;
      for (const Contender& other : contenders)
        if (other.descriptor() >= 0) others.push_back(other.descriptor());
      const Clock::time_point begin = Clock::now();
      if (std::optional<Frame> answer = contender.take_turn(others)) return answer;
      pause_after(Clock::now() - begin, share);
    }
  return std::nullopt;
}

}  // namespace rehearse::mc::strategy
