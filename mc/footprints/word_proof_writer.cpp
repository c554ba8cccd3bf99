// SPDX-License-Identifier: MIT
//
// The lines of a net over words.
#include "mc/footprints/word_proof_writer.hpp"

#include <cstdint>
#include <set>
#include <vector>

namespace rehearse::mc::footprints {

namespace {

bool fails(const WordNet& net, const Step& step) { return net.points()[step.to].place.kind == Place::Kind::failed; }

bool has_groups(const WordNet& net) {
  for (MessageId m = 0; m < net.messages().size(); ++m)
    if (net.group_of(m) != m) return true;
  return false;
}

// Whether the steps of some actor lead back to a point.
bool has_cycle(const WordNet& net) {
  std::vector<std::vector<PointId>> next(net.points().size());
  std::vector<std::uint32_t> before(net.points().size());
  for (const Step& step : net.steps()) {
    if (step.from == none) continue;
    next[step.from].push_back(step.to);
    ++before[step.to];
  }
  std::vector<PointId> ready;
  for (PointId p = 0; p < before.size(); ++p)
    if (before[p] == 0) ready.push_back(p);
  std::size_t passed = 0;
  for (; passed < ready.size(); ++passed)
    for (const PointId to : next[ready[passed]])
      if (--before[to] == 0) ready.push_back(to);
  return passed < net.points().size();
}

}  // namespace

bool can_be_written(const WordNet& net) { return !has_groups(net) && !has_cycle(net); }

static_assert(flow::ProofText::no_element == none);

void WordProofWriter::begin(const WordNet& net, std::string_view label) {
  out_.begin_net(label, net.actor_count());
  write_messages(net);
  for (const Point& point : net.points()) write_point(point);
  for (const Step& step : net.steps()) write_step(net, step);
  write_accepted(net);
}

void WordProofWriter::write_messages(const WordNet& net) {
  std::map<Channel, std::uint32_t> channels;
  std::vector<std::uint32_t> channel_of;
  for (const Message& message : net.messages()) {
    const Channel channel{{message.source, message.context}, message.destination};
    const auto [known, is_new] = channels.emplace(channel, static_cast<std::uint32_t>(channels.size()));
    channel_of.push_back(known->second);
    if (!is_new) continue;
    out_.word("channel");
    out_.number(message.source);
    out_.number(message.destination);
    out_.end_line();
  }
  for (MessageId m = 0; m < channel_of.size(); ++m) {
    out_.word("message");
    out_.number(channel_of[m]);
    out_.number(net.messages()[m].number);
    out_.end_line();
  }
}

void WordProofWriter::write_point(const Point& point) {
  out_.word("point");
  out_.number(point.actor);
  switch (point.place.kind) {
    case Place::Kind::receives: out_.word("waits"); break;
    case Place::Kind::sends:
      out_.word("while-any");
      out_.number(point.own);
      break;
    case Place::Kind::ended: out_.word("ends"); break;
    case Place::Kind::failed: out_.word("fails"); break;
  }
  out_.end_line();
}

void WordProofWriter::write_step(const WordNet& net, const Step& step) {
  if (step.from == none) {
    out_.word("start");
    out_.number(step.to);
  } else {
    out_.word(fails(net, step) ? "fail" : "step");
    out_.number(step.from);
    if (!fails(net, step)) out_.number(step.to);
    out_.number_or_none(step.taken);
  }
  if (fails(net, step)) {
    out_.remark(net.points()[step.to].place.reason);
  } else if (!step.sends.empty()) {
    out_.word("sends");
    for (const MessageId message : step.sends) out_.number(message);
  }
  out_.end_line();
}

// What a receive accepts although no step takes it there: it may come, but at other moments.
void WordProofWriter::write_accepted(const WordNet& net) {
  std::set<std::pair<PointId, MessageId>> taken;
  for (const Step& step : net.steps())
    if (step.from != none && step.taken != none && !fails(net, step)) taken.emplace(step.from, step.taken);
  for (PointId p = 0; p < net.points().size(); ++p) {
    std::vector<MessageId> more;
    for (MessageId m = 0; m < net.messages().size(); ++m)
      if (accepts(net, p, m) && !taken.contains({p, m})) more.push_back(m);
    if (more.empty()) continue;
    out_.word("accepts");
    out_.number(p);
    for (const MessageId message : more) out_.number(message);
    out_.end_line();
  }
}

void WordProofWriter::add(Kind kind, const Elements& elements, const WordModel& model,
                          const flow::Refutation& refutation) {
  static const std::vector<flow::RowName> question{{}};
  const auto name = [&model](flow::Variable variable) { return model.name(variable); };
  out_.add(kind, elements, {model.names(), question, name}, refutation);
}

}  // namespace rehearse::mc::footprints
