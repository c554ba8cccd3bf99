// SPDX-License-Identifier: MIT
//
// Classes of executions: when they are known well enough, and the times of the executions that do not run.
#include "simcore/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "simcore/support/assert.hpp"
#include "simcore/support/hash.hpp"
#include "simcore/support/random.hpp"

namespace rehearse {
namespace {

constexpr double distribution_tolerance = 0.1;

std::uint64_t seed_of(const SampleKey& key, std::uint64_t seed) {
  constexpr std::uint64_t apart = 0x9e3779b97f4a7c15u;  // odd: no two seeds give the same product
  StableHash hash;
  hash.add(key.name);
  for (const std::int64_t number : key.numbers)
    for (int shift = 0; shift < 64; shift += 8)
      hash.add(static_cast<std::uint8_t>(static_cast<std::uint64_t>(number) >> shift));
  return hash.value() ^ ((seed - 1) * apart);
}

bool is_distribution_known(const std::vector<double>& samples, double mean, double tolerance) {
  return distribution_error(samples.size()) <= distribution_tolerance ||
         distribution_distance(samples) <= tolerance * mean;
}

EmpiricalDistribution scaled(const EmpiricalDistribution& distribution, double factor) {
  std::vector<double> values(distribution.values().begin(), distribution.values().end());
  for (double& each : values) each *= factor;
  return EmpiricalDistribution::from_values(std::move(values));
}

SampledTimes scaled(const SampledTimes& times, double factor) {
  SampledTimes result{scaled(times.cold, factor), scaled(times.warm, factor), times.sequence, times.starts};
  for (double& each : result.sequence) each *= factor;
  return result;
}

}  // namespace

SampleClass::SampleClass(SampleKey key, SampleRule rule, SampleAs as, std::uint64_t seed)
    : key_(std::move(key)), rule_(rule), as_(as), seed_(seed_of(key_, seed)) {
  REHEARSE_ASSERT(rule_.most > 0, "a class needs an execution");
}

SampleClass::SampleClass(SampleKey key, SampledTimes times, SampleAs as, std::uint64_t seed)
    : key_(std::move(key)),
      as_(as),
      seed_(seed_of(key_, seed)),
      is_known_(true),
      is_complete_(true),
      times_(std::move(times)) {
  REHEARSE_ASSERT(!times_.cold.is_empty() || !times_.warm.is_empty(), "a known class without times");
}

MeanPrecision SampleClass::precision() const {
  return precision_of_mean(is_known_ ? times_.sequence : counted_seconds());
}

std::uint64_t SampleClass::disturbed() const {
  return static_cast<std::uint64_t>(std::ranges::count_if(warm_, &Measured::is_disturbed));
}

std::vector<SampleClass::Measured> SampleClass::counted() const {
  if (!counts_quiet()) return warm_;
  std::vector<Measured> quiet;
  std::ranges::copy_if(warm_, std::back_inserter(quiet), [](const Measured& each) { return !each.is_disturbed; });
  return quiet;
}

std::vector<double> SampleClass::counted_seconds() const {
  std::vector<double> seconds;
  for (const Measured& each : counted()) seconds.push_back(each.seconds);
  return seconds;
}

SampledTimes SampleClass::times() const {
  if (is_complete_) return times_;
  SampledTimes times;
  times.cold = EmpiricalDistribution(cold_);
  std::vector<Measured> ordered = counted();
  std::ranges::stable_sort(ordered, {}, &Measured::actor);
  for (const Measured& each : ordered) {
    if (times.starts.empty() || times.starts.back().first != each.actor)
      times.starts.emplace_back(each.actor, static_cast<std::uint32_t>(times.sequence.size()));
    times.sequence.push_back(each.seconds);
  }
  times.warm = EmpiricalDistribution(times.sequence);
  return times;
}

// An execution that began before the class was complete may end later.
void SampleClass::add(std::uint32_t actor, double seconds, bool is_cold, bool is_disturbed) {
  if (is_complete_) return;
  if (is_cold) cold_.push_back(seconds);
  else warm_.push_back({actor, seconds, is_disturbed});
  if (!is_cold && !is_disturbed) quiet_.push_back(seconds);
  update();
}

double SampleClass::undisturbed(double measured) {
  if (!counts_quiet()) return measured;
  return quiet_[SplitMix(seed_ ^ ++replaced_).below(quiet_.size())];
}

void SampleClass::update() {
  if (cold_.size() + warm_.size() >= rule_.most) return complete();
  if (rule_.error <= 0 || warm_.size() < next_check_) return;
  if (warm_.size() < until_all_count && quiet_.size() < warm_least) return;
  const std::uint64_t counts = counts_quiet() ? quiet_.size() : warm_.size();
  if (counts < (rule_.by_standard_error ? warm_least : early_least)) return;
  next_check_ = warm_.size() + 1 + warm_.size() / 16;  // checks cost as much as sorting the samples
  const std::vector<double> samples = counted_seconds();
  const MeanPrecision precision = precision_of_mean(samples);
  const double limit = rule_.error * precision.mean;
  if ((rule_.by_standard_error ? precision.standard_error : precision.half_width) > limit) return;
  if (as_ == SampleAs::draw && !rule_.by_standard_error && !is_distribution_known(samples, precision.mean, rule_.error))
    return;
  complete();
}

void SampleClass::complete() {
  times_ = times();
  is_complete_ = true;
}

double SampleClass::time_of(std::uint32_t actor, std::uint64_t number) {
  const bool takes_cold = times_.warm.is_empty() || (number == 0 && !times_.cold.is_empty());
  const EmpiricalDistribution& from = takes_cold ? times_.cold : times_.warm;
  if (as_ == SampleAs::mean) return from.mean();
  if (as_ == SampleAs::sequence && !takes_cold && !times_.sequence.empty()) {
    const auto own =
        std::ranges::lower_bound(times_.starts, actor, {}, &std::pair<std::uint32_t, std::uint32_t>::first);
    const bool has_own = own != times_.starts.end() && own->first == actor;
    const std::uint64_t first = has_own ? own->second : SplitMix(seed_ ^ actor).below(times_.sequence.size());
    return times_.sequence[(first + number) % times_.sequence.size()];
  }
  SplitMix seed(seed_ + (std::uint64_t{actor} << 40) + number);
  SplitMix random(seed.next());
  // Not from the 100 quantiles: the last of them is the mean of the longest times, which makes the slowest of many
  // ranks too fast.
  if (!takes_cold && !times_.sequence.empty()) return times_.sequence[random.below(times_.sequence.size())];
  return from.draw(random);
}

SampleClass& Sampler::find(std::uint32_t actor, const std::string& name, std::span<const std::int64_t> numbers,
                           const SampleRule& rule) {
  REHEARSE_ASSERT(numbers.size() <= SampleKey::most_numbers, "a class has at most 4 numbers");
  const std::uint32_t host = actor < hosts_.size() ? hosts_[actor] : 0;
  SampleKey key{name,
                {numbers.begin(), numbers.end()},
                rule.scope,
                rule.scope == SampleScope::run    ? 0
                : rule.scope == SampleScope::host ? host
                                                  : actor};
  std::unique_ptr<SampleClass>& found = classes_[key];
  if (found == nullptr) found = std::make_unique<SampleClass>(std::move(key), rule, as_, seed_);
  return *found;
}

Sampler::Decision Sampler::next(SampleClass& of, std::uint32_t actor) {
  const std::uint64_t number = of.counts_[actor]++;
  if (uses_models_ && !of.is_complete_ && of.executed_ == 0) model(of);
  if (!of.is_complete_) {
    if (of.executed_ < of.rule_.most || (of.cold_.empty() && of.warm_.empty())) {
      ++of.executed_;
      return {true, number == 0, 0};
    }
    of.complete();  // the other executions have begun, and end later
  }
  ++of.skipped_;
  return {false, number == 0, of.time_of(actor, number)};
}

double Sampler::replace(SampleClass& of, std::uint32_t actor, double measured) {
  const std::uint64_t number = of.counts_[actor]++;
  if (of.is_complete_) {
    ++of.replaced_;
    return of.time_of(actor, number);
  }
  ++of.executed_;
  of.add(actor, measured, number == 0, false);
  return measured;
}

// From the complete, measured classes of the same name, scope and group, with as many numbers.
void Sampler::model(SampleClass& of) {
  std::vector<SizedTime> sizes;
  std::vector<const SampleClass*> measured;
  for (const auto& [key, each] : classes_) {
    const SampleKey& mine = of.key_;
    if (key.name != mine.name || key.scope != mine.scope || key.group != mine.group ||
        key.numbers.size() != mine.numbers.size() || !each->is_complete_ || each->law_ || each->times_.warm.is_empty())
      continue;
    sizes.push_back({product_of(key.numbers), each->times_.warm.mean()});
    measured.push_back(each.get());
  }
  const std::optional<SampleLaw> law = fit_law(sizes);
  const double product = product_of(of.key_.numbers);
  if (!law || !(law->seconds(product) > 0)) return;
  const auto nearest = std::ranges::min_element(sizes, {}, [&](const SizedTime& each) {
    return std::abs(std::log(each.product / product));
  });
  const SampleClass& like = *measured[static_cast<std::size_t>(nearest - sizes.begin())];
  of.times_ = scaled(like.times_, law->seconds(product) / nearest->seconds);
  of.law_ = law;
  of.is_complete_ = true;
}

std::uint64_t Sampler::skipped() const {
  std::uint64_t all = skipped_apart_;
  for (const auto& [key, each] : classes_) all += each->skipped_;
  return all;
}

std::uint64_t Sampler::executed() const {
  std::uint64_t all = 0;
  for (const auto& [key, each] : classes_) all += each->executed_;
  return all;
}

void Sampler::know(SampleKey key, SampledTimes times) {
  std::unique_ptr<SampleClass>& place = classes_[key];
  REHEARSE_ASSERT(place == nullptr, "a class is known once, before its use");
  place = std::make_unique<SampleClass>(std::move(key), std::move(times), as_, seed_);
}

std::vector<const SampleClass*> Sampler::classes() const {
  std::vector<const SampleClass*> all;
  for (const auto& [key, each] : classes_) all.push_back(each.get());
  return all;
}

}  // namespace rehearse
