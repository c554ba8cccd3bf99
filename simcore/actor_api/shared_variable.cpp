// SPDX-License-Identifier: MIT
//
// Reports the accesses to a shared variable to the kernel.
#include "simcore/actor_api/shared_variable.hpp"

#include "simcore/kernel/kernel.hpp"

namespace rehearse::sim {

void SharedVariableBase::ask(const void* intent, const kernel::ActorRecord&, Way& way) {
  const auto& self = *static_cast<const Intent*>(intent);
  way.add({self.variable->name(), self.changes(self) ? Access::writes : Access::reads});
}

void SharedVariableBase::go_at(const Intent& intent) { touch({kernel::Touched::variable, 0, ask, &intent}); }

}  // namespace rehearse::sim
