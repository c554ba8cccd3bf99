// SPDX-License-Identifier: MIT
//
// See agreement.hpp.
#include "simcore/engine/agreement.hpp"

#include "simcore/collective_flow.hpp"

namespace rehearse::engine {

namespace {

// How the call of a member of one group differs from earlier calls; empty: it agrees.
const char* difference(Instance& instance, std::uint32_t member, const Collective& operation) {
  if (instance.signature == 0) {
    instance.signature = operation.signature;
    instance.signature_member = member;
  }
  if (instance.root != operation.root) return "root";
  const SignatureClash clash = clash_of(operation.signature, instance.signature);
  return clash ? what_differs(clash.one, clash.other) : "";
}

}  // namespace

void compare(Instance& instance, std::uint32_t member, const Collective& operation) {
  const char* mismatch = "operation";
  if (instance.name == operation.name) {
    if (instance.sides.are_there()) {
      mismatch = instance.sides.arrive(member, operation);
      instance.root = instance.sides.root();
    } else {
      mismatch = difference(instance, member, operation);
    }
  }
  Member& its = instance.members[member];
  its.mismatch = mismatch;
  its.origin = operation.origin;
  its.name.clear();
  if (!*mismatch) return;
  instance.is_broken = true;
  its.name = operation.name;
  its.root = operation.root;
  its.signature = operation.signature;
}

}  // namespace rehearse::engine
