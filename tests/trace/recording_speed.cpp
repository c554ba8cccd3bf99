// SPDX-License-Identifier: MIT
//
// Measures the format on a sweep of 64 ranks with noisy volumes (receive, receive, compute, send, send) and on a ring:
// bytes an action, and actions a second written and read.
#include <chrono>
#include <cstdio>
#include <random>
#include <string>

#include "trace/rtrace/file.hpp"
#include "trace/rtrace/writer.hpp"

using namespace rehearse;
using namespace rehearse::trace::rtrace;

namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void measure(const char* name, bool is_sweep, std::uint32_t rounds) {
  constexpr std::uint32_t side = 8, ranks = side * side;
  const std::string path = "speed.rtrace";
  auto writer = Writer::create(path, ranks, "{}");
  if (!writer) return;
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(1, 0.02);
  std::vector<double> volumes(1 << 16);
  for (double& volume : volumes) volume = std::floor(1e5 * noise(random));
  const std::vector<std::byte> data(1240);
  const Observation yes;
  std::uint64_t made = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const std::uint32_t x = rank % side, y = rank / side;
    std::uint32_t request = 0;
    const auto ask = [&](const Operation& operation, std::uint64_t site) {
      writer.value()->append({rank}, operation, &yes, {}, site);
    };
    const auto receive = [&](std::uint32_t from, std::uint64_t site) {
      Post post;
      post.request = {request++};
      post.pattern = {{1}, ActorId{from}, Tag{5}};
      post.capacity_bytes = data.size();
      post.blocking = true;
      ask(post, site);
    };
    const auto send = [&](std::uint32_t to, std::uint64_t site) {
      Send send;
      send.request = {request++};
      send.context = {1};
      send.destination = {to};
      send.tag = 5;
      send.blocking = true;
      send.data = data;
      ask(send, site);
    };
    for (std::uint32_t round = 0; round < rounds; ++round) {
      if (!is_sweep) {
        send((rank + 1) % ranks, 1);
        receive((rank + ranks - 1) % ranks, 2);
        continue;
      }
      if (x > 0) receive(rank - 1, 1);
      if (y > 0) receive(rank - side, 2);
      ask(Compute{volumes[made++ & 0xffff], VolumeOrigin::stretch}, 3);
      if (x + 1 < side) send(rank + 1, 4);
      if (y + 1 < side) send(rank + side, 5);
    }
    ask(End{}, 0);
  }
  const std::uint64_t actions = writer.value()->actions();
  if (!writer.value()->finish([](Site&) {})) return;
  const double writing = seconds_since(begin);
  const auto file = File::open(path);
  if (!file) return;
  const auto again = std::chrono::steady_clock::now();
  Event event;
  std::uint64_t read = 0;
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    for (Reader reader(*file.value(), rank); reader.next(event);) ++read;
  const double reading = seconds_since(again);
  std::printf("%-6s %llu actions, %llu bytes, %.3f bytes an action, written %.1f M/s, read %.1f M/s\n", name,
              static_cast<unsigned long long>(read), static_cast<unsigned long long>(file.value()->bytes()),
              static_cast<double>(file.value()->bytes()) / static_cast<double>(actions),
              static_cast<double>(actions) / writing / 1e6, static_cast<double>(read) / reading / 1e6);
}

}  // namespace

int main() {
  measure("sweep", true, 10000);
  measure("ring", false, 20000);
  return 0;
}
