// SPDX-License-Identifier: MIT
//
// The order of modes: a period behind a prefix, a Markov chain, or independent draws.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "manynode/analysis.hpp"

namespace rehearse::manynode {
namespace {

constexpr double agreement_wanted = 0.98, chi_squared_bound = 6.6;
constexpr std::size_t longest_period = 256, least_repeats = 3;

using Labels = std::span<const std::uint32_t>;

// The most frequent label at each place of a word of this length; of equally frequent ones the first that occurs.
std::vector<std::uint32_t> usual_word(Labels labels, std::size_t length) {
  std::vector<std::uint32_t> word(length);
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<std::pair<std::uint32_t, std::size_t>> counts;
    for (std::size_t k = i; k < labels.size(); k += length) {
      const auto found = std::ranges::find(counts, labels[k], &std::pair<std::uint32_t, std::size_t>::first);
      if (found == counts.end()) counts.emplace_back(labels[k], 1);
      else ++found->second;
    }
    word[i] = std::ranges::max_element(counts, {}, &std::pair<std::uint32_t, std::size_t>::second)->first;
  }
  return word;
}

// Where a period begins that holds from `begin` on.
class Beginning {
 public:
  Beginning(Labels labels, std::size_t begin, const std::vector<std::uint32_t>& word)
      : labels_(labels), begin_(begin), word_(word) {}

  std::size_t find() const {
    const std::size_t length = word_.size();
    std::size_t prefix = begin_, misses = 0;
    for (std::size_t i = begin_; i-- > 0;) {
      misses += is_miss(i);
      const double tolerated = std::max(2.0, (1 - agreement_wanted) * static_cast<double>(begin_ - i));
      if (static_cast<double>(misses) > tolerated && count_misses(i, std::min(i + length, begin_)) > length / 2) break;
      if (!is_miss(i)) prefix = i;
    }
    while (prefix < begin_ && count_misses(prefix, std::min(prefix + length, begin_)) > 0) ++prefix;
    // A miss in the first repeat is no prefix.
    if (prefix < length && count_misses(0, prefix) <= prefix / 2) prefix = 0;
    return prefix;
  }

  // The label that the period has at a place, before or behind its begin.
  std::uint32_t expected(std::size_t i) const {
    const std::size_t length = word_.size();
    return word_[i >= begin_ ? (i - begin_) % length : (length - (begin_ - i) % length) % length];
  }

 private:
  bool is_miss(std::size_t i) const { return labels_[i] != expected(i); }
  std::size_t count_misses(std::size_t from, std::size_t to) const {
    std::size_t count = 0;
    for (std::size_t i = from; i < to; ++i) count += is_miss(i);
    return count;
  }

  Labels labels_;
  std::size_t begin_;
  const std::vector<std::uint32_t>& word_;
};

bool keeps_period(Labels labels, std::size_t length) {
  std::size_t same = 0;
  const std::size_t pairs = labels.size() - length;
  for (std::size_t i = 0; i < pairs; ++i) same += labels[i] == labels[i + length];
  // A miss spoils two pairs.
  return static_cast<double>(same) >= (2 * agreement_wanted - 1) * static_cast<double>(pairs);
}

// The part of all executions that keep prefix and period.
double agreement_of(const std::vector<std::vector<std::uint32_t>>& sequences, const ModeOrder& order) {
  std::size_t same = 0, all = 0;
  for (const auto& labels : sequences) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const std::size_t prefix = order.prefix.size();
      same += labels[i] == (i < prefix ? order.prefix[i] : order.period[(i - prefix) % order.period.size()]);
    }
    all += labels.size();
  }
  return static_cast<double>(same) / static_cast<double>(all);
}

// The period of most ranks, if it holds for all of them.
std::optional<ModeOrder> common_period(const std::vector<std::vector<std::uint32_t>>& sequences) {
  std::map<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>, std::size_t> found;
  for (const auto& labels : sequences) {
    const auto period = find_period(labels);
    // That of one mode would hide a rare one: a chain or its weight has it.
    if (!period || period->word.size() == 1) continue;
    const auto prefix = labels.begin() + static_cast<std::ptrdiff_t>(period->prefix);
    ++found[{period->word, std::vector<std::uint32_t>(labels.begin(), prefix)}];
  }
  if (found.empty()) return std::nullopt;
  const auto best = std::ranges::max_element(found, {}, [](const auto& each) { return each.second; });
  ModeOrder order;
  order.kind = ModeOrder::Kind::period;
  order.period = best->first.first;
  order.prefix = best->first.second;
  order.agreement = agreement_of(sequences, order);
  // Of one rank, find_period() has judged, without the prefix.
  if (sequences.size() > 1 && order.agreement < agreement_wanted) return std::nullopt;
  return order;
}

