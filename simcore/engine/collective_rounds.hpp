// SPDX-License-Identifier: MIT
//
// The rounds of a collective's schedule: its messages in time, and the combination of their data.
//
// Order:  the n-th send of a member to another meets the n-th receive there.
// Costs:  a member spends the time of MessageCosts on each message, one after the other. A send that is all of a round
//         is a blocking one.
// Source: the schedules are those of simcore/collective_schedule.hpp.
#pragma once

#include <cstdint>

#include "simcore/collective_schedule.hpp"
#include "simcore/engine/agenda.hpp"
#include "simcore/engine/requests.hpp"
#include "simcore/engine/run_state.hpp"
#include "simcore/engine/state.hpp"

namespace rehearse::engine {

class CollectiveRounds {
 public:
  CollectiveRounds(RunState& run, Agenda& agenda, Requests& requests)
      : run_(run), agenda_(agenda), requests_(requests) {}

  // Starts the rounds of a member that has arrived, up to the first one that has to wait.
  void go_through(Instance& instance, std::uint32_t index);
  // Lets the member continue if it has finished its rounds.
  void finish_member(Instance& instance, std::uint32_t index);

  // ---- ends of activities
  void end_announcement(Instance& instance, std::uint32_t index);
  void end_answer(Instance& instance, std::uint32_t index) { start_passage(instance, instance.passages[index]); }
  void end_passage(Instance& instance, std::uint32_t index);
  void end_combination(Instance& instance, std::uint32_t index);
  void end_departure(Instance& instance, std::uint32_t index);
  void end_receipt(Instance& instance, std::uint32_t index);

 private:
  void start_send(Instance& instance, std::uint32_t index, const ScheduledSend& send);
  void depart(Instance& instance, Passage& passage);
  void take_in(Instance& instance, Passage& passage);
  bool spend(Instance& instance, const Passage& passage, std::uint32_t member, Timer::Kind what, Duration cost);
  void post_receive(Instance& instance, std::uint32_t index, const ScheduledReceive& receive);
  void start_envelope(Instance& instance, const Passage& passage, TransferKind kind);
  void answer(Instance& instance, Passage& passage);
  void start_passage(Instance& instance, Passage& passage);
  void end_receive(Instance& instance, Passage& passage);
  void combine(Instance& instance, std::uint32_t index);

  RunState& run_;
  Agenda& agenda_;
  Requests& requests_;
  Round round_;  // being started
};

// The next passage for this end: the first one that has only the other end, or a new one.
Passage& pair_passage(Instance& instance, std::uint32_t source, std::uint32_t destination, bool sends);

}  // namespace rehearse::engine
