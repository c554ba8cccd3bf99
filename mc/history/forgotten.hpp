// SPDX-License-Identifier: MIT
//
// Keeps a sample of the names of recently dropped Nodes. From it, the History estimates how many of its new Nodes
// existed before, and whether more memory would save that work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rehearse::mc::history {

class Forgotten {
 public:
  void add(std::uint64_t name) {
    if (is_sampled(name)) slot(name) = mark(name);
  }

  void note_made(std::uint64_t name) {
    if (!is_sampled(name)) return;
    ++made_;
    made_again_ += slot(name) == mark(name);
  }

  // Whether more than one in `worst_share` of the Nodes made since the last reset() had been dropped before: then more
  // memory is cheaper than to compute them again.
  bool is_missed() const { return made_again_ * worst_share > made_; }
  void reset() { made_ = made_again_ = 0; }

 private:
  static constexpr std::size_t slots = 16384;
  static constexpr std::uint64_t sampling = 16, worst_share = 16;  // one in this many

  static bool is_sampled(std::uint64_t name) { return name % sampling == 0; }
  static std::uint32_t mark(std::uint64_t name) { return static_cast<std::uint32_t>(name >> 32) | 1; }
  std::uint32_t& slot(std::uint64_t name) { return marks_[name / sampling % slots]; }

  std::vector<std::uint32_t> marks_ = std::vector<std::uint32_t>(slots);
  std::uint64_t made_ = 0, made_again_ = 0;
};

}  // namespace rehearse::mc::history
