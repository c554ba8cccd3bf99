// SPDX-License-Identifier: MIT
//
// Quantile functions and means of the laws.
//
// Source: M. Wichura, Algorithm AS 241: the percentage points of the normal distribution, Applied Statistics 37, 1988
//         (PPND16: relative error 1e-16).
#include "manynode/law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "manynode/distribution/greatest.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::manynode {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

// a[0] + a[1] x + ... + a[7] x^7
double polynomial(const std::array<double, 8>& a, double x) {
  double value = 0;
  for (std::size_t i = a.size(); i-- > 0;) value = value * x + a[i];
  return value;
}

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

double normal_quantile(double u) {
  constexpr std::array<double, 8> a = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                                       1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                                       3.3430575583588128105e4, 2.5090809287301226727e3};
  constexpr std::array<double, 8> b = {1.0,
                                       4.2313330701600911252e1,
                                       6.8718700749205790830e2,
                                       5.3941960214247511077e3,
                                       2.1213794301586595867e4,
                                       3.9307895800092710610e4,
                                       2.8729085735721942674e4,
                                       5.2264952788528545610e3};
  constexpr std::array<double, 8> c = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                       3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                       2.27238449892691845833e-2, 7.74545014278341407640e-4};
  constexpr std::array<double, 8> d = {1.0,
                                       2.05319162663775882187e0,
                                       1.67638483018380384940e0,
                                       6.89767334985100004550e-1,
                                       1.48103976427480074590e-1,
                                       1.51986665636164571966e-2,
                                       5.47593808499534494600e-4,
                                       1.05075007164441684324e-9};
  constexpr std::array<double, 8> e = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                       2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                       2.71155556874348757815e-5, 2.01033439929228813265e-7};
  constexpr std::array<double, 8> f = {1.0,
                                       5.99832206555887937690e-1,
                                       1.36929880922735805310e-1,
                                       1.48753612908506148525e-2,
                                       7.86869131145613259100e-4,
                                       1.84631831751005468180e-5,
                                       1.42151175831644588870e-7,
                                       2.04426310338993978564e-15};
  const double q = u - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(a, r) / polynomial(b, r);
  }
  const double r = std::sqrt(-std::log(q < 0 ? u : 1 - u));
  const double value = r <= 5 ? polynomial(c, r - 1.6) / polynomial(d, r - 1.6)
                              : polynomial(e, r - 5) / polynomial(f, r - 5);
  return q < 0 ? -value : value;
}

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
                               [&](const NormalLaw& l) { return l.mean + l.sd * normal_quantile(u); },
                               [&](const LognormalLaw& l) { return std::exp(l.mu + l.sigma * normal_quantile(u)); },
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
