// SPDX-License-Identifier: GPL-2.0-only
//
// See step_simulator.hpp.
#include "ns3/step_simulator.hpp"

#include <algorithm>

namespace rehearse_ns3 {

using namespace ns3;

NS_OBJECT_ENSURE_REGISTERED(StepSimulator);

TypeId StepSimulator::GetTypeId() {
  static TypeId id =
      TypeId("rehearse::StepSimulator").SetParent<SimulatorImpl>().SetGroupName("Core").AddConstructor<StepSimulator>();
  return id;
}

StepSimulator::~StepSimulator() = default;

void StepSimulator::DoDispose() {
  release_all();
  SimulatorImpl::DoDispose();
}

// An event in the scheduler has one reference.
void StepSimulator::release_all() {
  if (!events_) return;
  while (!events_->IsEmpty()) events_->RemoveNext().impl->Unref();
  events_ = nullptr;
}

void StepSimulator::SetScheduler(ObjectFactory factory) {
  Ptr<Scheduler> made = factory.Create<Scheduler>();
  while (events_ && !events_->IsEmpty()) made->Insert(events_->RemoveNext());
  events_ = made;
}

std::int64_t StepSimulator::next_date() const {
  return events_->IsEmpty() ? never : static_cast<std::int64_t>(events_->PeekNext().key.m_ts);
}

void StepSimulator::step() {
  const Scheduler::Event next = events_->RemoveNext();
  const Ptr<EventImpl> event(next.impl, false);  // takes over the reference of the scheduler
  PreEventHook(EventId(event, next.key.m_ts, next.key.m_context, next.key.m_uid));
  now_ = next.key.m_ts;
  context_ = next.key.m_context;
  running_ = next.key.m_uid;
  ++handled_;
  event->Invoke();
}

// Calls from outside are not part of an event. So the events of this date count as expired.
void StepSimulator::advance_to(std::int64_t date) {
  now_ = std::max(now_, static_cast<std::uint64_t>(date));
  context_ = Simulator::NO_CONTEXT;
}

void StepSimulator::Run() {
  is_stopped_ = false;
  while (!IsFinished()) step();
}

void StepSimulator::Stop(const Time& delay) { Simulator::Schedule(delay, &Simulator::Stop); }

EventId StepSimulator::insert(std::uint64_t date, std::uint32_t context, EventImpl* event) {
  Scheduler::Event entry;
  entry.impl = event;
  entry.key = {date, ++last_, context};
  events_->Insert(entry);
  return EventId(event, date, context, last_);
}

EventId StepSimulator::Schedule(const Time& delay, EventImpl* event) {
  return insert(now_ + static_cast<std::uint64_t>(delay.GetTimeStep()), context_, event);
}

void StepSimulator::ScheduleWithContext(std::uint32_t context, const Time& delay, EventImpl* event) {
  insert(now_ + static_cast<std::uint64_t>(delay.GetTimeStep()), context, event);
}

EventId StepSimulator::ScheduleNow(EventImpl* event) { return insert(now_, context_, event); }

EventId StepSimulator::ScheduleDestroy(EventImpl* event) {
  const EventId id(Ptr<EventImpl>(event, false), now_, ~0u, EventId::UID::DESTROY);
  at_destruction_.push_back(id);
  return id;
}

void StepSimulator::Destroy() {
  while (!at_destruction_.empty()) {
    const EventId first = at_destruction_.front();  // keeps the event alive
    at_destruction_.erase(at_destruction_.begin());
    if (!first.PeekEventImpl()->IsCancelled()) first.PeekEventImpl()->Invoke();
  }
}

void StepSimulator::Remove(const EventId& id) {
  if (id.GetUid() == EventId::UID::DESTROY) {
    at_destruction_.erase(std::remove(at_destruction_.begin(), at_destruction_.end(), id), at_destruction_.end());
    return;
  }
  if (IsExpired(id)) return;
  Scheduler::Event entry;
  entry.impl = id.PeekEventImpl();
  entry.key = {id.GetTs(), id.GetUid(), id.GetContext()};
  events_->Remove(entry);
  entry.impl->Cancel();
  entry.impl->Unref();
}

void StepSimulator::Cancel(const EventId& id) {
  if (!IsExpired(id)) id.PeekEventImpl()->Cancel();
}

bool StepSimulator::IsExpired(const EventId& id) const {
  if (id.PeekEventImpl() == nullptr || id.PeekEventImpl()->IsCancelled()) return true;
  if (id.GetUid() == EventId::UID::DESTROY)
    return std::find(at_destruction_.begin(), at_destruction_.end(), id) == at_destruction_.end();
  // Events at one date happen in the order of their numbers.
  return id.GetTs() < now_ || (id.GetTs() == now_ && id.GetUid() <= running_);
}

Time StepSimulator::GetDelayLeft(const EventId& id) const {
  return IsExpired(id) ? TimeStep(0) : TimeStep(id.GetTs() - now_);
}

}  // namespace rehearse_ns3
