// SPDX-License-Identifier: GPL-2.0-only
//
// An event loop of ns-3 that another program advances event by event.
//
// Usage:   Simulator::SetImplementation(), then next_date(), step() and advance_to().
// Order:   events at one date happen in the order in which they were scheduled.
// Units:   dates are ticks of ns-3's resolution.
// Threads: none.
#pragma once

#include <ns3/core-module.h>

#include <cstdint>
#include <vector>

namespace rehearse_ns3 {

class StepSimulator final : public ns3::SimulatorImpl {
 public:
  static ns3::TypeId GetTypeId();
  ~StepSimulator() override;

  static constexpr std::int64_t never = INT64_MAX;

  std::int64_t now() const { return static_cast<std::int64_t>(now_); }
  std::int64_t next_date() const;      // never: there is no event
  void step();                         // the next event. Requires: there is one.
  void advance_to(std::int64_t date);  // without events before it

  void Destroy() override;
  bool IsFinished() const override { return is_stopped_ || next_date() == never; }
  void Stop() override { is_stopped_ = true; }
  void Stop(const ns3::Time& delay) override;
  ns3::EventId Schedule(const ns3::Time& delay, ns3::EventImpl* event) override;
  void ScheduleWithContext(std::uint32_t context, const ns3::Time& delay, ns3::EventImpl* event) override;
  ns3::EventId ScheduleNow(ns3::EventImpl* event) override;
  ns3::EventId ScheduleDestroy(ns3::EventImpl* event) override;
  void Remove(const ns3::EventId& id) override;
  void Cancel(const ns3::EventId& id) override;
  bool IsExpired(const ns3::EventId& id) const override;
  void Run() override;
  ns3::Time Now() const override { return ns3::TimeStep(now_); }
  ns3::Time GetDelayLeft(const ns3::EventId& id) const override;
  ns3::Time GetMaximumSimulationTime() const override { return ns3::TimeStep(INT64_MAX); }
  void SetScheduler(ns3::ObjectFactory factory) override;
  std::uint32_t GetSystemId() const override { return 0; }
  std::uint32_t GetContext() const override { return context_; }
  std::uint64_t GetEventCount() const override { return handled_; }

 private:
  void DoDispose() override;
  ns3::EventId insert(std::uint64_t date, std::uint32_t context, ns3::EventImpl* event);
  void release_all();

  ns3::Ptr<ns3::Scheduler> events_;
  std::vector<ns3::EventId> at_destruction_;
  std::uint64_t now_ = 0;
  std::uint32_t context_ = ns3::Simulator::NO_CONTEXT;
  std::uint32_t running_ = 0;  // the number of the event that happens
  std::uint32_t last_ = ns3::EventId::UID::VALID;
  std::uint64_t handled_ = 0;
  bool is_stopped_ = false;
};

}  // namespace rehearse_ns3
