// SPDX-License-Identifier: MIT
//
// Shows the ranks' images to debuggers, which read the dynamic linker's list of loaded files (r_debug). Breakpoints in
// the program and backtraces then have names.
//
// Method:  glibc keeps a list of namespaces, each with its list of images (r_debug_extended, since 2.35); we add one
//          namespace. The dynamic linker itself does not use it.
// Cost:    a debugger reads the symbols of every image in the list, so the list has only the images of the first ranks.
// Ownership: images and ranges must outlive the object.
// Threads: none.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "smpi/process/images.hpp"

namespace rehearse::smpi {

class DebuggerView {
 public:
  // The images and the ranges of the first ranks, by rank.
  DebuggerView(const std::vector<const Images*>& images, const std::vector<std::byte*>& bases);
  ~DebuggerView();
  DebuggerView(const DebuggerView&) = delete;
  DebuggerView& operator=(const DebuggerView&) = delete;

  static constexpr std::size_t images_max = 256;

 private:
  struct List;
  std::unique_ptr<List> list_;
};

}  // namespace rehearse::smpi
