// SPDX-License-Identifier: MIT
//
// The lines of a net of local states.
#include "mc/flow/proof_writer.hpp"

namespace rehearse::mc::flow {

static_assert(ProofText::no_element == no_message);

void ProofWriter::begin(const Net& net, std::string_view label) {
  out_.begin_net(label, net.actor_count());
  const Messages& messages = net.messages();
  for (ChannelId c = 0; c < messages.channel_count(); ++c) {
    out_.word("channel");
    out_.number(messages.channel(c).source);
    out_.number(messages.channel(c).destination);
    out_.end_line();
  }
  for (MessageId m = 0; m < messages.size(); ++m) {
    out_.word("message");
    out_.number(messages.message(m).channel);
    out_.number(messages.message(m).number);
    out_.end_line();
  }
  for (PointId p = 0; p < net.points().size(); ++p) write_point(net, p);
  for (const Step& step : net.steps()) write_step(net, step);
}

void ProofWriter::write_point(const Net& net, PointId id) {
  const Point& point = net.points()[id];
  out_.word("point");
  out_.number(point.state.actor);
  const Hold hold = hold_at(point);
  if (has_ended(point)) out_.word("ends");
  else if (point.state.is_over()) out_.word("fails");
  else if (hold.kind == Hold::Kind::none) out_.word("goes-on");
  else if (hold.kind == Hold::Kind::always) out_.word("waits");
  else out_.word(hold.kind == Hold::Kind::any_own ? "while-any" : "while-all");
  for (const MessageId own : hold.own)
    if (hold.kind == Hold::Kind::any_own || hold.kind == Hold::Kind::all_own) out_.number(own);
  out_.end_line();
}

void ProofWriter::write_step(const Net& net, const Step& step) {
  if (step.from == no_point) {
    out_.word("start");
    out_.number(step.to);
  } else {
    out_.word(step.objection.empty() ? "step" : "fail");
    out_.number(step.from);
    if (step.objection.empty()) out_.number(step.to);
    out_.number_or_none(step.taken);
  }
  if (!step.objection.empty()) {
    out_.remark(step.objection);
    out_.end_line();
    return;
  }
  if (const std::vector<std::uint32_t> before = net.taken_before(step); !before.empty()) {
    out_.word("after");
    for (const std::uint32_t number_before : before) out_.number(number_before);
  }
  if (!step.sends.empty()) {
    out_.word("sends");
    for (const MessageId message : step.sends) out_.number(message);
  }
  out_.end_line();
}

void ProofWriter::add(Kind kind, const Elements& elements, const Model& model,
                      const std::vector<RowName>& question_rows, const Refutation& refutation) {
  const auto name = [&model](Variable variable) { return model.name(variable); };
  out_.add(kind, elements, {model.names(), question_rows, name}, refutation);
}

}  // namespace rehearse::mc::flow
