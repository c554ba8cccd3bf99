// SPDX-License-Identifier: MIT
//
// See reports.hpp.
#include "simcore/remote/reports.hpp"

#include "simcore/remote/wire.hpp"

namespace rehearse::remote {
namespace {

void add(Packer& packer, const std::vector<std::uint64_t>& frames) {
  packer.add(static_cast<std::uint32_t>(frames.size()));
  for (const std::uint64_t frame : frames) packer.add(frame);
}

std::vector<std::uint64_t> frames_of(Unpacker& unpacker) {
  std::vector<std::uint64_t> frames;
  for (auto count = unpacker.value<std::uint32_t>(); count > 0 && unpacker.is_good(); --count)
    frames.push_back(unpacker.value<std::uint64_t>());
  return frames;
}

void add(Packer& packer, const std::vector<StoppedActor>& actors) {
  packer.add(static_cast<std::uint32_t>(actors.size()));
  for (const StoppedActor& actor : actors) {
    packer.add(actor.name).add(actor.host).add(actor.what);
    add(packer, actor.frames);
  }
}

std::vector<StoppedActor> actors_of(Unpacker& unpacker) {
  std::vector<StoppedActor> actors;
  for (auto count = unpacker.value<std::uint32_t>(); count > 0 && unpacker.is_good(); --count) {
    StoppedActor& actor = actors.emplace_back();
    actor.name = unpacker.text();
    actor.host = unpacker.text();
    actor.what = unpacker.text();
    actor.frames = frames_of(unpacker);
  }
  return actors;
}

void add(Packer& packer, const std::vector<PublishedValue>& values) {
  packer.add(static_cast<std::uint32_t>(values.size()));
  for (const PublishedValue& each : values) packer.add(each.actor).add(each.name).add(each.value);
}

std::vector<PublishedValue> values_of(Unpacker& unpacker) {
  std::vector<PublishedValue> values;
  for (auto count = unpacker.value<std::uint32_t>(); count > 0 && unpacker.is_good(); --count) {
    PublishedValue& value = values.emplace_back();
    value.actor = unpacker.value<std::uint32_t>();
    value.name = unpacker.text();
    value.value = unpacker.value<std::int64_t>();
  }
  return values;
}

}  // namespace

std::string to_bytes(const GlobalState& state) {
  Packer packer;
  packer.add(state.image).add(state.has_read_dates).add(static_cast<std::uint32_t>(state.steps.size()));
  for (const GlobalState::Step& step : state.steps) packer.add(step.doer).add(step.is_early_timeout);
  add(packer, state.published);
  return packer.take();
}

bool from_bytes(const std::string& bytes, GlobalState& state) {
  Unpacker unpacker(bytes);
  state.image = unpacker.value<WideHash>();
  state.has_read_dates = unpacker.value<bool>();
  state.steps.clear();
  for (auto count = unpacker.value<std::uint32_t>(); count > 0 && unpacker.is_good(); --count) {
    GlobalState::Step& step = state.steps.emplace_back();
    step.doer = unpacker.value<std::uint64_t>();
    step.is_early_timeout = unpacker.value<bool>();
  }
  state.published = values_of(unpacker);
  return unpacker.is_good();
}

std::string to_bytes(const TracedStep& step) {
  Packer packer;
  packer.add(step.image).add(step.index).add(step.text).add(step.instead);
  add(packer, step.frames);
  add(packer, step.published);
  return packer.take();
}

bool from_bytes(const std::string& bytes, TracedStep& step) {
  Unpacker unpacker(bytes);
  step.image = unpacker.value<WideHash>();
  step.index = unpacker.value<std::uint32_t>();
  step.text = unpacker.text();
  step.instead = unpacker.text();
  step.frames = frames_of(unpacker);
  step.published = values_of(unpacker);
  return unpacker.is_good();
}

std::string to_bytes(const State& state) {
  Packer packer;
  packer.add(state.now.picoseconds).add(state.passed).add(state.reached).add(state.choices).add(state.strayed);
  packer.add(state.has_read_dates);
  packer.add(static_cast<std::uint32_t>(state.ways.size()));
  for (const Way& way : state.ways) packer.add(way);
  return packer.take();
}

bool from_bytes(const std::string& bytes, State& state) {
  Unpacker unpacker(bytes);
  state.now.picoseconds = unpacker.value<std::int64_t>();
  state.passed = unpacker.value<std::uint64_t>();
  state.reached = unpacker.value<std::uint64_t>();
  state.choices = unpacker.value<std::uint32_t>();
  state.strayed = unpacker.value<bool>();
  state.has_read_dates = unpacker.value<bool>();
  state.ways.clear();
  for (auto count = unpacker.value<std::uint32_t>(); count > 0 && unpacker.is_good(); --count)
    state.ways.push_back(unpacker.value<Way>());
  return unpacker.is_good() && state.choices <= state.ways.size();
}

std::string to_bytes(const Stop& stop) {
  Packer packer;
  packer.add(stop.now.picoseconds);
  add(packer, stop.racing);
  add(packer, stop.failed);
  add(packer, stop.blocked);
  return packer.take();
}

bool from_bytes(const std::string& bytes, Stop& stop) {
  Unpacker unpacker(bytes);
  stop.now.picoseconds = unpacker.value<std::int64_t>();
  stop.racing = actors_of(unpacker);
  stop.failed = actors_of(unpacker);
  stop.blocked = actors_of(unpacker);
  return unpacker.is_good();
}

std::string to_bytes(const TimedEvent& event) {
  Packer packer;
  packer.add(event.kind).add(event.act).add(event.actor).add(event.peer);
  packer.add(event.begin.picoseconds).add(event.end.picoseconds).add(event.amount).add(event.name).add(event.host);
  add(packer, event.frames);
  return packer.take();
}

bool from_bytes(const std::string& bytes, TimedEvent& event) {
  Unpacker unpacker(bytes);
  event.kind = unpacker.value<TimedEvent::Kind>();
  event.act = unpacker.value<Act>();
  event.actor = unpacker.value<std::uint32_t>();
  event.peer = unpacker.value<std::uint32_t>();
  event.begin.picoseconds = unpacker.value<std::int64_t>();
  event.end.picoseconds = unpacker.value<std::int64_t>();
  event.amount = unpacker.value<double>();
  event.name = unpacker.text();
  event.host = unpacker.text();
  event.frames = frames_of(unpacker);
  return unpacker.is_good();
}

std::string to_bytes(const std::vector<std::string>& texts) {
  Packer packer;
  packer.add(static_cast<std::uint32_t>(texts.size()));
  for (const std::string& text : texts) packer.add(text);
  return packer.take();
}

bool from_bytes(const std::string& bytes, std::vector<std::string>& texts) {
  Unpacker unpacker(bytes);
  texts.clear();
  for (auto count = unpacker.value<std::uint32_t>(); count > 0 && unpacker.is_good(); --count)
    texts.push_back(unpacker.text());
  return unpacker.is_good();
}

}  // namespace rehearse::remote
