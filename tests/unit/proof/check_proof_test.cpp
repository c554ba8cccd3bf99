// SPDX-License-Identifier: MIT
//
// The checker of proof files on a small proof, and on files that a careless checker would accept.
#include "proof/check_proof.hpp"

#include <catch2/catch.hpp>
#include <sstream>
#include <string>

using namespace rehearse;

namespace {

// Rank 1 sends a message, and rank 0 takes it.
const std::string net = "rehearse-proof 1\nnet a pair\nranks 2\nchannel 1 0\nmessage 0 0\n"
                        "point 0 waits\npoint 1 while-any 0\npoint 0 ends\npoint 1 ends\n"
                        "start 0\nstart 1 sends 0\nstep 0 2 0\nstep 1 3 -\n";
const std::string deadlocks = "deadlock 0\nsum\npoint 0 -1\nmessage 0 1\ntakes 0 1\nquestion 2\nend\n"
                              "deadlock 1\nsum\npoint 0 1\nmessage 0 -1\ntakes 0 1\nstays 1 0 2\nquestion 2\nend\n";
const std::string loss = "loss 0\nsum\npoint 2 -1\nmessage 0 -1\nended 0 1\nquestion 1\nend\n";

// "accepted", "refused: WHY" or "error: WHY".
std::string judge(const std::string& text) {
  std::istringstream in(text);
  const Result<proof::Judgement> judged = proof::check_proof(in);
  if (!judged) return "error: " + judged.error().text;
  return judged.value().refusal.empty() ? "accepted" : "refused: " + judged.value().refusal;
}

std::string with(std::string text, const std::string& old, const std::string& other) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), other);
}

}  // namespace

TEST_CASE("proof: a proof is accepted, with what it contains", "[proof]") {
  std::istringstream in(net + deadlocks + loss);
  const Result<proof::Judgement> judged = proof::check_proof(in);
  REQUIRE(judged);
  CHECK(judged.value().refusal.empty());
  CHECK(judged.value().nets == 1);
  CHECK(judged.value().steps == 2);
  CHECK(judged.value().questions == 3);
  CHECK(judged.value().multipliers == 13);
  CHECK(judge(net + "# a remark\n\n" + deadlocks + loss) == "accepted");
}

TEST_CASE("proof: each question must be there, and its sum must be a contradiction", "[proof]") {
  CHECK(judge(net + loss + deadlocks) == "accepted");
  CHECK(judge(net + deadlocks) == "refused: net 1: nothing excludes that message 0 is lost");
  CHECK(judge(net + loss) == "refused: net 1: nothing excludes that a rank waits at point 0 for ever");
  CHECK(judge("rehearse-proof 1\n") == "refused: there is no net in the file");
  CHECK(judge(with(net + deadlocks + loss, "message 0 1", "message 0 0")) ==
        "refused: line 15: the sum of these rows has a solution");
  CHECK(judge(with(net + deadlocks + loss, "takes 0 1", "takes 0 -1")) ==
        "refused: line 18: the multiplier of an inequality is not negative");
  CHECK(judge(with(net + deadlocks + loss, "question 2", "question 2305843009213693952")) ==
        "refused: line 19: a multiplier is at most 2^60");
}

TEST_CASE("proof: a failing step needs a question of its own, and has no row of the question", "[proof]") {
  const std::string fails = with(net, "step 0 2 0\n", "step 0 2 0\nfail 0 0 a reason\n");
  CHECK(judge(fails + deadlocks + loss) ==
        "refused: net 1: nothing excludes the failing step from point 0 with message 0");
  // An empty sum of points that is at least 1 would refute everything.
  CHECK(judge(fails + deadlocks + loss + "failure 0 0\nsum\nquestion 1\nend\n") ==
        "error: line 39: there is no row 'question' for this question");
  CHECK(judge(fails + deadlocks + loss + "failure 0 0\nsum\nend\n") ==
        "refused: line 38: the sum of these rows has a solution");
}

TEST_CASE("proof: rows belong to their kind of question", "[proof]") {
  CHECK(judge(with(net + deadlocks + loss, "ended 0 1", "takes 0 1")) ==
        "error: line 33: there is no row 'takes' for this question");
  CHECK(judge(with(net + deadlocks + loss, "takes 0 1", "ended 0 1")) ==
        "error: line 18: there is no row 'ended' for this question");
  CHECK(judge(with(net + deadlocks + loss, "stays 1 0 2", "stays 0 0 2")) ==
        "error: line 26: a rank may stay at this point");
}

