// SPDX-License-Identifier: MIT
//
// The error for a message of another type than expected.
#include "simcore/actor_api/payload.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <string>

#include "simcore/actor_api/exceptions.hpp"

namespace rehearse::sim {
namespace {

std::string readable(const std::type_info& type) {
  int status = 0;
  char* name = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  const std::string result = name != nullptr ? name : type.name();
  std::free(name);
  return result;
}

}  // namespace

void Payload::refuse(const std::type_info& wanted) const {
  const std::string held = kind_ == nullptr ? "nothing" : "a value of type " + readable(*kind_->type);
  throw BadUse("the message holds " + held + ", not " + readable(wanted));
}

}  // namespace rehearse::sim
