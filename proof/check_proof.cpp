// SPDX-License-Identifier: MIT
//
// Nets, their questions, and for each question a sum of rows, or a variable and two further sums.
#include "proof/check_proof.hpp"

#include <set>
#include <vector>

#include "proof/lines.hpp"
#include "proof/obligations.hpp"
#include "proof/read_net.hpp"
#include "proof/rows.hpp"

namespace rehearse::proof {

namespace {

// Thrown: the file is no proof.
struct Refused {
  std::string why;
};

class NetChecker {
 public:
  NetChecker(Lines& lines, const Net& net, Judgement& judgement)
      : lines_(lines), net_(net), judgement_(judgement), order_(in_order(net)), rows_(net, order_), open_(net) {}

  // All questions up to the next net.
  void check() {
    while (!lines_.is_over() && !lines_.is("net")) {
      const StateQuestion question = read_question();
      Values values(rows_.variable_count());
      if (question.point != none) values[rows_.point(question.point)] = true;
      if (question.message != none) values[rows_.message(question.message)] = true;
      lines_.next();
      refute(question, values);
      open_.discharge(question);
      if (question.kind == Kind::deadlock) excluded_.insert(question.elements.begin(), question.elements.end());
      ++judgement_.questions;
    }
    if (const std::string open = open_.open(); !open.empty()) throw Refused{"net " + number() + ": " + open};
  }

 private:
  std::string number() const { return std::to_string(judgement_.nets); }

  StateQuestion read_question() {
    StateQuestion question;
    const std::size_t points = net_.points.size(), messages = net_.messages.size();
    if (lines_.is("failure")) {
      lines_.require_words(3);
      question.point = lines_.index(1, points, "point");
      if (lines_.words().size() < 3 || lines_.words()[2] != "-")
        question.message = lines_.index(2, messages, "message");
      return question;
    }
    question.is_after_others = lines_.is("deadlock-after");
    if (!lines_.is("deadlock") && !question.is_after_others && !lines_.is("loss"))
      lines_.refuse("'" + lines_.words().front() + "' is neither failure, deadlock nor loss");
    const bool is_loss = lines_.is("loss");
    question.kind = is_loss ? Kind::loss : Kind::deadlock;
    for (std::size_t word = 1; word < lines_.words().size(); ++word)
      question.elements.push_back(lines_.index(word, is_loss ? messages : points, is_loss ? "message" : "point"));
    if (question.elements.size() == 1) (is_loss ? question.message : question.point) = question.elements.front();
    return question;
  }

  // Two cases, or a sum of rows that is a contradiction.
  void refute(const StateQuestion& question, Values& values) {
    if (lines_.is("divide")) {
      const std::uint32_t variable = read_variable();
      if (values[variable]) lines_.refuse("this variable has a value already");
      lines_.next();
      for (const bool value : {true, false}) {
        values[variable] = value;
        refute(question, values);
      }
      values[variable].reset();
      return;
    }
    if (!lines_.is("sum")) lines_.refuse("'sum' or 'divide' is expected here");
    const std::string place = lines_.placed("");
    ExactSum sum(rows_.variable_count());
    for (lines_.next(); !lines_.is("end"); lines_.next()) add_row(question, sum);
    lines_.next();
    if (!sum.is_contradiction(known(question, values))) throw Refused{place + "the sum of these rows has a solution"};
  }

  // In a deadlock, no rank stands at a point that an earlier question has excluded.
  Values known(const StateQuestion& question, Values values) const {
    if (!question.is_after_others) return values;
    for (const std::uint32_t point : excluded_)
      if (!values[rows_.point(point)]) values[rows_.point(point)] = false;
    return values;
  }

  void add_row(const StateQuestion& question, ExactSum& sum) {
    if (lines_.is_over()) lines_.refuse("the file ends within a sum");
    std::size_t used = 0;
    const Row row = rows_.named(lines_, question, used);
    lines_.require_words(used + 1);
    if (const std::string why = sum.add(row, lines_.integer(used)); !why.empty()) throw Refused{lines_.placed(why)};
    ++judgement_.multipliers;
  }

  std::uint32_t read_variable() {
    lines_.require_words(3);
    const std::string kind = lines_.words().size() > 1 ? lines_.words()[1] : "";
    if (kind == "step") return rows_.step(lines_.index(2, net_.steps.size(), "step"));
    if (kind == "point") return rows_.point(lines_.index(2, net_.points.size(), "point"));
    if (kind == "message") return rows_.message(lines_.index(2, net_.messages.size(), "message"));
    lines_.refuse("a question is divided by a step, a point or a message");
  }

  Lines& lines_;
  const Net& net_;
  Judgement& judgement_;
  std::vector<std::uint32_t> order_;
  Rows rows_;
  Obligations open_;
  std::set<std::uint32_t> excluded_;  // points at which no rank stands in a deadlock
};

void check_all(Lines& lines, Judgement& judgement) {
  if (!lines.is("rehearse-proof") || lines.words().size() != 2)
    lines.refuse("a proof file begins with 'rehearse-proof 1'");
  if (lines.words()[1] != "1") lines.refuse("this proof file has the version '" + lines.words()[1] + "'; accepted: 1");
  lines.next();
  while (!lines.is_over()) {
    if (!lines.is("net")) lines.refuse("'net' is expected here");
    lines.next();
    const Net net = read_net(lines);
    ++judgement.nets;
    judgement.steps += net.steps.size();
    NetChecker(lines, net, judgement).check();
  }
  if (judgement.nets == 0) throw Refused{"there is no net in the file"};
}

}  // namespace

Result<Judgement> check_proof(std::istream& in) {
  Judgement judgement;
  try {
    Lines lines(in);
    check_all(lines, judgement);
  } catch (const BadLine& bad) {
    return Error{bad.text};
  } catch (const Refused& refused) {
    judgement.refusal = refused.why;
  }
  return judgement;
}

}  // namespace rehearse::proof
