// SPDX-License-Identifier: MIT
//
// The functions behind rehearse.h about sampled code and stated volumes.
#include <cmath>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/process/heap.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/sampling.hpp"
#include "smpi/user/sampled_code.hpp"

namespace rehearse::smpi {
namespace {

// As rehearse_sample_rule in rehearse.h. Negative: as the options say.
struct UserRule {
  long long most;
  double error;
  int scope;
  int by_standard_error;
};

enum class Volume : int { seconds, flops, instructions };

SampleRule rule_of(const char* name, const UserRule* user) {
  SampleRule rule = default_sample_rule();
  if (user == nullptr) return rule;
  if (user->most == 0 || user->scope > 2 || std::isnan(user->error))
    fail_rank(
        FailureKind::misuse, "argument.value",
        fmt::format("sampled code '{}': {} executions, error {}, scope {}; at least 1 execution must run, and the "
                    "scopes are 0 to 2",
                    name, user->most, user->error, user->scope));
  if (user->most > 0) rule.most = static_cast<std::uint64_t>(user->most);
  if (user->error >= 0) rule.error = user->error;
  if (user->scope >= 0) rule.scope = static_cast<SampleScope>(user->scope);
  rule.by_standard_error = user->by_standard_error != 0;
  return rule;
}

int sample_asked(const char* name, const long long* numbers, int count, const UserRule* user) {
  if (count < 0 || static_cast<std::size_t>(count) > SampleKey::most_numbers)
    fail_rank(FailureKind::misuse, "argument.value",
              fmt::format("sampled code '{}': {} numbers; 0 to 4 are possible", name, count));
  std::int64_t values[SampleKey::most_numbers] = {};
  for (int i = 0; i < count; ++i) values[i] = numbers[i];
  return sample_begins(name, {values, static_cast<std::size_t>(count)}, rule_of(name, user), __builtin_frame_address(0))
             ? 1
             : 0;
}

double flops_of(double amount, Volume unit) {
  const VolumeRates& rates = this_rank().world->spec.rates;
  if (!(amount >= 0) || std::isinf(amount))
    fail_rank(FailureKind::misuse, "argument.value",
              fmt::format("a computation of {} {}; a number that is not negative is needed", amount,
                          unit == Volume::seconds ? "seconds"
                          : unit == Volume::flops ? "flops"
                                                  : "instructions"));
  if (unit == Volume::flops) return amount;
  return amount * rates.flops_per_second * (unit == Volume::instructions ? rates.seconds_per_instruction : 1);
}

void volume_stated(double amount, int unit) { ask(Compute{flops_of(amount, static_cast<Volume>(unit))}); }

// Whether the code runs: in a run that samples, the volume takes its place.
int volume_replaces(double amount, int unit) {
  Sampling* sampling = this_rank().world->spec.sampling;
  const double flops = flops_of(amount, static_cast<Volume>(unit));
  if (sampling == nullptr) return 1;
  {
    const HostAllocation host;
    sampling->sampler().note_skipped();
  }
  ask(Compute{flops});
  return 0;
}

// Texts of Fortran have their lengths after all arguments, and blanks at their ends.
void fortran_sample_next(const char* name, const long long* numbers, const int* count, int* runs, std::size_t length) {
  while (length > 0 && name[length - 1] == ' ') --length;
  *runs = sample_asked(std::string(name, length).c_str(), numbers, *count, nullptr);
}

void fortran_compute_for(const double* seconds) { volume_stated(*seconds, 0); }
void fortran_compute_flops(const double* flops) { volume_stated(*flops, 1); }
void fortran_compute_instructions(const double* count) { volume_stated(*count, 2); }

}  // namespace

InterposerList sample_interposers() {
  return {{"rehearse_sample_asked", function_address(sample_asked)},
          {"rehearse_sample_ended", function_address(sample_ends)},
          {"rehearse_volume_stated", function_address(volume_stated)},
          {"rehearse_volume_replaces", function_address(volume_replaces)},
          {"rehearse_sample_next_", function_address(fortran_sample_next)},
          {"rehearse_sample_end_", function_address(sample_ends)},
          {"rehearse_compute_for_", function_address(fortran_compute_for)},
          {"rehearse_compute_flops_", function_address(fortran_compute_flops)},
          {"rehearse_compute_instructions_", function_address(fortran_compute_instructions)}};
}

}  // namespace rehearse::smpi