TEST_CASE("proof: what is known at a point comes from its steps", "[proof]") {
  const auto sent_at = [&](const std::string& question, const std::string& row) {
    return judge(net + question + "\nsum\n" + row + " 0\nend\n");
  };
  // Rank 0 has not taken the message at point 0. So this row is an inequality, and 0 times it is no contradiction.
  CHECK(sent_at("deadlock 0", "taken 0 0") == "refused: line 15: the sum of these rows has a solution");
  CHECK(sent_at("deadlock 1", "sent 0 0") == "refused: line 15: the sum of these rows has a solution");
  CHECK(sent_at("deadlock 1", "taken 0 0") == "error: line 16: the channel belongs to other ranks");
  CHECK(sent_at("deadlock 0 1", "taken 0 0") == "error: line 16: this question is not about one point");
}

TEST_CASE("proof: nets whose states could have other values than 0 and 1 are refused", "[proof]") {
  const auto changed = [&](const std::string& old, const std::string& other) {
    return judge(with(net + deadlocks + loss, old, other));
  };
  CHECK(changed("start 1 sends 0", "start 1 sends 0 0") ==
        "error: line 11: message 0 is not the next one in its channel");
  CHECK(changed("message 0 0", "message 0 1") == "error: line 11: message 0 is not the next one in its channel");
  CHECK(changed("step 1 3 -", "step 1 1 -") == "error: line 14: steps of the net above lead back to a point");
  CHECK(changed("start 0\n", "start 0\nstart 2\n") == "error: line 11: this rank has a second start");
  CHECK(changed("start 0\n", "") == "error: line 13: a rank of the net above has no start");
  CHECK(changed("step 0 2 0", "step 0 3 0") == "error: line 12: the points of a step belong to two ranks");
  CHECK(changed("step 1 3 -", "step 1 3 0") == "error: line 13: the message is for another rank");
  CHECK(changed("step 0 2 0", "step 0 2 0 sends 0") == "error: line 12: another rank sends message 0");
  CHECK(changed("point 0 ends", "point 0 fails") == "error: line 12: only failing steps lead to a point that fails");
  CHECK(changed("point 0 waits", "point 0 goes-on") ==
        "error: line 14: point 0 of the net above goes on, but no step without a message does");
}

TEST_CASE("proof: no deadlock where a receive accepts a message that is there", "[proof]") {
  // Rank 0 takes the message in no step, but its receive accepts it. So the deadlock needs the balance of the message.
  const std::string accepting = with(net, "step 0 2 0\n", "step 0 2 -\naccepts 0 0\n");
  const std::string question = "deadlock 0\nsum\npoint 1 0\nmessage 0 1\ntakes 0 1\nquestion 1\nend\n";
  CHECK(judge(accepting + question) == "refused: net 1: nothing excludes that a rank waits at point 1 for ever");
  CHECK(judge(with(net, "step 0 2 0\n", "step 0 2 -\n") + question) ==
        "error: line 18: no step takes this message, and no point accepts it");
  CHECK(judge(with(accepting, "accepts 0 0", "accepts 1 0") + question) ==
        "error: line 13: the message is for another rank");
  CHECK(judge(with(accepting, "accepts 0 0", "accepts 0 -") + question) ==
        "error: line 13: '-' is not the number of a message (below 1)");
}

TEST_CASE("proof: an excluded point stays excluded in later questions that say so", "[proof]") {
  // Alone, "rank 1 stays at point 1" is refuted by the message; with point 0 excluded, by the points of rank 0, too.
  const std::string first = "deadlock 0\nsum\npoint 0 -1\nmessage 0 1\ntakes 0 1\nquestion 2\nend\n";
  const std::string second = "deadlock-after 1\nsum\npoint 0 1\nmessage 0 -1\nstays 1 0 1\nend\n";
  CHECK(judge(net + first + second + loss) == "accepted");
  CHECK(judge(net + second + first + loss) == "refused: line 15: the sum of these rows has a solution");
  CHECK(judge(net + first + with(second, "deadlock-after", "deadlock") + loss) ==
        "refused: line 22: the sum of these rows has a solution");
}

TEST_CASE("proof: a file of another version is refused by its version", "[proof]") {
  CHECK(judge(with(net + deadlocks + loss, "rehearse-proof 1", "rehearse-proof 2")) ==
        "error: line 1: this proof file has the version '2'; accepted: 1");
}
