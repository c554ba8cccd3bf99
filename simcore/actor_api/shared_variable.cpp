// SPDX-License-Identifier: MIT
//
// Reports the accesses to a shared variable to the kernel.
#include "simcore/actor_api/shared_variable.hpp"

#include <array>
#include <exception>

#include "simcore/debug.hpp"
#include "simcore/kernel/causality.hpp"
#include "simcore/kernel/kernel.hpp"

namespace rehearse::sim {

using kernel::VariableAccess;

SharedVariableBase::SharedVariableBase() = default;
SharedVariableBase::~SharedVariableBase() = default;

void SharedVariableBase::ask(const void* intent, const kernel::ActorRecord&, Way& way) {
  const auto& self = *static_cast<const Intent*>(intent);
  way.add({self.variable->name(), self.changes(self) ? Access::writes : Access::reads});
}

void SharedVariableBase::go_at(const Intent& intent) {
  kernel::tidy_stack();
  kernel::ActorRecord& self = touch({kernel::Touched::variable, 0, ask, &intent});
  if (self.kernel->world().causality() == nullptr && intent.order == Order::plain) self.kernel->world().plain_access();
  if (self.kernel->world().causality() == nullptr || self.doomed || std::uncaught_exceptions() > 0) return;
  const bool changes = intent.changes(intent);
  const bool is_atomic = intent.order == Order::atomic;
  if (is_atomic) note_acquire();
  note_access(self, changes, intent.order);
  if (is_atomic && changes) note_release();  // with this access
}

// After a race the actor never goes on: the execution ends here.
void SharedVariableBase::note_access(kernel::ActorRecord& self, bool changes, Order order) {
  using Kind = VariableAccess::Kind;
  if (!history_) history_ = std::make_unique<kernel::AccessHistory>();
  VariableAccess access;
  if (order == Order::plain) access.kind = changes ? Kind::plain_write : Kind::plain_read;
  else access.kind = changes ? Kind::atomic_write : Kind::atomic_read;
  access.actor = self.name;
  access.host = self.kernel->host_name(self.host);
  std::array<std::uintptr_t, 16> frames;
  const std::size_t count = capture_stack(frames);
  access.frames.assign(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(count));
  auto race = self.kernel->world().causality()->access(self, *history_, std::move(access));
  if (!race) return;
  self.kernel->note_race(std::move(*race));
  while (true) self.kernel->scheduler().block(self, kernel::Waiting::nothing, nullptr);
}

}  // namespace rehearse::sim
