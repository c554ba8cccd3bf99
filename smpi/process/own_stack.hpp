// SPDX-License-Identifier: MIT
//
// Runs a function on a stack of the host while a rank runs. The data that it leaves there is not part of the rank. On
// the rank's own stack, the dead part would depend on whether a result was cached.
//
// Threads: none; one function at a time per object.
#pragma once

#include <functional>
#include <memory>

namespace rehearse::smpi {

class OwnStack {
 public:
  OwnStack();
  ~OwnStack();
  OwnStack(const OwnStack&) = delete;
  OwnStack& operator=(const OwnStack&) = delete;

  // `function` must make no Operation. It can unwind the caller's frames.
  void run(const std::function<void()>& function) const;

 private:
  std::unique_ptr<std::byte[]> bytes_;
};

}  // namespace rehearse::smpi
