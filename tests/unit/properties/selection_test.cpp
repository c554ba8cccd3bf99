// SPDX-License-Identifier: MIT
//
// The findings of judges that are reported.
#include "properties/selection.hpp"

#include <catch2/catch.hpp>

namespace rehearse::properties {
namespace {

Finding finding(const char* id, const char* file = "", int line = 0, const char* function = "") {
  Finding made;
  made.id = id;
  made.locations.push_back({.actor = {0}, .call = "", .file = file, .line = line, .function = function, .what = ""});
  return made;
}

TEST_CASE("selection: nothing chosen reports all", "[properties]") {
  const Selection selection;
  CHECK(selection.is_all());
  CHECK(selection.describe().empty());
  CHECK(selection.reports(finding("message.lost")));
}

TEST_CASE("selection: an id, or its first word, chooses", "[properties]") {
  Selection only, without;
  REQUIRE(only.select_only({"message", "deadlock.cycle"}));
  CHECK(only.reports(finding("message.lost")));
  CHECK(only.reports(finding("deadlock.cycle")));
  CHECK_FALSE(only.reports(finding("deadlock.orphan")));
  REQUIRE(without.leave_out({"message.lost"}));
  CHECK_FALSE(without.reports(finding("message.lost")));
  CHECK(without.reports(finding("message.type")));
  CHECK(without.describe() == "findings of message.lost do not count");
}

TEST_CASE("selection: errors that a program ignores are warnings, errors, or nothing", "[properties]") {
  using IgnoredErrors = Selection::IgnoredErrors;
  Outcome outcome;
  outcome.actors.resize(1);
  Finding ignored = finding("error.ignored");
  ignored.severity = Severity::warning;
  outcome.reports.emplace_back(ActorId{0}, ignored);
  const Describe describe = [](ActorId) { return CallDescription{}; };
  Selection selection;
  CHECK(selection.judge(outcome, describe).at(0).severity == Severity::warning);
  selection.take_ignored_errors_for(IgnoredErrors::errors);
  CHECK(selection.judge(outcome, describe).at(0).severity == Severity::error);
  CHECK(selection.describe().empty());
  selection.take_ignored_errors_for(IgnoredErrors::nothing);
  CHECK(selection.judge(outcome, describe).empty());
  CHECK(selection.describe() == "errors that calls return do not count");
}

TEST_CASE("selection: a check without any reported finding need not run", "[properties]") {
  Selection all, only, without, excepted;
  CHECK(all.wants("buffer.overlap"));
  REQUIRE(only.select_only({"deadlock", "buffer.touched"}));
  CHECK_FALSE(only.wants("buffer.overlap"));
  CHECK(only.wants("buffer.touched"));
  REQUIRE(without.leave_out({"buffer"}));
  CHECK_FALSE(without.wants("buffer.overlap"));
  CHECK(without.wants("argument.buffer"));
  REQUIRE(excepted.add_exceptions("list", "buffer.overlap\nbuffer.touched at a.c\nargument.buffer in main\n"));
  CHECK_FALSE(excepted.wants("buffer.overlap"));
  CHECK(excepted.wants("buffer.touched"));
  CHECK(excepted.wants("argument.buffer"));
}

TEST_CASE("selection: what is no check, or half a word, is refused by name", "[properties]") {
  Selection selection;
  const auto unknown = selection.select_only({"message.lsot"});
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().text ==
        "'message.lsot' is neither a check nor the first word of checks (see rehearse list checks)");
  CHECK_FALSE(selection.select_only({"mess"}));
  CHECK_FALSE(selection.leave_out({"unsupported"}));
}

TEST_CASE("selection: exceptions are by id, function, file and line", "[properties]") {
  Selection selection;
  REQUIRE(selection.add_exceptions("list", "# known\nmessage.lost at ring.c:12\nresource in main  # of it\ndeadlock\n"
                                           "argument.tag at src/b.c\n"));
  CHECK_FALSE(selection.reports(finding("message.lost", "/home/x/ring.c", 12)));
  CHECK(selection.reports(finding("message.lost", "/home/x/ring.c", 13)));
  CHECK(selection.reports(finding("message.lost", "/home/x/string.c", 12)));
  CHECK_FALSE(selection.reports(finding("resource.group", "a.c", 1, "main")));
  CHECK(selection.reports(finding("resource.group", "a.c", 1, "other")));
  CHECK_FALSE(selection.reports(finding("deadlock.cycle")));
  CHECK_FALSE(selection.reports(finding("argument.tag", "/x/src/b.c", 3)));
  CHECK(selection.reports(finding("argument.tag", "/x/b.c", 3)));
}

TEST_CASE("selection: a line that is no exception is reported with its place", "[properties]") {
  Selection selection;
  const auto wrong = [&](const char* text) {
    auto done = selection.add_exceptions("list", text);
    return done ? std::string("accepted") : done.error().text;
  };
  CHECK(wrong("\nmessage.lost ring.c") == "list:2: 'ring.c', expected in FUNCTION, at FILE or at FILE:LINE");
  CHECK(wrong("message.lost at ring.c:x") == "list:1: 'x' is not a line number");
  CHECK(wrong("lost") == "list:1: 'lost' is neither a check nor the first word of checks (see rehearse list checks)");
}

TEST_CASE("selection: a finding that ended a rank and is not reported is a limit", "[properties]") {
  Outcome outcome;
  outcome.actors.resize(1);
  outcome.actors[0].state = ActorOutcome::State::failed;
  outcome.actors[0].failure = FailureKind::misuse;
  outcome.actors[0].id = "argument.tag";
  const Describe describe = [](ActorId) { return CallDescription{}; };
  Selection selection;
  REQUIRE(selection.leave_out({"argument"}));
  const auto findings = selection.judge(outcome, describe);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].id == outcomes_left_out);
  CHECK(findings[0].message == "the behaviour of rank 0 after argument.tag, which is not reported");
  REQUIRE(selection.leave_out({"message"}));
  CHECK(selection.judge(outcome, describe).at(0).id == "argument.tag");
}

}  // namespace
}  // namespace rehearse::properties
