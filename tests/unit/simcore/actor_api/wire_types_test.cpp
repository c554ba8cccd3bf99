// SPDX-License-Identifier: MIT
//
// Which values can leave a process, and that they come back as they were.
#include "simcore/actor_api/wire_types.hpp"

#include <any>
#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <span>

#include "simcore/actor_api/exceptions.hpp"
#include "simcore/actor_api/payload.hpp"
#include "simcore/actor_api/resources.hpp"

namespace rehearse::sim {
namespace {

enum class Color : std::uint8_t { red, green };

struct Question {
  std::uint32_t key, asker, hops;
  bool operator==(const Question&) const = default;
};
struct Nested {
  Question question;
  double values[3];
  std::array<std::uint16_t, 4> more;
  Color color;
};
struct WithPointer {
  int number;
  int* pointer;
};
struct Hidden {
  int number;
  WithPointer inner;
};
struct Derived : Question {
  int more;
};
struct WithUnion {
  int kind;
  union {
    int number;
    double real;
  };
};
struct Named {
  std::string name;
  std::vector<Question> questions;
  bool operator==(const Named&) const = default;
  template <class Archive>
  void wire(Archive& archive) {
    archive(name, questions);
  }
};
struct WithView {
  std::string_view text;
};
struct WithOptional {
  int a;
  std::optional<int> b;
  int c;
};
struct WithReference {
  int& number;
};
struct Empty {};
class Private {
 public:
  explicit Private(int number) : number_(number) {}

 private:
  int number_;
};
struct WithString {
  std::string name;
};
struct Many {
  int a, b, c, d, e, f, g, h, i, j, k, l, m;
};

template <class T>
T there_and_back(T value) {
  const Payload sent(std::move(value));
  Payload received = Payload::from_wire(sent.wire_type(), sent.wire_bytes());
  return received.take<T>();
}

}  // namespace

TEST_CASE("wire: the types that can leave a process are found at compile time") {
  STATIC_REQUIRE(has_wire<int>);
  STATIC_REQUIRE(has_wire<Color>);
  STATIC_REQUIRE(has_wire<Question>);
  STATIC_REQUIRE(has_wire<Nested>);
  STATIC_REQUIRE(has_wire<Named>);
  STATIC_REQUIRE(has_wire<Empty>);
  STATIC_REQUIRE(has_wire<WithOptional>);
  STATIC_REQUIRE(has_wire<std::map<std::string, std::vector<std::pair<int, Question>>>>);
  STATIC_REQUIRE(has_wire<std::variant<int, std::string, Named>>);
  STATIC_REQUIRE(has_wire<std::chrono::seconds>);
  STATIC_REQUIRE_FALSE(has_wire<int*>);
  STATIC_REQUIRE_FALSE(has_wire<const char*>);
  STATIC_REQUIRE_FALSE(has_wire<WithPointer>);
  STATIC_REQUIRE_FALSE(has_wire<Hidden>);
  STATIC_REQUIRE_FALSE(has_wire<Derived>);
  STATIC_REQUIRE_FALSE(has_wire<WithUnion>);
  STATIC_REQUIRE_FALSE(has_wire<WithView>);
  STATIC_REQUIRE_FALSE(has_wire<WithReference>);
  STATIC_REQUIRE_FALSE(has_wire<Private>);
  STATIC_REQUIRE_FALSE(has_wire<WithString>);
  STATIC_REQUIRE_FALSE(has_wire<Many>);
  STATIC_REQUIRE_FALSE(has_wire<std::any>);
  STATIC_REQUIRE_FALSE(has_wire<std::span<int>>);
  STATIC_REQUIRE_FALSE(has_wire<std::function<void()>>);
  STATIC_REQUIRE_FALSE(has_wire<std::unique_ptr<int>>);
  STATIC_REQUIRE_FALSE(has_wire<HostRef>);
  STATIC_REQUIRE_FALSE(has_wire<std::vector<WithPointer>>);
  STATIC_REQUIRE_FALSE(has_wire<std::pair<int, int*>>);
}

TEST_CASE("wire: a value comes back as it was") {
  CHECK(there_and_back(42) == 42);
  CHECK(there_and_back(std::string("token")) == "token");
  CHECK(there_and_back(Question{1, 2, 3}) == Question{1, 2, 3});
  CHECK(there_and_back(std::vector<bool>{true, false, true}) == std::vector<bool>{true, false, true});
  const Named named{"peer", {{1, 2, 3}, {4, 5, 6}}};
  CHECK(there_and_back(named) == named);
  const std::map<int, std::optional<std::string>> map{{1, "one"}, {2, std::nullopt}};
  CHECK(there_and_back(map) == map);
  const std::variant<int, std::string> kinds = "text";
  CHECK(there_and_back(kinds) == kinds);
  CHECK(there_and_back(std::tuple<int, std::array<char, 2>>{7, {'a', 'b'}}) ==
        std::tuple<int, std::array<char, 2>>{7, {'a', 'b'}});
  const Nested nested = there_and_back(Nested{{1, 2, 3}, {0.5, 1.5, 2.5}, {9, 8, 7, 6}, Color::green});
  CHECK(nested.question == Question{1, 2, 3});
  CHECK(nested.values[2] == 2.5);
  CHECK(nested.more[3] == 6);
  CHECK(nested.color == Color::green);
}

TEST_CASE("wire: a message of another type, or of damaged bytes, is refused") {
  const Payload sent(std::string("token"));
  Payload received = Payload::from_wire(sent.wire_type(), sent.wire_bytes());
  CHECK(received.peek<int>() == nullptr);
  CHECK_THROWS_AS(received.take<int>(), BadUse);
  CHECK(*received.peek<std::string>() == "token");
  Payload damaged = Payload::from_wire(sent.wire_type(), sent.wire_bytes().substr(1));
  CHECK_THROWS_AS(damaged.take<std::string>(), BadUse);
  CHECK_FALSE(Payload(WithPointer{1, nullptr}).has_wire());
  CHECK(Payload().has_wire());
}

}  // namespace rehearse::sim
