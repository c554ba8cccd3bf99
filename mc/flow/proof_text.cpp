// SPDX-License-Identifier: MIT
//
// One line after the other.
#include "mc/flow/proof_text.hpp"

#include <array>
#include <charconv>

namespace rehearse::mc::flow {

namespace {

const char* word_of(RowName::Kind kind) {
  switch (kind) {
    case RowName::Kind::point: return "point";
    case RowName::Kind::message: return "message";
    case RowName::Kind::takes: return "takes";
    case RowName::Kind::stays: return "stays";
    case RowName::Kind::ended: return "ended";
    case RowName::Kind::taken: return "taken";
    case RowName::Kind::sent: return "sent";
    case RowName::Kind::question: break;
  }
  return "question";
}

const char* word_of(ProofText::Kind kind) {
  switch (kind) {
    case ProofText::Kind::failure: return "failure";
    case ProofText::Kind::deadlock: return "deadlock";
    case ProofText::Kind::deadlock_after: return "deadlock-after";
    case ProofText::Kind::loss: break;
  }
  return "loss";
}

bool has_second(RowName::Kind kind) {
  return kind == RowName::Kind::stays || kind == RowName::Kind::taken || kind == RowName::Kind::sent;
}

}  // namespace

std::string label_of(bool sends_wait, bool all_members_wait) {
  return std::string(sends_wait ? "sends may wait" : "no send waits") + ", " +
         (all_members_wait ? "members of collectives wait for all" : "members of collectives wait for their data");
}

void ProofText::begin_net(std::string_view label, std::uint32_t ranks) {
  word("net");
  remark(label);
  end_line();
  word("ranks");
  number(ranks);
  end_line();
}

void ProofText::word(std::string_view word) {
  if (!text_.empty() && text_.back() != '\n') text_ += ' ';
  text_ += word;
}

void ProofText::number(std::uint64_t number) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  word({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

void ProofText::number_or_none(std::uint32_t number_or_none) {
  if (number_or_none == no_element) word("-");
  else number(number_or_none);
}

void ProofText::remark(std::string_view text) {
  std::string line(text);
  for (char& letter : line)
    if (static_cast<unsigned char>(letter) < ' ') letter = ' ';
  word(line);
}

void ProofText::add(Kind kind, const Elements& elements, const Names& names, const Refutation& refutation) {
  word(word_of(kind));
  for (const std::uint32_t element : elements) number_or_none(element);
  end_line();
  write(names, refutation);
}

void ProofText::write(const Names& names, const Refutation& refutation) {
  if (refutation.divided) {
    word("divide");
    word(names.variable(*refutation.divided));
    end_line();
    for (const Refutation& part : refutation.parts) write(names, part);
    return;
  }
  word("sum");
  end_line();
  for (const auto& [row, multiplier] : refutation.multipliers) {
    const RowName name = row < names.rows.size() ? names.rows[row] : names.question_rows[row - names.rows.size()];
    word(word_of(name.kind));
    if (name.kind != RowName::Kind::question) number(name.first);
    if (has_second(name.kind)) number(name.second);
    word(std::to_string(multiplier));
    end_line();
  }
  word("end");
  end_line();
}

}  // namespace rehearse::mc::flow
