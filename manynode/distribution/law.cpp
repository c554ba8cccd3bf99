// SPDX-License-Identifier: MIT
//
// Quantile functions and means of the laws.
#include "manynode/law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "manynode/distribution/greatest.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/portable_math.hpp"

namespace rehearse::manynode {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

struct LawSignature {
  std::string_view name;
  std::vector<std::string_view> parameters;
  Law::Variant (*make)(const std::vector<double>& values);
  std::string_view (*fault)(const std::vector<double>& values);  // empty: none
};

const std::vector<LawSignature>& signatures() {
  using Values = std::vector<double>;
  static const std::vector<LawSignature> all = {
      {"constant",
       {"value"},
       [](const Values& v) { return Law::Variant(ConstantLaw{v[0]}); },
       [](const Values& v) { return std::string_view(v[0] >= 0 ? "" : "value must not be negative"); }},
      {"uniform",
       {"low", "high"},
       [](const Values& v) {
         return Law::Variant(UniformLaw{v[0], v[1]});
       },
       [](const Values& v) { return std::string_view(v[0] >= 0 && v[1] >= v[0] ? "" : "expected 0 <= low <= high"); }},
      {"exponential",
       {"mean", "shift"},
       [](const Values& v) {
         return Law::Variant(ExponentialLaw{v[0], v[1]});
       },
       [](const Values& v) {
         return std::string_view(v[0] >= 0 && v[1] >= 0 ? "" : "mean and shift must not be negative");
       }},
      {"normal",
       {"mean", "sd"},
       [](const Values& v) {
         return Law::Variant(NormalLaw{v[0], v[1]});
       },
       [](const Values& v) {
         return std::string_view(v[0] >= 0 && v[1] >= 0 ? "" : "mean and sd must not be negative");
       }},
      {"lognormal",
       {"mu", "sigma"},
       [](const Values& v) {
         return Law::Variant(LognormalLaw{v[0], v[1]});
       },
       [](const Values& v) { return std::string_view(v[1] >= 0 ? "" : "sigma must not be negative"); }},
      {"pareto",
       {"least", "alpha"},
       [](const Values& v) {
         return Law::Variant(ParetoLaw{v[0], v[1]});
       },
       [](const Values& v) {
         return std::string_view(v[0] >= 0 && v[1] > 1 ? ""
                                                       : "expected least >= 0 and alpha > 1 (else there is no mean)");
       }},
  };
  return all;
}

}  // namespace

const std::vector<std::string>& Law::names() {
  static const std::vector<std::string> all = {"constant",  "uniform", "exponential", "normal",
                                               "lognormal", "pareto",  "empirical"};
  return all;
}

Result<Law> Law::named(std::string_view name, const std::map<std::string, double>& parameters) {
  for (const LawSignature& each : signatures()) {
    if (each.name != name) continue;
    std::vector<double> values;
    for (const std::string_view parameter : each.parameters) {
      const auto found = parameters.find(std::string(parameter));
      if (found == parameters.end() && parameter != "shift") {
        return Error{fmt::format("law {}: no parameter '{}'", name, parameter)};
      }
      values.push_back(found == parameters.end() ? 0 : found->second);
      if (!std::isfinite(values.back())) {
        return Error{fmt::format("law {}: {} is {}, expected a number", name, parameter, values.back())};
      }
    }
    for (const auto& [parameter, value] : parameters) {
      if (std::find(each.parameters.begin(), each.parameters.end(), parameter) == each.parameters.end()) {
        return Error{fmt::format("law {}: it has no parameter '{}'", name, parameter)};
      }
    }
    if (const std::string_view fault = each.fault(values); !fault.empty()) {
      return Error{fmt::format("law {}: {}", name, fault)};
    }
    return Law(each.make(values));
  }
  return Error{
      fmt::format("law '{}': expected constant, uniform, exponential, normal, lognormal, pareto or empirical", name)};
}

std::string_view Law::name() const { return names()[law_.index()]; }

std::map<std::string, double> Law::parameters() const {
  using Map = std::map<std::string, double>;
  return std::visit(Overloaded{[](const ConstantLaw& l) {
                                 return Map{{"value", l.value}};
                               },
                               [](const UniformLaw& l) {
                                 return Map{{"low", l.low}, {"high", l.high}};
                               },
                               [](const ExponentialLaw& l) {
                                 return Map{{"mean", l.mean}, {"shift", l.shift}};
                               },
                               [](const NormalLaw& l) {
                                 return Map{{"mean", l.mean}, {"sd", l.sd}};
                               },
                               [](const LognormalLaw& l) {
                                 return Map{{"mu", l.mu}, {"sigma", l.sigma}};
                               },
                               [](const ParetoLaw& l) {
                                 return Map{{"least", l.least}, {"alpha", l.alpha}};
                               },
                               [](const EmpiricalLaw&) { return Map{}; }},
                    law_);
}

double Law::quantile(double u) const {
  return std::visit(Overloaded{[](const ConstantLaw& l) { return l.value; },
                               [&](const UniformLaw& l) { return l.low + u * (l.high - l.low); },
                               [&](const ExponentialLaw& l) { return l.shift - l.mean * std::log1p(-u); },
                               [&](const NormalLaw& l) { return l.mean + l.sd * portable_normal_quantile(u); },
                               [&](const LognormalLaw& l) {
                                 return std::exp(l.mu + l.sigma * portable_normal_quantile(u));
                               },
                               [&](const ParetoLaw& l) { return l.least * std::pow(1 - u, -1 / l.alpha); },
                               [&](const EmpiricalLaw& l) { return l.distribution.quantile(u, l.use); }},
                    law_);
}

double Law::mean() const {
  return std::visit(
      Overloaded{[](const ConstantLaw& l) { return l.value; }, [](const UniformLaw& l) { return (l.low + l.high) / 2; },
                 [](const ExponentialLaw& l) { return l.shift + l.mean; }, [](const NormalLaw& l) { return l.mean; },
                 [](const LognormalLaw& l) { return std::exp(l.mu + l.sigma * l.sigma / 2); },
                 [](const ParetoLaw& l) {
                   return l.alpha > 1 ? l.least * l.alpha / (l.alpha - 1) : std::numeric_limits<double>::infinity();
                 },
                 [](const EmpiricalLaw& l) { return l.distribution.mean(); }},
      law_);
}

GreatestMoments moments_of_greatest(const Law& law, double count) {
  return integrate_greatest(count, [&](double u) { return law.quantile(u); });
}

}  // namespace rehearse::manynode
