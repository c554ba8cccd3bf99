// SPDX-License-Identifier: MIT
//
// See expansion.hpp.
#include "manynode/inference/expansion.hpp"

#include <array>
#include <cmath>

namespace rehearse::manynode::inference {
namespace {

class Comparison {
 public:
  Comparison(const std::vector<double>& names, std::span<const RecordedCall> recorded,
             const std::vector<std::vector<std::int64_t>>& parts)
      : names_(names), recorded_(recorded), parts_(parts) {}

  std::optional<Mismatch> run(const std::vector<Item>& program) {
    if (walk(program, 0) && at_ < recorded_.size()) mismatch_ = Mismatch{at_, std::nullopt, std::nullopt};
    return mismatch_;
  }

 private:
  bool walk(const std::vector<Item>& items, std::size_t depth) {
    for (const Item& item : items) {
      if (item.kind == ItemKind::call) {
        if (!check(item)) return false;
      } else if (item.kind == ItemKind::branch) {
        const double holds = item.condition->at(place());
        if (!walk(holds != 0 && holds == holds ? item.body : item.otherwise, depth)) return false;
      } else if (!walk_loop(item, depth)) {
        return false;
      }
    }
    return true;
  }

  bool walk_loop(const Item& item, std::size_t depth) {
    const auto times = integer(item.times->term());
    if (!times) return false;
    for (std::int64_t i = 0; i < *times; ++i) {
      counters_[depth] = static_cast<std::int32_t>(i);
      if (!walk(item.body, depth + 1)) return false;
    }
    counters_[depth] = 0;
    return true;
  }

  bool check(const Item& item) {
    RecordedCall expected = item.call;
    for (std::size_t i = 0; i < slots; ++i) {
      expected.values[i] = absent;
      if (!item.values[i]) continue;
      const auto value = integer(item.values[i]->term());
      if (!value) return false;
      expected.values[i] = *value;
    }
    if (at_ < recorded_.size() && agrees(expected, recorded_[at_]) && have_parts(item, recorded_[at_])) {
      ++at_;
      return true;
    }
    mismatch_ = Mismatch{at_, expected, std::nullopt};
    return false;
  }

  static bool agrees(const RecordedCall& expected, const RecordedCall& recorded) {
    if (expected.kind != recorded.kind || expected.blocking != recorded.blocking || expected.mode != recorded.mode ||
        expected.name != recorded.name || expected.communicator != recorded.communicator)
      return false;
    for (std::size_t i = 0; i < slots; ++i)
      if (expected.values[i] != absent && expected.values[i] != recorded.values[i]) return false;
    return true;
  }

  bool have_parts(const Item& item, const RecordedCall& recorded) {
    if (item.parts && recorded.parts == 0) return false;
    if (!item.parts) return true;
    const std::vector<std::int64_t>& parts = parts_[recorded.parts];
    bool agree = true;
    for (std::size_t member = 0; member < parts.size() && agree; ++member) {
      if (parts[member] == absent) continue;
      counters_[depth_of_member] = static_cast<std::int32_t>(member);
      const double value = item.parts->term().at(place());
      agree = std::abs(value - static_cast<double>(parts[member])) < 1e-6;
    }
    counters_[depth_of_member] = 0;
    return agree;
  }

  std::optional<std::int64_t> integer(const Term& term) {
    const double value = term.at(place());
    const double near = std::round(value);
    if (std::abs(value - near) < 1e-6 && std::abs(near) < 9e18) return static_cast<std::int64_t>(near);
    mismatch_ = Mismatch{at_, std::nullopt, term.text()};
    return std::nullopt;
  }

  Place place() const { return {names_.data(), counters_.data()}; }

  const std::vector<double>& names_;
  std::span<const RecordedCall> recorded_;
  const std::vector<std::vector<std::int64_t>>& parts_;
  std::array<std::int32_t, most_depth> counters_ = {};
  std::size_t at_ = 0;
  std::optional<Mismatch> mismatch_;
};

}  // namespace

std::optional<Mismatch> compare(const std::vector<Item>& program, const std::vector<double>& names,
                                std::span<const RecordedCall> recorded,
                                const std::vector<std::vector<std::int64_t>>& parts) {
  return Comparison(names, recorded, parts).run(program);
}

}  // namespace rehearse::manynode::inference