// The label of most ranks in each iteration, if nearly all ranks have it and ranks change together.
std::optional<std::vector<std::uint32_t>> common_labels(const std::vector<std::vector<std::uint32_t>>& sequences,
                                                        std::uint32_t modes) {
  if (sequences.size() < 2) return std::nullopt;
  std::size_t length = sequences.front().size(), same = 0, all = 0;
  for (const auto& labels : sequences) length = std::min(length, labels.size());
  std::vector<std::uint32_t> usual;
  std::vector<std::size_t> misses_by_label(modes), count_by_label(modes);
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<std::size_t> counts(modes);
    for (const auto& labels : sequences) ++counts[labels[i]];
    const auto most = std::ranges::max_element(counts);
    usual.push_back(static_cast<std::uint32_t>(most - counts.begin()));
    same += *most;
    all += sequences.size();
    for (std::uint32_t k = 0; k < modes; ++k) {
      count_by_label[k] += counts[k];
      if (k != usual.back()) misses_by_label[k] += counts[k];
    }
  }
  if (static_cast<double>(same) < agreement_wanted * static_cast<double>(all)) return std::nullopt;
  // A rare mode that ranks have one by one is not common, though the rest agrees.
  for (std::uint32_t k = 0; k < modes; ++k) {
    if (2 * misses_by_label[k] > count_by_label[k]) return std::nullopt;
  }
  return usual;
}

struct TransitionCounts {
  std::vector<std::vector<double>> rows;
  double chi_squared = 0;
};

TransitionCounts count_transitions(const std::vector<std::vector<std::uint32_t>>& sequences, std::uint32_t modes) {
  TransitionCounts counts{std::vector<std::vector<double>>(modes, std::vector<double>(modes)), 0};
  std::vector<double> to(modes), from(modes);
  double all = 0;
  for (const auto& labels : sequences) {
    for (std::size_t i = 0; i + 1 < labels.size(); ++i) {
      counts.rows[labels[i]][labels[i + 1]] += 1;
      from[labels[i]] += 1;
      to[labels[i + 1]] += 1;
      all += 1;
    }
  }
  for (std::uint32_t i = 0; i < modes; ++i) {
    for (std::uint32_t k = 0; k < modes; ++k) {
      if (from[i] * to[k] == 0) continue;
      const double expected = from[i] * to[k] / all;
      counts.chi_squared += (counts.rows[i][k] - expected) * (counts.rows[i][k] - expected) / expected;
    }
  }
  for (std::uint32_t i = 0; i < modes; ++i) {
    for (std::uint32_t k = 0; k < modes; ++k) counts.rows[i][k] /= std::max(1.0, from[i]);
  }
  return counts;
}

// By the weights of all modes but the expected one.
std::uint32_t other_mode(const std::vector<ModeProfile>& modes, std::uint32_t expected, double u) {
  const double all = 1 - modes[expected].weight;
  double sum = 0;
  std::uint32_t last = expected;
  for (std::uint32_t k = 0; k < modes.size(); ++k) {
    if (k == expected) continue;
    last = k;
    sum += modes[k].weight / all;
    if (u < sum) break;
  }
  return last;
}

}  // namespace

std::string_view name_of(ModeOrder::Kind kind) {
  constexpr std::array<std::string_view, 4> names = {"constant", "period", "markov", "independent"};
  return names[static_cast<std::size_t>(kind)];
}

std::optional<PeriodicOrder> find_period(Labels labels) {
  const std::size_t begin = labels.size() / 3;
  const Labels rest = labels.subspan(begin);
  for (std::size_t length = 1; length <= std::min(longest_period, rest.size() / least_repeats); ++length) {
    if (!keeps_period(rest, length)) continue;
    const std::vector<std::uint32_t> word = usual_word(rest, length);
    std::size_t same = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) same += rest[i] == word[i % length];
    if (static_cast<double>(same) < agreement_wanted * static_cast<double>(rest.size())) continue;
    const Beginning beginning(labels, begin, word);
    PeriodicOrder order{beginning.find(), {}};
    for (std::size_t k = 0; k < length; ++k) order.word.push_back(beginning.expected(order.prefix + k));
    return order;
  }
  return std::nullopt;
}

ModeOrder find_order(const std::vector<std::vector<std::uint32_t>>& sequences, std::uint32_t modes) {
  ModeOrder order;
  if (modes == 1) return order;
  if (auto periodic = common_period(sequences)) return *periodic;
  const auto common = common_labels(sequences, modes);
  const TransitionCounts counts =
      count_transitions(common ? std::vector<std::vector<std::uint32_t>>{*common} : sequences, modes);
  const double freedom = (modes - 1.0) * (modes - 1.0);
  order.is_common = common.has_value();
  if (counts.chi_squared > chi_squared_bound * freedom) {
    order.kind = ModeOrder::Kind::markov;
    order.transitions = counts.rows;
  }
  return order;
}

std::uint32_t ModeOrder::mode(const std::vector<ModeProfile>& modes, std::uint64_t occurrence, std::uint32_t before,
                              double u) const {
  if (kind == Kind::period) {
    const std::uint32_t expected = occurrence < prefix.size() ? prefix[occurrence]
                                                              : period[(occurrence - prefix.size()) % period.size()];
    return u < agreement || modes.size() < 2 ? expected
                                             : other_mode(modes, expected, (u - agreement) / (1 - agreement));
  }
  double sum = 0;
  for (std::uint32_t k = 0; k + 1 < modes.size(); ++k) {
    sum += kind == Kind::markov && occurrence > 0 ? transitions[before][k] : modes[k].weight;
    if (u < sum) return k;
  }
  return static_cast<std::uint32_t>(modes.size() - 1);
}

}  // namespace rehearse::manynode
