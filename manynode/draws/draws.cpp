// SPDX-License-Identifier: MIT
//
// See draws.hpp.
#include "manynode/draws.hpp"

#include <algorithm>
#include <cmath>

#include "simcore/support/hash.hpp"
#include "simcore/support/portable_math.hpp"

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
  if (variability == Variability::full && draws.order == ModeOrder::Kind::period)
    return by_pattern(draws, state.occurrence, u);
  if (variability == Variability::full && draws.order == ModeOrder::Kind::markov)
    return state.mode = state.occurrence == 0 ? by_weight(draws.modes, u) : by_row(draws.transitions[state.mode], u);
  return by_weight(draws.modes, u);
}

// The factor that the rank and the iteration have in common with others.
double common_factor(const Draws& draws, DrawAddress at) {
  double sum = 0;
  if (draws.rank_sd > 0) {
    DrawAddress once = at;
    once.marker |= rank_effect;
    once.occurrence = 0;
    sum += draws.rank_sd * portable_normal_quantile(uniform(once));
  }
  if (draws.iteration_sd > 0) {
    DrawAddress common = at;
    common.marker |= iteration_effect;
    common.rank = DrawAddress::all_ranks;
    sum += draws.iteration_sd * portable_normal_quantile(uniform(common));
  }
  return std::exp(sum);
}

// The law of this position in a sequence that drifts.
const Law& law_of_position(const Draws& draws, std::uint32_t occurrence) {
  const std::uint64_t parts = draws.by_position.size();
  const std::uint64_t part = draws.executions == 0 ? 0 : occurrence * parts / draws.executions;
  return draws.by_position[std::min(part, parts - 1)];
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

double Draws::factor(std::uint32_t ranks) const {
  if (!scaling || profiled_ranks == 0) return 1;
  const double there = scaling->at(profiled_ranks);
  return there > 0 ? std::max(scaling->at(ranks), 0.0) / there : 1;
}

double Draws::factor_on_node(std::uint32_t ranks_of_node) const {
  return memory ? memory->factor(ranks_of_node) / memory->factor(memory->measured_with) : 1;
}

static Draws without_scaling(const MarkerProfile& marker) {
  if (marker.law) return Draws(*marker.law);
  std::vector<DrawMode> modes;
  const bool has_effects = marker.effects && marker.effects->are_significant;
  for (const ModeProfile& mode : marker.modes) {
    modes.push_back({mode.weight, Law(EmpiricalLaw{mode.distribution})});
    if (has_effects && mode.residuals) modes.back().residuals = Law(EmpiricalLaw{*mode.residuals});
  }
  Draws draws(std::move(modes));
  draws.order = marker.order.kind;
  draws.prefix = marker.order.prefix;
  draws.period = marker.order.period;
  draws.agreement = marker.order.agreement;
  draws.transitions = marker.order.transitions;
  draws.is_order_common = marker.order.is_common;
  if (has_effects) {
    draws.rank_sd = marker.effects->rank_sd;
    draws.iteration_sd = marker.effects->iteration_sd;
  }
  if (marker.drift) {
    for (const BinnedDistribution& third : marker.drift->thirds) draws.by_position.emplace_back(EmpiricalLaw{third});
    draws.executions = marker.drift->executions;
  }
  return draws;
}

Draws draws_of(const MarkerProfile& marker, std::uint32_t ranks) {
  Draws draws = without_scaling(marker);
  draws.scaling = marker.scaling;
  draws.profiled_ranks = ranks;
  draws.memory = marker.memory;
  return draws;
}

Draws with_tails(const Draws& draws, TailUse use) {
  Draws changed = draws;
  const auto change = [use](Law& law) {
    if (const auto* empirical = std::get_if<EmpiricalLaw>(&law.variant()))
      law = Law(EmpiricalLaw{empirical->distribution, use});
  };
  for (DrawMode& mode : changed.modes) {
    change(mode.law);
    if (mode.residuals) change(*mode.residuals);
  }
  for (Law& law : changed.by_position) change(law);
  return changed;
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

std::uint32_t number_of(std::string_view marker) {
  StableHash hash;
  hash.add(marker);
  return static_cast<std::uint32_t>((hash.value() ^ hash.value() >> 32) & (iteration_effect - 1));
}

double draw(const Draws& draws, Variability variability, DrawState& state, DrawAddress at) {
  at.occurrence = state.occurrence;
  const UniformPair u = uniform_pair(at);
  const bool is_full = variability == Variability::full;
  double for_mode = u.second;
  if (is_full && draws.is_order_common && draws.modes.size() > 1) {
    DrawAddress common = at;
    common.rank = DrawAddress::all_ranks;
    for_mode = uniform_pair(common).second;
  }
  const DrawMode& mode = draws.modes[mode_of(draws, variability, state, for_mode)];
  const std::uint32_t occurrence = state.occurrence++;
  if (is_full && !draws.by_position.empty()) return std::max(law_of_position(draws, occurrence).quantile(u.first), 0.0);
  if (is_full && mode.residuals) return std::max(mode.residuals->quantile(u.first), 0.0) * common_factor(draws, at);
  return std::max(mode.law.quantile(u.first), 0.0);
}

}  // namespace rehearse::manynode
