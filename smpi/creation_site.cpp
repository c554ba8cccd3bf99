// SPDX-License-Identifier: MIT
//
// See creation_site.hpp.
#include "smpi/creation_site.hpp"

#include "smpi/abi/api.hpp"
#include "smpi/abi/call_scope.hpp"

namespace rehearse::smpi {

CreationSite creation_site() {
  const CallScope* scope = CallScope::innermost();
  if (scope == nullptr) return {};
  return {functions()[scope->function()].name.data(), scope->caller()};
}

}  // namespace rehearse::smpi
