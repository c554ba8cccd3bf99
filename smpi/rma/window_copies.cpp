// SPDX-License-Identifier: MIT
//
// The public and the private copy of a window in the separate model. Both are the same memory here: the driver compares
// what happened between two accesses (smpi/rma_model/view.hpp).
//
// Source: MPI 5.0, 12.7.
#include "simcore/actor.hpp"
#include "smpi/rma/window.hpp"

namespace rehearse::smpi {
namespace {

void carry(const Window& window, std::uint64_t& count) {
  if (!window.is_separate()) return;
  ++count;
  ask(Compute{});  // the driver sees the accesses so far, and then this
}

}  // namespace

void publish_stores(Window& window) { carry(window, window.published); }

void absorb_updates(Window& window) { carry(window, window.absorbed); }

}  // namespace rehearse::smpi
