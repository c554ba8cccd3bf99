// SPDX-License-Identifier: MIT
//
// Computations that are really performed: multiplications and additions of doubles in threads of their own.
//
// Units:   flops: floating-point operations; a multiplication and an addition are two.
// Threads: the functions belong to one thread, to which the end of each computation is posted.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "simcore/real/asio.hpp"

namespace rehearse::real {

class Computations {
 public:
  using Ended = std::function<void(std::uint32_t number)>;
  Computations(boost::asio::io_context& io, Ended ended) : io_(io), ended_(std::move(ended)) {}
  ~Computations();
  Computations(const Computations&) = delete;
  Computations& operator=(const Computations&) = delete;

  // Each of the threads performs the flops. `bound`: flops per second of each thread; infinite: none.
  std::uint32_t start(double flops, std::uint32_t threads, double bound);
  void stop(std::uint32_t number);  // its end is not reported
  void suspend(std::uint32_t number, bool is_suspended);
  void set_bound(std::uint32_t number, double bound);
  double remaining(std::uint32_t number) const;  // of the slowest thread

  bool is_busy() const { return !running_.empty(); }
  double flops() const { return flops_; }             // of computations that ended or were stopped
  double thread_seconds() const { return seconds_; }  // of processor time in them

 private:
  struct Work;
  void finish(std::uint32_t number);
  void settle(Work& work);
  static void perform(const std::shared_ptr<Work>& work, std::size_t thread);

  boost::asio::io_context& io_;
  Ended ended_;
  std::uint32_t count_ = 0;
  std::map<std::uint32_t, std::shared_ptr<Work>> running_;
  double flops_ = 0, seconds_ = 0;
};

}  // namespace rehearse::real
