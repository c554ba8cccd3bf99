// SPDX-License-Identifier: MIT
//
// The end of the chain of calls; thread_local variables are private to each rank.
#include "smpi/abi/call_scope.hpp"

namespace rehearse::smpi {

thread_local constinit const CallScope* CallScope::innermost_ = nullptr;

}  // namespace rehearse::smpi
