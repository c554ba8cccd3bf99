// SPDX-License-Identifier: MIT
//
// What the link test must refuse: a piece of simcore that calls what is not below it.
namespace rehearse::mc {
void called_from_below();
}

namespace rehearse {
void upward() { mc::called_from_below(); }
}  // namespace rehearse
