// SPDX-License-Identifier: MIT
//
// What is said of actors that did something else when they were given the same answers again.
#include "mc/history/diverged.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::history;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("diverged: operations are named in a few words", "[mc][diverged]") {
  const std::byte data[3] = {};
  Send send;
  send.destination = {4};
  send.tag = 7;
  send.data = data;
  CHECK(in_words(send, "actor") == "a message of 3 bytes to actor 4, tag 7");
  Post post;
  CHECK(in_words(post, "actor") == "a receive of any actor");
  post.pattern.source = ActorId{2};
  post.pattern.tag = 5;
  CHECK(in_words(post, "actor") == "a receive of actor 2, tag 5");
  Probe probe;
  probe.pattern.tag = 1;
  CHECK(in_words(probe, "actor") == "a probe of any actor, tag 1");
  const std::vector<RequestId> requests(2);
  CHECK(in_words(Observe{requests}, "actor") == "the completion of 2 requests");
  Collective collective;
  collective.name = "barrier";
  CHECK(in_words(collective, "actor") == "barrier");
  CHECK(in_words(Fail{FailureKind::crash, "crash.x", ""}, "actor") == "failure (crash.x)");
  CHECK(in_words(End{3}, "actor") == "its end, with status 3");
}

TEST_CASE("diverged: the text names the actor and the difference", "[mc][diverged]") {
  CHECK(to_text(Diverged{{3}, "it moved", "actor"}) == "actor 3 is not deterministic: it moved");
}

TEST_CASE("diverged: the difference is the operation, its data, or a local operation before it", "[mc][diverged]") {
  const CallDescription here{"f()", {{"work", "a.c", 9}}};
  const std::string operation = describe_difference(End{0}, End{1}, false, here, "actor");
  CHECK(has(operation, "asks for its end, with status 1 (a.c:9) and asked for its end, with status 0 before"));
  CHECK(has(describe_difference(End{0}, End{0}, true, {}, "actor"), "with other data than before"));
  const std::string before = describe_difference(End{0}, End{0}, false, {}, "actor");
  CHECK(has(before, "after other output, looks at the clock"));
  CHECK_FALSE(has(before, "("));  // where it stands is not known
}
