// SPDX-License-Identifier: MIT
//
// See draws.hpp.
#include "manynode/draws.hpp"

#include <algorithm>
#include <cmath>

namespace rehearse::manynode {
namespace {

// Other purposes of a marker than its times.
constexpr std::uint32_t rank_effect = 1u << 31, iteration_effect = 1u << 30;

std::uint32_t by_weight(const std::vector<DrawMode>& modes, double u) {
  for (std::uint32_t i = 0; i + 1 < modes.size(); ++i) {
    if (u < modes[i].weight) return i;
    u -= modes[i].weight;
  }
  return static_cast<std::uint32_t>(modes.size() - 1);
}

std::uint32_t by_row(const std::vector<double>& row, double u) {
  for (std::uint32_t i = 0; i + 1 < row.size(); ++i) {
    if (u < row[i]) return i;
    u -= row[i];
  }
  return static_cast<std::uint32_t>(row.size() - 1);
}

std::uint32_t by_pattern(const Draws& draws, std::uint32_t occurrence, double u) {
  if (draws.agreement < 1) {
    if (u >= draws.agreement) return by_weight(draws.modes, (u - draws.agreement) / (1 - draws.agreement));
  }
  if (occurrence < draws.prefix.size()) return draws.prefix[occurrence];
  return draws.period[(occurrence - draws.prefix.size()) % draws.period.size()];
}

std::uint32_t mode_of(const Draws& draws, Variability variability, DrawState& state, double u) {
  if (draws.modes.size() == 1) return 0;
  if (variability == Variability::full && draws.order == DrawOrder::period)
    return by_pattern(draws, state.occurrence, u);
  if (variability == Variability::full && draws.order == DrawOrder::markov)
    return state.mode = state.occurrence == 0 ? by_weight(draws.modes, u) : by_row(draws.transitions[state.mode], u);
  return by_weight(draws.modes, u);
}

double normal_distribution(double z) { return 0.5 * std::erfc(-z * M_SQRT1_2); }

// The uniform number of a draw of which ranks and iterations share their parts.
double with_effects(const Draws& draws, DrawAddress at, double u) {
  const double all = std::sqrt(draws.rank_sd * draws.rank_sd + draws.iteration_sd * draws.iteration_sd +
                               draws.residual_sd * draws.residual_sd);
  double z = draws.residual_sd / all * normal_quantile(u);
  if (draws.rank_sd > 0) {
    DrawAddress once = at;
    once.marker |= rank_effect;
    once.occurrence = 0;
    z += draws.rank_sd / all * normal_quantile(uniform(once));
  }
  if (draws.iteration_sd > 0) {
    DrawAddress common = at;
    common.marker |= iteration_effect;
    common.rank = DrawAddress::all_ranks;
    z += draws.iteration_sd / all * normal_quantile(uniform(common));
  }
  return std::clamp(normal_distribution(z), 1e-16, 1 - 1e-16);
}

}  // namespace

double Draws::mean() const {
  double sum = 0, weights = 0;
  for (const DrawMode& mode : modes) {
    sum += mode.weight * mode.law.mean();
    weights += mode.weight;
  }
  return weights > 0 ? sum / weights : 0;
}

std::string_view name_of(Variability variability) {
  switch (variability) {
    case Variability::full: return "full";
    case Variability::mean: return "mean";
    case Variability::independent: return "independent";
    case Variability::trace: break;
  }
  return "trace";
}

double draw(const Draws& draws, Variability variability, DrawState& state, DrawAddress at) {
  at.occurrence = state.occurrence;
  const UniformPair u = uniform_pair(at);
  const std::uint32_t mode = mode_of(draws, variability, state, u.second);
  ++state.occurrence;
  const bool has_effects =
      variability == Variability::full && (draws.rank_sd > 0 || draws.iteration_sd > 0);
  const double value = draws.modes[mode].law.quantile(has_effects ? with_effects(draws, at, u.first) : u.first);
  return std::max(value, 0.0);
}

}  // namespace rehearse::manynode
