// SPDX-License-Identifier: MIT
//
// The threads of the C++ library: conditions, futures, atomic waits, call_once, an exception in a future.
// flags: -pthread -std=c++20
// ranks: 1
#include <mpi.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

int main() {
  MPI_Init(nullptr, nullptr);
  std::mutex mutex;
  std::condition_variable condition;
  std::atomic<int> stage = 0;
  std::once_flag once;
  int turn = 0, initialised = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      std::call_once(once, [&] { ++initialised; });
      std::unique_lock lock(mutex);
      condition.wait(lock, [&] { return turn == 3 - i; });
      ++turn;
      condition.notify_all();
    });
  for (auto& thread : threads) thread.join();
  assert(turn == 4 && initialised == 1);
  std::thread waiter([&] {
    stage.wait(0);
    assert(stage == 1);
    stage = 2;
    stage.notify_all();
  });
  stage = 1;
  stage.notify_all();
  stage.wait(1);
  waiter.join();
  auto sum = std::async(std::launch::async, [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return 42;
  });
  auto thrown = std::async(std::launch::async, []() -> int { throw std::runtime_error("late"); });
  assert(sum.wait_for(std::chrono::milliseconds(1)) == std::future_status::timeout && sum.get() == 42);
  bool is_caught = false;
  try {
    thrown.get();
  } catch (const std::runtime_error&) {
    is_caught = true;
  }
  assert(is_caught);
  MPI_Finalize();
}
