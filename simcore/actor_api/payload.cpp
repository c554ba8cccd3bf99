// SPDX-License-Identifier: MIT
//
// Contents of messages as bytes, and the error for a message of another type than expected.
#include "simcore/actor_api/payload.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <string>

#include "simcore/actor_api/exceptions.hpp"

namespace rehearse::sim {
namespace {

std::string readable(const char* type) {
  int status = 0;
  char* name = abi::__cxa_demangle(type, nullptr, nullptr, &status);
  const std::string result = name != nullptr ? name : type;
  std::free(name);
  return result;
}

}  // namespace

std::string Payload::wire_type() const {
  if (kind_ == nullptr) return "";
  return kind_ == &kind_of<Bytes> ? value_at<Bytes>(room_).type : kind_->type->name();
}

std::string Payload::wire_bytes() const {
  WireSaver saver;
  if (kind_ != nullptr) kind_->save(room_, saver);
  return saver.take();
}

std::string Payload::type_in_words() const { return kind_ == nullptr ? "nothing" : readable(wire_type().c_str()); }

void Payload::refuse(const std::type_info& wanted) const {
  const std::string held = kind_ == nullptr ? "nothing" : "a value of type " + type_in_words();
  throw BadUse("the message holds " + held + ", not " + readable(wanted.name()));
}

}  // namespace rehearse::sim
