// SPDX-License-Identifier: MIT
//
// Values come back from their bytes; a reader that meets what cannot be turns bad and gives zeros.
#include "mc/records/bytes.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "simcore/support/random.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::records;

TEST_CASE("bytes: numbers of every length come back", "[mc][records]") {
  Writer to;
  std::vector<std::uint64_t> numbers{0, 1, 127, 128, 16383, 16384, std::numeric_limits<std::uint64_t>::max()};
  SplitMix chance(5);
  for (unsigned bits = 1; bits < 64; ++bits) numbers.push_back(chance.next() >> bits);
  for (const std::uint64_t number : numbers) to.number(number);
  Reader from(to.bytes());
  for (const std::uint64_t number : numbers) CHECK(from.number() == number);
  CHECK(from.at_end());
  CHECK(from.is_good());
}

TEST_CASE("bytes: small numbers take one byte, the largest ten", "[mc][records]") {
  const auto size = [](std::uint64_t number) {
    Writer to;
    to.number(number);
    return to.bytes().size();
  };
  CHECK(size(0) == 1);
  CHECK(size(127) == 1);
  CHECK(size(128) == 2);
  CHECK(size(std::numeric_limits<std::uint64_t>::max()) == 10);
}

TEST_CASE("bytes: texts with any content come back", "[mc][records]") {
  const std::string zeros("a\0b\0", 4), long_one(1000, 'x');
  Writer to;
  for (const std::string& text : {std::string(), zeros, long_one}) to.text(text);
  Reader from(to.bytes());
  CHECK(from.text().empty());
  CHECK(from.text() == zeros);
  CHECK(from.text() == long_one);
  CHECK(from.at_end());
}

TEST_CASE("bytes: plain values come back bit by bit", "[mc][records]") {
  Writer to;
  to.plain(-0.0);
  to.plain(std::uint16_t{0xabcd});
  Reader from(to.bytes());
  CHECK(std::signbit(from.plain<double>()));
  CHECK(from.plain<std::uint16_t>() == 0xabcd);
  CHECK(from.at_end());
}

TEST_CASE("bytes: takes() passes an expected value and leaves another one", "[mc][records]") {
  Writer to;
  to.plain(std::uint8_t{3});
  to.plain(std::uint8_t{4});
  Reader from(to.bytes());
  CHECK_FALSE(from.takes(std::uint8_t{4}));
  CHECK(from.takes(std::uint8_t{3}));
  CHECK_FALSE(from.takes(std::uint32_t{4}));  // there are not so many bytes
  CHECK(from.takes(std::uint8_t{4}));
  CHECK(from.at_end());
  CHECK(from.is_good());
}

TEST_CASE("bytes: a reader that meets the end gives zeros from then on", "[mc][records]") {
  Writer to;
  to.number(300);
  to.text("abc");
  for (std::size_t cut = 0; cut < to.bytes().size(); ++cut) {
    const std::string part = to.bytes().substr(0, cut);
    Reader from(part);
    from.number();
    const std::string_view text = from.text();
    CHECK_FALSE(from.is_good());
    CHECK(text.empty());
    CHECK(from.number() == 0);
    CHECK(from.plain<std::uint64_t>() == 0);
    CHECK(from.count() == 0);
  }
}

TEST_CASE("bytes: a number that does not end in time, and more values than bytes, are bad", "[mc][records]") {
  const std::string endless(11, static_cast<char>(0x80));
  Reader number(endless);
  CHECK(number.number() == 0);
  CHECK_FALSE(number.is_good());
  Writer to;
  to.number(1000);
  Reader count(to.bytes());
  CHECK(count.count() == 0);
  CHECK_FALSE(count.is_good());
}

TEST_CASE("bytes: a reader that is marked bad stays bad", "[mc][records]") {
  Writer to;
  to.number(7);
  Reader from(to.bytes());
  from.fail();
  CHECK_FALSE(from.is_good());
  CHECK(from.number() == 0);
  CHECK(from.remaining() == 0);
}
