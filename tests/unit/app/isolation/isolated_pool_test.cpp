// SPDX-License-Identifier: MIT
//
// Tests of work in several child processes.
#include "app/isolated_pool.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <map>

#include "tests/support/temporary_file.hpp"

namespace rehearse::app {
namespace {

std::string rest_of_input() {
  std::string text(100, ' ');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, read(STDIN_FILENO, text.data(), text.size()))));
  return text;
}

std::map<std::size_t, std::string> texts_of(IsolatedPool& pool) {
  std::map<std::size_t, std::string> texts;
  while (const auto ended = pool.wait({})) texts[ended->number] = ended->text + ended->death;
  return texts;
}

}  // namespace

TEST_CASE("isolated pool: each child returns its text, also a long one") {
  IsolatedPool pool;
  for (const std::size_t number : {4, 7, 9})
    REQUIRE(pool.start(number, IsolatedPool::Streams::none, [=] { return std::string(number * 50'000, 'x'); }));
  CHECK(pool.running() == std::vector<std::size_t>{4, 7, 9});
  for (const auto& [number, text] : texts_of(pool)) CHECK(text.size() == number * 50'000);
  CHECK(pool.running().empty());
}

TEST_CASE("isolated pool: a child that dies does not disturb the others") {
  IsolatedPool pool;
  REQUIRE(pool.start(0, IsolatedPool::Streams::none, []() -> std::string {
    raise(SIGSEGV);
    return "never";
  }));
  REQUIRE(pool.start(1, IsolatedPool::Streams::none, [] { return std::string("good"); }));
  auto texts = texts_of(pool);
  CHECK(texts[0].starts_with("by signal 11"));
  CHECK(texts[1] == "good");
}

TEST_CASE("isolated pool: a stop ends the wait, and the end of the pool the children") {
  const auto begin = StopToken::Clock::now();
  {
    IsolatedPool pool;
    REQUIRE(pool.start(0, IsolatedPool::Streams::none, [] {
      usleep(30'000'000);
      return std::string();
    }));
    CHECK_FALSE(pool.wait(StopToken().until(begin, 0.1)));
    CHECK(pool.running().size() == 1);
  }
  CHECK(StopToken::Clock::now() - begin < std::chrono::seconds(20));
}

TEST_CASE("isolated pool: each child reads a file on standard input from the place where it stands") {
  const testing::TemporaryFile file("0123456789");
  const int before = dup(STDIN_FILENO), input = open(file.path().c_str(), O_RDONLY);
  dup2(input, STDIN_FILENO);
  lseek(STDIN_FILENO, 3, SEEK_SET);
  {
    IsolatedPool pool;
    REQUIRE(pool.start(0, IsolatedPool::Streams::of_this_process, rest_of_input));
    REQUIRE(pool.start(1, IsolatedPool::Streams::none, rest_of_input));
    auto texts = texts_of(pool);
    CHECK(texts[0] == "3456789");
    CHECK(texts[1] == "3456789");
  }
  dup2(before, STDIN_FILENO);
  close(before);
  close(input);
}

}  // namespace rehearse::app
