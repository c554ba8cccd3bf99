// SPDX-License-Identifier: MIT
//
// The info key `soft`.
#include "smpi/communicator/soft_count.hpp"

#include <catch2/catch.hpp>
#include <vector>

namespace soft_count_test {

using rehearse::smpi::largest_soft_count;

TEST_CASE("soft count: the largest number of the list that is not too large", "[smpi][spawn]") {
  CHECK(largest_soft_count("0:5", 5) == 5);
  CHECK(largest_soft_count("0:8", 5) == 5);
  CHECK(largest_soft_count("2", 5) == 2);
  CHECK(largest_soft_count("1,3,4", 5) == 4);
  CHECK(largest_soft_count("0:20:4", 10) == 8);
  CHECK(largest_soft_count("2:10000:2", 7) == 6);
  CHECK(largest_soft_count("10:0:-3", 8) == 7);
  CHECK(largest_soft_count("10:0:-3", 0) == 0);
  CHECK(largest_soft_count("9, 1:3", 5) == 3);
}

TEST_CASE("soft count: agrees with a list of all numbers", "[smpi][spawn]") {
  for (int a = 0; a <= 6; ++a)
    for (int b = 0; b <= 6; ++b)
      for (int c = -3; c <= 3; ++c)
        for (int wanted = 0; wanted <= 7; ++wanted) {
          if (c == 0) continue;
          int best = -1;
          for (int k = 0; k < 10; ++k) {
            const int number = a + k * c;
            if (c > 0 ? number > b : number < b) break;
            if (number <= wanted && number > best) best = number;
          }
          const std::string text = std::to_string(a) + ":" + std::to_string(b) + ":" + std::to_string(c);
          INFO(text << " of " << wanted);
          CHECK(largest_soft_count(text, static_cast<unsigned>(wanted)) ==
                static_cast<unsigned>(best < 0 ? wanted : best));
        }
}

TEST_CASE("soft count: a wrong list means nothing", "[smpi][spawn]") {
  for (const char* list : {"", "x", "1:", "1:2:3:4", "7", "1;2"}) CHECK(largest_soft_count(list, 5) == 5);
}

}  // namespace soft_count_test
