// SPDX-License-Identifier: MIT
//
// See soft_count.hpp.
#include "smpi/communicator/soft_count.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

namespace rehearse::smpi {
namespace {

// The numbers of one triplet; empty: it is wrong.
std::vector<std::int64_t> read_triplet(std::string_view triplet) {
  std::vector<std::int64_t> numbers;
  while (true) {
    while (triplet.starts_with(' ')) triplet.remove_prefix(1);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(triplet.data(), triplet.data() + triplet.size(), number);
    if (error != std::errc() || numbers.size() == 3) return {};
    numbers.push_back(number);
    triplet.remove_prefix(static_cast<std::size_t>(end - triplet.data()));
    while (triplet.starts_with(' ')) triplet.remove_prefix(1);
    if (triplet.empty()) return numbers;
    if (triplet.front() != ':') return {};
    triplet.remove_prefix(1);
  }
}

// The largest number of a triplet that is at most `wanted` and at least 0; none: there is none.
std::optional<std::int64_t> largest_in(const std::vector<std::int64_t>& numbers, std::int64_t wanted) {
  const std::int64_t first = numbers[0], last = numbers.size() > 1 ? numbers[1] : first;
  const std::int64_t step = numbers.size() > 2 ? numbers[2] : 1;
  if (step == 0) return std::nullopt;
  const std::int64_t low = std::min(first, last);
  const std::int64_t high = std::min(std::max(first, last), wanted);
  std::optional<std::int64_t> best;
  // Counted from the first number. A sequence has at most `wanted` + 1 numbers that matter.
  if (step > 0 && first <= last && first <= high) best = first + (high - first) / step * step;
  if (step < 0 && first >= last) {
    const std::int64_t skipped = first <= wanted ? 0 : (first - wanted + -step - 1) / -step;
    if (first + skipped * step >= low) best = first + skipped * step;
  }
  return best && *best >= 0 ? best : std::nullopt;
}

}  // namespace

std::uint32_t largest_soft_count(std::string_view list, std::uint32_t wanted) {
  std::optional<std::int64_t> best;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    const std::vector<std::int64_t> numbers = read_triplet(list.substr(0, end));
    if (numbers.empty()) return wanted;
    best = std::max(best, largest_in(numbers, wanted));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return best ? static_cast<std::uint32_t>(*best) : wanted;
}

}  // namespace rehearse::smpi
