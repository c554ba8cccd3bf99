// SPDX-License-Identifier: MIT
//
// One line after the other.
#include "mc/flow/proof_writer.hpp"

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

bool has_second(RowName::Kind kind) {
  return kind == RowName::Kind::stays || kind == RowName::Kind::taken || kind == RowName::Kind::sent;
}

// A text in one line.
std::string line_of(std::string_view text) {
  std::string line(text);
  for (char& letter : line)
    if (static_cast<unsigned char>(letter) < ' ') letter = ' ';
  return line;
}

}  // namespace

void ProofWriter::word(std::string_view word) {
  if (!text_.empty() && text_.back() != '\n') text_ += ' ';
  text_ += word;
}

void ProofWriter::number(std::uint64_t number) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  word({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

void ProofWriter::end_line() { text_ += '\n'; }

void ProofWriter::begin(const Net& net, std::string_view label) {
  word("net");
  word(line_of(label));
  end_line();
  word("ranks");
  number(net.actor_count());
  end_line();
  const Messages& messages = net.messages();
  for (ChannelId c = 0; c < messages.channel_count(); ++c) {
    word("channel");
    number(messages.channel(c).source);
    number(messages.channel(c).destination);
    end_line();
  }
  for (MessageId m = 0; m < messages.size(); ++m) {
    word("message");
    number(messages.message(m).channel);
    number(messages.message(m).number);
    end_line();
  }
  for (PointId p = 0; p < net.points().size(); ++p) write_point(net, p);
  for (const Step& step : net.steps()) write_step(net, step);
}

void ProofWriter::write_point(const Net& net, PointId id) {
  const Point& point = net.points()[id];
  word("point");
  number(point.state.actor);
  const Hold hold = hold_at(point);
  if (has_ended(point)) word("ends");
  else if (point.state.is_over()) word("fails");
  else if (hold.kind == Hold::Kind::none) word("goes-on");
  else if (hold.kind == Hold::Kind::always) word("waits");
  else word(hold.kind == Hold::Kind::any_own ? "while-any" : "while-all");
  for (const MessageId own : hold.own)
    if (hold.kind == Hold::Kind::any_own || hold.kind == Hold::Kind::all_own) number(own);
  end_line();
}

void ProofWriter::write_step(const Net& net, const Step& step) {
  if (step.from == no_point) {
    word("start");
    number(step.to);
  } else {
    word(step.objection.empty() ? "step" : "fail");
    number(step.from);
    if (step.objection.empty()) number(step.to);
    if (step.taken == no_message) word("-");
    else number(step.taken);
  }
  if (!step.objection.empty()) {
    word(line_of(step.objection));
    end_line();
    return;
  }
  if (const std::vector<std::uint32_t> before = net.taken_before(step); !before.empty()) {
    word("after");
    for (const std::uint32_t number_before : before) number(number_before);
  }
  if (!step.sends.empty()) {
    word("sends");
    for (const MessageId message : step.sends) number(message);
  }
  end_line();
}

void ProofWriter::add(Kind kind, const Elements& elements, const Model& model,
                      const std::vector<RowName>& question_rows, const Refutation& refutation) {
  word(kind == Kind::failure ? "failure" : kind == Kind::deadlock ? "deadlock" : "loss");
  for (const std::uint32_t element : elements) {
    if (element == no_message) word("-");
    else number(element);
  }
  end_line();
  write(model, question_rows, refutation);
}

void ProofWriter::write(const Model& model, const std::vector<RowName>& question_rows, const Refutation& refutation) {
  if (refutation.divided) {
    word("divide");
    word(model.name(*refutation.divided));
    end_line();
    for (const Refutation& part : refutation.parts) write(model, question_rows, part);
    return;
  }
  word("sum");
  end_line();
  const std::vector<RowName>& names = model.names();
  for (const auto& [row, multiplier] : refutation.multipliers) {
    const RowName name = row < names.size() ? names[row] : question_rows[row - names.size()];
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
