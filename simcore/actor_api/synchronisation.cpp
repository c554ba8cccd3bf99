// SPDX-License-Identifier: MIT
//
// Mutexes, semaphores, barriers and condition variables: queues of actors.
#include "simcore/actor_api/synchronisation.hpp"

#include "simcore/kernel/causality.hpp"
#include "simcore/kernel/far_side.hpp"
#include "simcore/kernel/kernel.hpp"

namespace rehearse::sim {

using kernel::ActorRecord;
using kernel::Footprint;
using kernel::ListNode;
using kernel::Touched;
using kernel::Waiting;

namespace {

ActorRecord& first(ListNode& waiting) { return kernel::owner_of<ActorRecord, kernel::WaitPlace>(*waiting.next); }

// If an actor is killed after it gets an object and before it runs, it passes the object to the next actor.
template <class Action>
class WhenKilled {
 public:
  WhenKilled(ActorRecord& self, Action action) : self_(self), action_(action) {}
  ~WhenKilled() {
    if (!survived_ && self_.granted) action_();
  }
  void survived() { survived_ = true; }

 private:
  ActorRecord& self_;
  Action action_;
  bool survived_ = false;
};

}  // namespace

void SharedObject::note_release() const { kernel::note_release(clock_number()); }
void SharedObject::note_acquire() const { kernel::note_acquire(clock_number()); }

ActorRecord& SharedObject::touch(Footprint footprint) {
  ActorRecord& self = kernel::this_actor_record();
  if (number_ == 0) number_ = self.kernel->next_object_id();
  footprint.object = number_;
  if (kernel::FarSide* far = self.kernel->world().far_side()) far->uses(name_, footprint.what);
  self.kernel->before(footprint);
  return self;
}

// Locking a mutex that the actor already holds concerns no other actor.
void Mutex::lock() {
  ActorRecord& self = kernel::this_actor_record();
  if (owner_ == &self) {
    if (kind_ == plain) throw BadUse("actor '" + self.name + "' locks a mutex that it already holds");
    ++depth_;
    return;
  }
  touch({Touched::mutex, 0, ask_lock, this, Waiting::mutex, this});
  if (owner_ != nullptr) {
    waiting_.push_back(wait_place(self));
    WhenKilled pass_on(self, [this] { hand_over(); });
    self.kernel->scheduler().block_for_lock(self, Waiting::mutex, this);
    pass_on.survived();
  } else {
    retain(&self);
    owner_ = &self;
  }
  depth_ = 1;
  note_acquire();
}

void Mutex::ask_lock(const void* mutex, const ActorRecord&, Way& way) {
  const auto& self = *static_cast<const Mutex*>(mutex);
  way.is_possible = self.owner_ == nullptr;
  way.add({self.name(), Access::acquires, self.owner_ == nullptr ? 1 : 0});
}

void Mutex::ask_try(const void* mutex, const ActorRecord&, Way& way) {
  const auto& self = *static_cast<const Mutex*>(mutex);
  way.add({self.name(), self.owner_ == nullptr ? Access::acquires : Access::reads, Touch::does_not_wait});
}

void Mutex::ask_unlock(const void* mutex, const ActorRecord&, Way& way) {
  way.add({static_cast<const Mutex*>(mutex)->name(), Access::frees});
}

bool Mutex::try_lock() {
  ActorRecord& self = kernel::this_actor_record();
  if (owner_ == &self) {
    if (kind_ == recursive) ++depth_;
    return kind_ == recursive;
  }
  touch({Touched::mutex, 0, ask_try, this});
  if (owner_ != nullptr) return false;
  retain(&self);
  owner_ = &self;
  depth_ = 1;
  note_acquire();
  return true;
}

void Mutex::unlock() {
  ActorRecord& self = kernel::this_actor_record();
  if (owner_ != &self) throw BadUse("actor '" + self.name + "' unlocks a mutex that it does not hold");
  if (depth_ == 1) touch({Touched::mutex, 0, ask_unlock, this});
  if (--depth_ == 0) hand_over();
}

// The next actor owns the mutex before it runs.
void Mutex::hand_over() {
  note_release();
  release(owner_);
  owner_ = nullptr;
  if (waiting_.empty()) return;
  owner_ = &first(waiting_);
  retain(owner_);
  owner_->kernel->scheduler().wake(*owner_);
}

Mutex::~Mutex() {
  if (owner_ != nullptr) release(owner_);
}

std::int32_t Semaphore::tokens() const {
  auto tokens = static_cast<std::int32_t>(available_);
  for (const ListNode* node = waiting_.next; node != &waiting_; node = node->next) --tokens;
  return tokens;
}

void Semaphore::ask_acquire(const void* semaphore, const ActorRecord&, Way& way) {
  const auto& self = *static_cast<const Semaphore*>(semaphore);
  way.is_possible = self.available_ > 0;
  way.add({self.name(), Access::acquires, self.tokens()});
}

// The actor can begin to wait at any time.
void Semaphore::ask_acquire_in_time(const void* semaphore, const ActorRecord&, Way& way) {
  way.add({static_cast<const Semaphore*>(semaphore)->name(), Access::acquires, Touch::does_not_wait});
}

void Semaphore::ask_try(const void* semaphore, const ActorRecord&, Way& way) {
  const auto& self = *static_cast<const Semaphore*>(semaphore);
  way.add({self.name(), self.available_ > 0 ? Access::acquires : Access::reads, Touch::does_not_wait});
}

void Semaphore::ask_release(const void* semaphore, const ActorRecord&, Way& way) {
  way.add({static_cast<const Semaphore*>(semaphore)->name(), Access::frees});
}

void Semaphore::acquire() {
  ActorRecord& self = touch({Touched::semaphore, 0, ask_acquire, this, Waiting::semaphore, this});
  if (available_ > 0) {
    --available_;
    return note_acquire();
  }
  waiting_.push_back(wait_place(self));
  WhenKilled give_back(self, [this] { release(); });
  self.kernel->scheduler().block_for_lock(self, Waiting::semaphore, this);
  give_back.survived();
}

bool Semaphore::acquire_timeout(double seconds) {
  ActorRecord& self = touch({Touched::semaphore, 0, ask_acquire_in_time, this});
  if (available_ > 0) {
    --available_;
    note_acquire();
    return true;
  }
  waiting_.push_back(wait_place(self));
  const TimePoint date = kernel::date_from(self.kernel->now().seconds() + seconds);
  WhenKilled give_back(self, [this] { release(); });
  self.queued_at = name();
  const bool in_time = self.kernel->scheduler().block_until(self, Waiting::semaphore, this, date);
  self.queued_at = 0;
  give_back.survived();
  return in_time;
}

bool Semaphore::try_acquire() {
  touch({Touched::semaphore, 0, ask_try, this});
  if (available_ == 0) return false;
  --available_;
  note_acquire();
  return true;
}

void Semaphore::release() {
  touch({Touched::semaphore, 0, ask_release, this});
  note_release();
  if (waiting_.empty()) {
    ++available_;
    return;
  }
  ActorRecord& next = first(waiting_);
  next.kernel->scheduler().wake(next);
}

Barrier::Barrier(std::uint32_t participants) : participants_(participants) {
  if (participants == 0) throw BadUse("a barrier without participants");
}

void Barrier::ask_wait(const void* barrier, const ActorRecord&, Way& way) {
  way.add({static_cast<const Barrier*>(barrier)->name(), Access::writes});
}

bool Barrier::wait() {
  ActorRecord& self = touch({Touched::barrier, 0, ask_wait, this});
  note_release();
  if (++arrived_ == participants_) {
    arrived_ = 0;
    note_acquire();  // the others get all this when they are woken
    self.kernel->scheduler().wake_all(waiting_);
    return true;
  }
  waiting_.push_back(wait_place(self));
  struct Leave {  // an actor that is killed before the barrier opens has not arrived
    ActorRecord& self;
    std::uint32_t& arrived;
    ~Leave() {
      if (!self.granted) --arrived;
    }
  } leave{self, arrived_};
  self.kernel->scheduler().block(self, Waiting::barrier, this);
  return false;
}

void ConditionVariable::wait(std::unique_lock<Mutex>& lock) { (void)wait_to(lock, CostModel::never); }

std::cv_status ConditionVariable::wait_for(std::unique_lock<Mutex>& lock, double seconds) {
  return wait_until(lock, date_in(seconds));
}

std::cv_status ConditionVariable::wait_until(std::unique_lock<Mutex>& lock, double date) {
  return wait_to(lock, kernel::date_from(date)) ? std::cv_status::no_timeout : std::cv_status::timeout;
}

struct ConditionVariable::Waiting {
  const ConditionVariable* condition;
  const Mutex* mutex;
};

void ConditionVariable::ask_wait(const void* waiting, const ActorRecord&, Way& way) {
  const auto& [condition, mutex] = *static_cast<const Waiting*>(waiting);
  way.add({condition->name(), Access::writes});
  if (mutex != nullptr) way.add({mutex->name(), Access::frees});
}

// A notification without waiting actors changes nothing.
void ConditionVariable::ask_notify(const void* condition, const ActorRecord&, Way& way) {
  const auto& self = *static_cast<const ConditionVariable*>(condition);
  way.add({self.name(), self.waiting_.empty() ? Access::reads : Access::writes});
}

bool ConditionVariable::wait_to(std::unique_lock<Mutex>& lock, TimePoint date) {
  Mutex* mutex = lock.mutex();
  const Waiting given{this, mutex};
  ActorRecord& self = touch({Touched::condition, 0, ask_wait, &given});
  if (mutex == nullptr || !lock.owns_lock() || mutex->owner_ != &self)
    throw BadUse("actor '" + self.name + "' waits at a condition variable without holding the lock");
  if (mutex->depth_ != 1) throw BadUse("waiting at a condition variable with a mutex that is locked twice");
  // While the actor waits, nobody owns the lock. So it must not unlock when the stack is unwound.
  lock.release();
  mutex->depth_ = 0;
  mutex->hand_over();
  waiting_.push_back(wait_place(self));
  WhenKilled pass_on(self, [this] { notify_one(); });
  const bool in_time = self.kernel->scheduler().block_until(self, kernel::Waiting::condition, this, date);
  pass_on.survived();
  lock = std::unique_lock<Mutex>(*mutex);
  return in_time;
}

double ConditionVariable::date_in(double seconds) {
  return kernel::this_actor_record().kernel->now().seconds() + seconds;
}

void ConditionVariable::notify_one() {
  touch({Touched::condition, 0, ask_notify, this});
  if (waiting_.empty()) return;
  ActorRecord& next = first(waiting_);
  next.kernel->scheduler().wake(next);
}

void ConditionVariable::notify_all() {
  ActorRecord& self = touch({Touched::condition, 0, ask_notify, this});
  self.kernel->scheduler().wake_all(waiting_);
}

}  // namespace rehearse::sim
