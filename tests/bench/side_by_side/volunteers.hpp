// SPDX-License-Identifier: MIT
//
// Volunteers whose speed follows a trace each (of the platform file) ask the master, on host 0, for a task at a time.
//
// Threads: actors of one simulation take turns; what they share here needs no lock.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workload.hpp"

namespace rehearse::bench {

template <class Side>
class Volunteers {
 public:
  // flops end: tasks are about so long; from the end on the master hands out none.
  Volunteers(Side& side, const Arguments& arguments)
      : side_(side), flops_(arguments.number(0)), end_(arguments.number(1)), requests_(side.mailbox("master")) {
    for (std::size_t i = 0; i < side.host_count(); ++i) {
      mailboxes_.push_back(side.mailbox("volunteer-" + std::to_string(i)));
    }
  }

  void add_actors() {
    side_.add_actor("master", 0, [this] { hand_out(); });
    for (std::size_t i = 1; i < side_.host_count(); ++i) {
      side_.add_actor("volunteer", i, [this, i] { work(i); });
    }
  }

 private:
  struct Task {
    double flops;  // 0: no more
  };

  void hand_out() {
    Generator random(17);
    for (std::size_t busy = mailboxes_.size() - 1; busy > 0;) {
      const std::size_t volunteer = *side_.template get<std::size_t>(requests_);
      const bool more = side_.now() < end_;
      if (!more) --busy;
      const double flops = more ? random.between(0.5, 1.5) * flops_ : 0;
      side_.put_detached(mailboxes_[volunteer], new Task{flops}, 10'000);
    }
  }

  void work(std::size_t self) {
    side_.sleep_for(static_cast<double>(self) * 0.1);
    for (;;) {
      side_.put(requests_, &self, 100);
      const std::unique_ptr<Task> task(side_.template get<Task>(mailboxes_[self]));
      if (task->flops == 0) return;
      side_.execute(task->flops);
    }
  }

  Side& side_;
  double flops_, end_;
  typename Side::Mailbox requests_;
  std::vector<typename Side::Mailbox> mailboxes_;
};

}  // namespace rehearse::bench
