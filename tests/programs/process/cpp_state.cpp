// SPDX-License-Identifier: MIT
//
// C++ in every rank: constructors, destructors, exceptions, streams, thread_local variables, a private library.
#include <unistd.h>

#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "private_library.hpp"

namespace {

struct Announcer {
  std::string name;
  explicit Announcer(const char* text) : name(text) { std::cout << "+" << name; }
  ~Announcer() { std::cout << "-" << name << std::flush; }
};

Announcer global("global");
std::string text = "a global string that is too long for the small buffer";
thread_local std::vector<int> numbers{1, 2, 3};

int depth(int n) {
  Announcer local("u");
  usleep(1);
  if (n == 0) throw std::out_of_range("deep");
  return depth(n - 1) + 1;
}

}  // namespace

int main() {
  const int rank = static_cast<int>(getpid() % 1000);
  static Announcer local("static");
  text += std::to_string(rank % 1);
  numbers.push_back(rank);
  library_set(rank);
  usleep(1);
  try {
    depth(2);
  } catch (const std::exception& caught) {
    usleep(1);
    std::cout << caught.what();
  }
  try {
    library_throw(rank);
  } catch (const std::runtime_error& caught) {
    std::cout << (caught.what() == std::to_string(rank));
  }
  std::map<std::string, int> map{{"x", 1}};
  std::cout << map["x"] << text.size() << numbers.size() << (numbers.back() == rank) << library_get() - rank << '\n';
  std::cerr << "err";
}
