// SPDX-License-Identifier: MIT
//
// Grows the net to its fixpoint.
#include "mc/flow/net.hpp"

#include <algorithm>
#include <tuple>

#include "mc/history/words.hpp"

namespace rehearse::mc::flow {

namespace {

constexpr std::uint32_t no_request = ~std::uint32_t{0};

// Whether the receive or collective accepts messages of this tag in this channel.
bool accepts(const StartedRequest& request, const Channel& channel, Tag tag) {
  if (request.is_collective()) {
    return channel.of_collectives && channel.context == std::get<Collective>(request.started->operation).context &&
           !request.is_complete() && channel.source == request.awaited[request.got.size()] &&
           static_cast<Tag>(request.number) == tag;
  }
  const Pattern& pattern = request.pattern();
  return !channel.of_collectives && pattern.context == channel.context &&
         (!pattern.source || pattern.source->value == channel.source) && (!pattern.tag || *pattern.tag == tag);
}

bool insert(std::vector<CounterValue>& values, CounterValue value) {
  const auto at = std::ranges::lower_bound(values, value);
  if (at != values.end() && *at == value) return false;
  values.insert(at, value);
  return true;
}

}  // namespace

std::vector<CounterValue> Net::values_at(const Point& point, std::uint32_t other) const {
  const auto found = point.counters.find(other);
  return found == point.counters.end() ? std::vector<CounterValue>{nothing_yet} : found->second;
}

void Net::grow(const GoesOn& goes_on) {
  for (std::uint32_t actor = 0; actor < actor_count(); ++actor)
    apply(no_point, no_message, runner_.start(actor), actor, {nothing_yet});
  for (std::uint64_t looks = 0; !queue_.empty(); ++looks) {
    if (goes_on && !goes_on()) throw NoProof{"it took too long"};
    const PointId point = queue_.front();
    queue_.pop_front();
    if (rules_.looks_again) is_queued_[point] = false;
    look_at(point);
  }
}

void Net::put(PointId point) {
  if (is_queued_[point]) return;
  is_queued_[point] = true;
  queue_.push_back(point);
}

void Net::look_at(PointId point) {
  if (points_[point].state.is_over()) return;
  const std::uint32_t actor = points_[point].state.actor;
  const std::vector<std::uint32_t> active = points_[point].active;
  for (const std::uint32_t request : active) {
    const std::vector<ChannelId> channels(messages_.channels_to(actor).begin(), messages_.channels_to(actor).end());
    for (const ChannelId channel : channels)
      for (std::size_t number = 0; number < messages_.by_number(channel).size(); ++number) {
        const std::vector<MessageId> alternatives = messages_.by_number(channel)[number];
        for (const MessageId message : alternatives) take(point, request, message);
      }
  }
  auto known = continuations_.find(point);
  if (known == continuations_.end())
    known = continuations_.emplace(point, runner_.continuations(points_[point].state)).first;
  for (const Arrival& arrival : known->second)
    apply(point, no_message, arrival, actor, values_at(points_[point], actor));
}

// Whether the receive may leave this earlier message of the channel where it is.
bool Net::may_pass_over(const StartedRequest& request, ChannelId channel, std::uint32_t number) const {
  return rules_.asks_all_tags && std::ranges::any_of(messages_.by_number(channel)[number], [&](MessageId other) {
           return !accepts(request, messages_.channel(channel), messages_.message(other).content.tag);
         });
}

// The rule of order: the first message of the channel that the receive accepts.
bool Net::may_take(const LocalState& state, std::uint32_t request, const Messages::Message& message,
                   CounterValue value) const {
  if (counters_.has_taken(value, message.channel, message.number)) return false;
  for (std::uint32_t earlier = 0; earlier < message.number; ++earlier)
    if (!counters_.has_taken(value, message.channel, earlier) &&
        !may_pass_over(state.requests[request], message.channel, earlier))
      return false;
  return true;
}

// Whether the request accepts the message, and no earlier receive does.
bool Net::is_for(const LocalState& state, std::uint32_t request, MessageId id) const {
  const Messages::Message& message = messages_.message(id);
  const Channel& channel = messages_.channel(message.channel);
  if (!accepts(state.requests[request], channel, message.content.tag)) return false;
  if (!state.requests[request].is_receive()) return true;
  for (std::uint32_t other = 0; other < request; ++other)
    if (state.requests[other].is_open_receive() && accepts(state.requests[other], channel, message.content.tag))
      return false;
  return true;
}

std::vector<std::uint32_t> Net::taken_before(const Step& step) const {
  std::vector<std::uint32_t> numbers;
  if (step.taken == no_message) return numbers;
  const Messages::Message& message = messages_.message(step.taken);
  const LocalState& state = points_[step.from].state;
  for (const std::uint32_t request : points_[step.from].active) {
    if (!is_for(state, request, step.taken)) continue;
    for (std::uint32_t earlier = 0; earlier < message.number; ++earlier)
      if (!may_pass_over(state.requests[request], message.channel, earlier)) numbers.push_back(earlier);
    break;
  }
  return numbers;
}

void Net::take(PointId point, std::uint32_t request, MessageId id) {
  const LocalState& state = points_[point].state;
  if (!is_for(state, request, id)) return;
  const Messages::Message message = messages_.message(id);
  const Channel channel = messages_.channel(message.channel);
  std::vector<CounterValue> permitted;
  for (const CounterValue value : values_at(points_[point], channel.source))
    if (may_take(state, request, message, value)) permitted.push_back(value);
  if (!permitted.empty()) apply(point, id, arrival(point, request, id), channel.source, permitted);
}

const Arrival& Net::arrival(PointId from, std::uint32_t request, MessageId message) {
  const auto key = std::tuple(from, request, message);
  const auto found = arrivals_.find(key);
  if (found != arrivals_.end()) return found->second;
  return arrivals_.emplace(key, runner_.take(points_[from].state, request, message)).first->second;
}

// Makes the step for each combination of the values of the counters that it changes.
void Net::apply(PointId from, MessageId taken, const Arrival& arrival, std::uint32_t source,
                const std::vector<CounterValue>& permitted) {
  std::vector<std::pair<std::uint32_t, std::vector<CounterValue>>> choices{{source, permitted}};
  for (const Arrival::Emission& emission : arrival.sends) {
    const std::uint32_t other = messages_.channel(emission.channel).destination;
    if (std::ranges::any_of(choices, [&](const auto& choice) { return choice.first == other; })) continue;
    choices.emplace_back(other,
                         from == no_point ? std::vector<CounterValue>{nothing_yet} : values_at(points_[from], other));
  }
  std::uint64_t combinations = 1;
  for (const auto& [other, values] : choices)
    if ((combinations *= values.size()) > limits_.combinations) throw NoProof{"too many combinations of counters"};
  for (std::uint64_t number = 0; number < combinations; ++number) {
    Changes changes;
    std::uint64_t rest = number;
    for (const auto& [other, values] : choices) {
      changes[other] = {values[rest % values.size()], values[rest % values.size()]};
      rest /= values.size();
    }
    make_step(from, taken, arrival, changes);
  }
}

// The message in the channel that has had so many messages before.
MessageId Net::send(const Arrival::Emission& emission, CounterValue& value) {
  const std::uint32_t number = rules_.counts_sends ? counters_.sent(value, emission.channel) : 0;
  value = counters_.after_sending(value, emission.channel);
  const std::uint32_t known = messages_.size();
  const MessageId id = messages_.find_or_add(emission.channel, number, emission.content);
  if (messages_.size() == known) return id;
  const Channel& channel = messages_.channel(emission.channel);
  for (const PointId point : by_actor_[channel.destination]) {
    const LocalState& state = points_[point].state;
    const auto looks_there = [&](std::uint32_t request) {
      const StartedRequest& active = state.requests[request];
      if (active.is_collective() || channel.of_collectives) return active.is_collective() == channel.of_collectives;
      return active.pattern().context == channel.context &&
             (!active.pattern().source || active.pattern().source->value == channel.source);
    };
    if (std::ranges::any_of(points_[point].active, looks_there)) put(point);
  }
  return id;
}

void Net::make_step(PointId from, MessageId taken, const Arrival& arrival, const Changes& before) {
  if (++tries_ > limits_.tries) throw NoProof{"too many ways to the same steps"};
  Changes changes = before;
  if (taken != no_message) {
    const Messages::Message& message = messages_.message(taken);
    CounterValue& value = changes[messages_.channel(message.channel).source].second;
    value = counters_.after_taking(value, message.channel, message.number);
  }
  Step step{from, no_point, taken, {}, arrival.objection};
  LocalState state = arrival.state;
  for (const Arrival::Emission& emission : arrival.sends) {
    const MessageId id = send(emission, changes[messages_.channel(emission.channel).destination].second);
    step.sends.push_back(id);
    if (!emission.request) continue;
    const auto waits = std::ranges::find(state.requests, *emission.request, &StartedRequest::id);
    if (waits != state.requests.end()) waits->sent = id;
  }
  step.to = point_of(std::move(state));
  reach(from, step.to, changes);
  add_step(std::move(step));
}

PointId Net::point_of(LocalState state) {
  const auto [found, is_new] = point_by_key_.emplace(state.key(), static_cast<PointId>(points_.size()));
  if (!is_new) return found->second;
  Point& point = points_.emplace_back();
  point.active = state.active(sends_wait_, rules_.local);
  by_actor_[state.actor].push_back(found->second);
  point.state = std::move(state);
  is_queued_.push_back(false);
  put(found->second);
  return found->second;
}

// The counters that the actor may have at the new point.
void Net::reach(PointId from, PointId to, const Changes& changes) {
  bool grows = false;
  Point& there = points_[to];
  const bool is_first = !there.is_reached;
  there.is_reached = true;
  std::map<std::uint32_t, std::vector<CounterValue>> values;
  if (from != no_point) values = points_[from].counters;
  for (const auto& [other, change] : changes) values[other] = {change.second};
  for (const auto& [other, more] : values) {
    const auto [known, is_new] = there.counters.emplace(other, std::vector<CounterValue>());
    if (is_new && !is_first) known->second.push_back(nothing_yet);
    for (const CounterValue value : more) grows = insert(known->second, value) || grows;
  }
  for (auto& [other, known] : there.counters)
    if (!values.contains(other)) grows = insert(known, nothing_yet) || grows;
  if (grows) put(to);
}

void Net::add_step(Step step) {
  history::Words words;
  words.add(step.from, step.to, step.taken);
  for (const MessageId message : step.sends) words.add(message);
  if (step.from == no_point) words.add(points_[step.to].state.actor);
  words.add_text(step.objection);
  if (!step_by_key_.emplace(words.hash(), static_cast<std::uint32_t>(steps_.size())).second) return;
  steps_.push_back(std::move(step));
  if (steps_.size() > limits_.steps) throw NoProof{"more than " + std::to_string(limits_.steps) + " steps"};
}

}  // namespace rehearse::mc::flow
