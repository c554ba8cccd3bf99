// SPDX-License-Identifier: MIT
//
// JSON documents: braced lists, texts, and errors.
#include "app/json.hpp"

#include <catch2/catch.hpp>
#include <sstream>

namespace rehearse::app {
namespace {

const Json document = {{"name", "ring"},
                       {"counts", {1, -2, 0.5}},
                       {"none", nullptr},
                       {"empty", Json::array()},
                       {"nested", {{"yes", true}, {"pairs", std::vector<std::pair<std::string, int>>{{"a", 1}}}}}};

}  // namespace

TEST_CASE("json: a braced list of pairs that begin with a text is an object, any other an array", "[app]") {
  CHECK(document.is_object());
  CHECK(document.at("counts").is_array());
  CHECK(Json{{"a", 1}}.is_object());
  CHECK(Json::array({{"a", 1}}).is_array());
  CHECK(Json{{"a", {"b"}}}.dump() == R"({"a":["b"]})");
}

TEST_CASE("json: keys stay in the order of their addition", "[app]") {
  Json json;
  json["z"] = 1;
  json["a"]["b"] = 2;
  json["z"] = 3;
  CHECK(json.dump() == R"({"z":3,"a":{"b":2}})");
}

TEST_CASE("json: a stream gets the same text as a string", "[app]") {
  Json json = {{"document", document}, {"quoted", "a\"b\\\n\x7f"}, {"many", Json::array()}};
  for (int i = 0; i < 20'000; ++i) json["many"].push_back({{"number", i}, {"text", "\xc3\xa9"}});
  for (const int indent : {-1, 2}) {
    std::ostringstream out;
    json.write(out, indent);
    CHECK(out.view() == json.dump(indent));
  }
  CHECK(json.at("quoted").dump() == "\"a\\\"b\\\\\\n\x7f\"");
}

TEST_CASE("json: a document is written on one line or with an indentation", "[app]") {
  CHECK(document.dump() == R"({"name":"ring","counts":[1,-2,0.5],"none":null,"empty":[],)"
                           R"("nested":{"yes":true,"pairs":[["a",1]]}})");
  CHECK(Json{{"a", {1, 2}}, {"b", Json::object()}}.dump(2) == "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {}\n}");
}

TEST_CASE("json: a written document reads back as the same document", "[app]") {
  CHECK(parse_json(document.dump()).value() == document);
  CHECK(parse_json(document.dump(2)).value() == document);
  CHECK(parse_json("18446744073709551615").value().get<std::uint64_t>() == UINT64_MAX);
  CHECK(parse_json("-9223372036854775808").value().get<std::int64_t>() == INT64_MIN);
}

TEST_CASE("json: the last value of a repeated key counts", "[app]") {
  CHECK(parse_json(R"({"a":{"b":1},"c":2,"a":3})").value().dump() == R"({"a":3,"c":2})");
}

TEST_CASE("json: numbers that JSON cannot contain are null, and bytes that are not UTF-8 are replaced", "[app]") {
  CHECK(Json(1.0 / 0.0 * 0.0).dump() == "null");
  CHECK(Json(1.0).dump() == "1.0");
  CHECK(Json("a\xff\n\"").dump() == "\"a\xEF\xBF\xBD\\n\\\"\"");
}

TEST_CASE("json: a wrong text or a wrong kind is an error that names the value", "[app]") {
  CHECK(parse_json("[1,").error().text.find("parse error at line 1, column 4") != std::string::npos);
  CHECK_FALSE(parse_json(""));
  CHECK_FALSE(parse_json(std::string(100'000, '[')));
  CHECK_THROWS_WITH(document.at("name").get<int>(),
                    "[json.exception.type_error.302] type must be number, but is string");
  CHECK_THROWS_WITH(document.at("typo"), "[json.exception.out_of_range.403] key 'typo' not found");
  CHECK_THROWS_WITH(document.at("none").at("a"), "[json.exception.type_error.304] cannot use at() with null");
  CHECK_THROWS_AS(document.at("counts").get<std::vector<std::string>>(), JsonError);
}

TEST_CASE("json: assigning a part of a document to the document keeps the part", "[app]") {
  Json json = document;
  json = json.at("nested");
  CHECK(json == document.at("nested"));
  json = std::move(json["pairs"]);
  CHECK(json.dump() == R"([["a",1]])");
}

}  // namespace rehearse::app
