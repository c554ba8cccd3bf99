// SPDX-License-Identifier: MIT
//
// See creation_site.hpp.
#include "smpi/creation_site.hpp"

#include "smpi/abi/call_scope.hpp"

namespace rehearse::smpi {

CreationSite creation_site() {
  const CallScope* scope = CallScope::innermost();
  return scope == nullptr ? CreationSite{} : CreationSite{"", scope->caller()};
}

}  // namespace rehearse::smpi
