// SPDX-License-Identifier: MIT
//
// See performed_flops.hpp.
#include "simcore/real/performed_flops.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>

namespace rehearse::real {
namespace {

// Independent chains, so that the units of the processor are busy.
constexpr std::size_t chains = 16;
constexpr double flops_per_round = 2.0 * chains;
constexpr double chunk_flops = 1e6;  // between looks at the requests
constexpr auto pause = std::chrono::milliseconds(1);

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// The values stay near 1, so that no operation meets a special number.
void multiply_and_add(std::array<double, chains>& values, std::uint64_t rounds) {
  for (std::uint64_t round = 0; round < rounds; ++round)
    for (double& value : values) value = value * 0.999999 + 0.000001;
}

}  // namespace

struct Computations::Work {
  Work(double flops, std::uint32_t count, double flops_per_second)
      : amount(flops), bound(flops_per_second), done(count), left(count) {}
  const double amount;
  std::atomic<double> bound;
  std::vector<std::atomic<double>> done;  // by thread
  std::atomic<std::uint32_t> left;
  std::atomic<double> seconds = 0;
  std::atomic<bool> is_stopped = false, is_suspended = false;
  std::atomic<double> result = 0;  // so that the compiler performs the operations
  std::function<void()> at_end;
  std::vector<std::thread> threads;
};

Computations::~Computations() {
  for (const auto& [number, work] : running_) {
    work->is_stopped = true;
    for (std::thread& thread : work->threads) thread.join();
  }
}

void Computations::perform(const std::shared_ptr<Work>& work, std::size_t thread) {
  using Clock = std::chrono::steady_clock;
  std::array<double, chains> values;
  for (std::size_t i = 0; i < chains; ++i) values[i] = 1 + 0.001 * static_cast<double>(i);
  double done = 0;
  double paced = 0;  // operations since `begin`
  Clock::time_point begin = Clock::now();
  double known_bound = work->bound;
  while (done < work->amount && !work->is_stopped) {
    if (work->is_suspended || work->bound != known_bound) {
      if (work->is_suspended) std::this_thread::sleep_for(pause);
      begin = Clock::now();
      paced = 0;
      known_bound = work->bound;
      continue;
    }
    const double wanted = std::min(chunk_flops, work->amount - done);
    const auto rounds = static_cast<std::uint64_t>((wanted + flops_per_round - 1) / flops_per_round);
    multiply_and_add(values, rounds);
    done += wanted;
    paced += wanted;
    work->done[thread] = done;
    const auto due = begin + std::chrono::duration<double>(paced / known_bound);
    if (due > Clock::now()) std::this_thread::sleep_until(due);
  }
  double sum = 0;
  for (const double value : values) sum += value;
  work->result = sum;
  double before = work->seconds;
  while (!work->seconds.compare_exchange_weak(before, before + processor_seconds())) continue;
  if (--work->left == 0) work->at_end();
}

std::uint32_t Computations::start(double flops, std::uint32_t threads, double bound) {
  const std::uint32_t number = ++count_;
  const auto work = std::make_shared<Work>(flops, threads, bound);
  work->at_end = [this, number] { boost::asio::post(io_, [this, number] { finish(number); }); };
  running_[number] = work;
  for (std::uint32_t i = 0; i < threads; ++i) work->threads.emplace_back([work, i] { perform(work, i); });
  return number;
}

void Computations::settle(Work& work) {
  for (std::thread& thread : work.threads) thread.join();
  for (const auto& done : work.done) flops_ += done;
  seconds_ += work.seconds;
}

void Computations::finish(std::uint32_t number) {
  const auto found = running_.find(number);
  if (found == running_.end()) return;
  const auto work = found->second;
  running_.erase(found);
  settle(*work);
  ended_(number);
}

void Computations::stop(std::uint32_t number) {
  const auto found = running_.find(number);
  if (found == running_.end()) return;
  const auto work = found->second;
  running_.erase(found);
  work->is_stopped = true;
  settle(*work);
}

void Computations::suspend(std::uint32_t number, bool is_suspended) {
  if (const auto found = running_.find(number); found != running_.end()) found->second->is_suspended = is_suspended;
}

void Computations::set_bound(std::uint32_t number, double bound) {
  if (const auto found = running_.find(number); found != running_.end()) found->second->bound = bound;
}

double Computations::remaining(std::uint32_t number) const {
  const auto found = running_.find(number);
  if (found == running_.end()) return 0;
  double least = found->second->amount;
  for (const auto& done : found->second->done) least = std::min(least, done.load());
  return found->second->amount - least;
}

}  // namespace rehearse::real
