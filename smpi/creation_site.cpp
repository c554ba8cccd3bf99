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

Origin origin_of_call() {
  const CreationSite site = creation_site();
  return {site.function, reinterpret_cast<std::uintptr_t>(site.return_address)};
}

CreationSite site_of(const Origin& origin) {
  if (origin.call.empty()) return {};
  return {origin.call.data(), reinterpret_cast<const void*>(origin.address)};
}

}  // namespace rehearse::smpi
