// SPDX-License-Identifier: MIT
//
// Mutexes, semaphores, barriers and condition variables: queues of actors.
#include "simcore/actor_api/synchronisation.hpp"

#include "simcore/kernel/kernel.hpp"

namespace rehearse::sim {

using kernel::ActorRecord;
using kernel::ListNode;
using kernel::Touched;
using kernel::Waiting;

namespace {

ListNode& wait_place(ActorRecord& actor) { return static_cast<kernel::Hook<kernel::WaitPlace>&>(actor); }
ActorRecord& first(ListNode& waiting) { return kernel::owner_of<ActorRecord, kernel::WaitPlace>(*waiting.next); }

// The calling actor, which is about to touch the object.
ActorRecord& toucher(Touched what, std::uint32_t& id) {
  ActorRecord& self = kernel::this_actor_record();
  if (id == 0) id = self.kernel->next_object_id();
  self.kernel->before({what, id});
  return self;
}

// An actor that is killed between being given something and running gives it to the next one.
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

void Mutex::lock() {
  ActorRecord& self = toucher(Touched::mutex, id_);
  if (owner_ == &self) {
    if (kind_ == plain) throw BadUse("actor '" + self.name + "' locks a mutex that it holds already");
    ++depth_;
    return;
  }
  if (owner_ != nullptr) {
    waiting_.push_back(wait_place(self));
    WhenKilled pass_on(self, [this] { hand_over(); });
    self.kernel->block_for_lock(self, Waiting::mutex, this);
    pass_on.survived();
  } else {
    retain(&self);
    owner_ = &self;
  }
  depth_ = 1;
}

bool Mutex::try_lock() {
  ActorRecord& self = toucher(Touched::mutex, id_);
  if (owner_ == &self && kind_ == recursive) {
    ++depth_;
    return true;
  }
  if (owner_ != nullptr) return false;
  retain(&self);
  owner_ = &self;
  depth_ = 1;
  return true;
}

void Mutex::unlock() {
  ActorRecord& self = toucher(Touched::mutex, id_);
  if (owner_ != &self) throw BadUse("actor '" + self.name + "' unlocks a mutex that it does not hold");
  if (--depth_ == 0) hand_over();
}

// The next one owns it before it runs.
void Mutex::hand_over() {
  release(owner_);
  owner_ = nullptr;
  if (waiting_.empty()) return;
  owner_ = &first(waiting_);
  retain(owner_);
  owner_->kernel->wake(*owner_);
}

Mutex::~Mutex() {
  if (owner_ != nullptr) release(owner_);
}

void Semaphore::acquire() {
  ActorRecord& self = toucher(Touched::semaphore, id_);
  if (available_ > 0) {
    --available_;
    return;
  }
  waiting_.push_back(wait_place(self));
  WhenKilled give_back(self, [this] { release(); });
  self.kernel->block_for_lock(self, Waiting::semaphore, this);
  give_back.survived();
}

bool Semaphore::acquire_timeout(double seconds) {
  ActorRecord& self = toucher(Touched::semaphore, id_);
  if (available_ > 0) {
    --available_;
    return true;
  }
  waiting_.push_back(wait_place(self));
  const TimePoint date = kernel::date_from(self.kernel->now().seconds() + seconds);
  WhenKilled give_back(self, [this] { release(); });
  const bool in_time = self.kernel->block_until(self, Waiting::semaphore, this, date);
  give_back.survived();
  return in_time;
}

bool Semaphore::try_acquire() {
  toucher(Touched::semaphore, id_);
  if (available_ == 0) return false;
  --available_;
  return true;
}

void Semaphore::release() {
  toucher(Touched::semaphore, id_);
  if (waiting_.empty()) {
    ++available_;
    return;
  }
  ActorRecord& next = first(waiting_);
  next.kernel->wake(next);
}

Barrier::Barrier(std::uint32_t participants) : participants_(participants) {
  if (participants == 0) throw BadUse("a barrier of nobody");
}

bool Barrier::wait() {
  ActorRecord& self = toucher(Touched::barrier, id_);
  if (++arrived_ == participants_) {
    arrived_ = 0;
    self.kernel->wake_all(waiting_);
    return true;
  }
  waiting_.push_back(wait_place(self));
  struct Leave {  // who is killed before the others came has not arrived
    ActorRecord& self;
    std::uint32_t& arrived;
    ~Leave() {
      if (!self.granted) --arrived;
    }
  } leave{self, arrived_};
  self.kernel->block(self, Waiting::barrier, this);
  return false;
}

void ConditionVariable::wait(std::unique_lock<Mutex>& lock) {
  (void)wait_to(lock, CostModel::never);
}

std::cv_status ConditionVariable::wait_for(std::unique_lock<Mutex>& lock, double seconds) {
  return wait_until(lock, date_in(seconds));
}

std::cv_status ConditionVariable::wait_until(std::unique_lock<Mutex>& lock, double date) {
  return wait_to(lock, kernel::date_from(date)) ? std::cv_status::no_timeout : std::cv_status::timeout;
}

bool ConditionVariable::wait_to(std::unique_lock<Mutex>& lock, TimePoint date) {
  ActorRecord& self = toucher(Touched::condition, id_);
  Mutex* mutex = lock.mutex();
  if (mutex == nullptr || !lock.owns_lock() || mutex->owner_ != &self)
    throw BadUse("actor '" + self.name + "' waits at a condition variable without holding the lock");
  if (mutex->depth_ != 1) throw BadUse("waiting at a condition variable with a mutex that is locked twice");
  // While it waits the lock is nobody's; it says so to whoever unwinds the stack.
  lock.release();
  mutex->depth_ = 0;
  mutex->hand_over();
  waiting_.push_back(wait_place(self));
  WhenKilled pass_on(self, [this] { notify_one(); });
  const bool in_time = self.kernel->block_until(self, Waiting::condition, this, date);
  pass_on.survived();
  lock = std::unique_lock<Mutex>(*mutex);
  return in_time;
}

double ConditionVariable::date_in(double seconds) {
  return kernel::this_actor_record().kernel->now().seconds() + seconds;
}

void ConditionVariable::notify_one() {
  toucher(Touched::condition, id_);
  if (waiting_.empty()) return;
  ActorRecord& next = first(waiting_);
  next.kernel->wake(next);
}

void ConditionVariable::notify_all() {
  ActorRecord& self = toucher(Touched::condition, id_);
  self.kernel->wake_all(waiting_);
}

}  // namespace rehearse::sim
