// SPDX-License-Identifier: MIT
//
// See instances.hpp.
#include "manynode/inference/instances.hpp"

#include <algorithm>
#include <utility>

namespace rehearse::manynode::inference {
namespace {

class ShapeParser {
 public:
  ShapeParser(std::span<const Token> tokens, std::span<const RecordedCall> calls) : tokens_(tokens), calls_(calls) {}

  // Reads from `at`, not beyond `end`.
  bool read(const std::vector<Shape>& shapes, std::size_t& at, std::size_t end, std::vector<Instance>& made) const {
    made.clear();
    for (const Shape& shape : shapes) {
      Instance& instance = made.emplace_back();
      if (!shape.is_loop) {
        if (at >= end || tokens_[at].key != shape.key) return false;
        instance.call = &calls_[at++];
      } else if (shape.is_exact ? !read_exact(shape, at, end, instance) : !read_varying(shape, at, end, instance)) {
        return false;
      }
    }
    return true;
  }

  // Adds the seconds of all passes.
  void add_seconds(std::vector<Instance>& instances, std::size_t& at) const {
    for (Instance& instance : instances) {
      if (instance.call != nullptr) {
        const std::uint32_t before = at == 0 ? 0 : calls_[at - 1].site;
        if (std::ranges::find(instance.sites_before, before) == instance.sites_before.end())
          instance.sites_before.push_back(before);
        instance.seconds += calls_[at++].seconds;
        ++instance.occurrences;
        continue;
      }
      if (instance.times == instance.passes.size()) {
        for (std::vector<Instance>& pass : instance.passes) add_seconds(pass, at);
      } else {
        for (std::uint64_t i = 0; i < instance.times; ++i) add_seconds(instance.passes.front(), at);
      }
    }
  }

 private:
  bool read_varying(const Shape& shape, std::size_t& at, std::size_t end, Instance& instance) const {
    std::vector<Instance> pass;
    for (std::size_t next = at; next < end && read(shape.body, next, end, pass); at = next)
      instance.passes.push_back(std::move(pass));
    instance.times = instance.passes.size();
    return instance.times > 0;
  }

  bool read_exact(const Shape& shape, std::size_t& at, std::size_t end, Instance& instance) const {
    std::vector<Instance> first, chosen;
    std::size_t length = 0;
    std::uint64_t times = 0;
    std::size_t tries = 0;
    for (std::size_t period = 1; at + 2 * period <= end; ++period) {
      const std::uint64_t repeats = passes_of(at, period, end);
      if (repeats < 2 || (times > 0 && repeats != shape.times)) continue;
      if (++tries > most_tries) break;
      std::size_t next = at;
      if (!read(shape.body, next, at + period, first) || next != at + period) continue;
      length = period;
      times = repeats;
      chosen = std::move(first);
      if (times == shape.times) break;
    }
    if (times == 0) {  // it is executed once
      std::size_t next = at;
      if (!read(shape.body, next, end, chosen)) return false;
      length = next - at;
      times = 1;
    }
    at += length * times;
    instance.times = times;
    instance.passes.push_back(std::move(chosen));
    return true;
  }

  std::uint64_t passes_of(std::size_t at, std::size_t period, std::size_t end) const {
    std::size_t next = at + period;
    while (next < end && tokens_[next].exact == tokens_[next - period].exact) ++next;
    return (next - at) / period;
  }

  static constexpr std::size_t most_tries = 64;

  std::span<const Token> tokens_;
  std::span<const RecordedCall> calls_;
};

}  // namespace

std::optional<std::vector<Instance>> parse(const std::vector<Shape>& shapes, std::span<const Token> tokens,
                                           std::span<const RecordedCall> calls) {
  const ShapeParser parser(tokens, calls);
  std::vector<Instance> made;
  std::size_t at = 0;
  if (!parser.read(shapes, at, tokens.size(), made) || at != tokens.size()) return std::nullopt;
  at = 0;
  parser.add_seconds(made, at);
  return made;
}

}  // namespace rehearse::manynode::inference
