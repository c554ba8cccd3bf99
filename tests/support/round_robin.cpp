// SPDX-License-Identifier: MIT
//
// See round_robin.hpp.
#include "tests/support/round_robin.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "simcore/published.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::tests {
namespace {

using Bytes = std::vector<std::byte>;
using RequestKey = std::pair<ActorId, RequestId>;

Bytes copy_of(std::span<const std::byte> data) { return {data.begin(), data.end()}; }

struct SentMessage {
  RequestKey key;
  ContextId context;
  ActorId destination;
  rehearse::Tag tag = 0;
  Bytes data;
  std::uint64_t signature = 0;
};

struct Posted {
  RequestKey key;
  Pattern pattern;
};

bool accepts(const Pattern& pattern, const SentMessage& message) {
  return pattern.context == message.context && (!pattern.source || *pattern.source == message.key.first) &&
         (!pattern.tag || *pattern.tag == message.tag);
}

// The k-th collective of a context.
struct Instance {
  std::vector<ActorId> members;
  std::string name;
  std::uint64_t signature = 0;
  Flow flow{};
  std::uint32_t root = 0;
  std::uint32_t first_group = 0;
  std::map<std::uint32_t, std::vector<Bytes>> given;  // by contributing member: one part for all, or one per member
};

struct RequestState {
  bool complete = false;
  std::optional<SentMessage> received;
  std::shared_ptr<Instance> instance;
  std::uint32_t member = 0;
};

bool needs(const Instance& instance, std::uint32_t member, std::uint32_t other) {
  const bool is_near = (member < instance.first_group) == (other < instance.first_group);
  if (instance.first_group != 0 && is_near) return false;
  switch (instance.flow) {
    case Flow::all_to_all: return true;
    case Flow::root_to_all: return other == instance.root;
    case Flow::all_to_root: return member == instance.root;
    case Flow::prefix: return other <= member;
    case Flow::nobody:
    case Flow::optional: return false;
  }
  return true;
}

class RoundRobin {
 public:
  RoundRobin(Program& program, RoundRobinOptions options)
      : program_(program),
        options_(options),
        started_(program.actor_count()),
        no_left_(program.actor_count(), options.no_answers) {
    result_.actors.resize(program.actor_count());
    result_.output.resize(program.actor_count());
    result_.operations.resize(program.actor_count());
  }

  RoundRobinResult run() {
    std::vector<ActorId> alive;
    for (std::uint32_t i = 0; i < program_.actor_count(); ++i) alive.push_back({i});
    bool moved = true;
    while (moved && !alive.empty()) {
      moved = false;
      for (std::size_t i = 0; i < alive.size();) {
        const Step step = take_turn(alive[i]);
        moved = moved || step != Step::stuck;
        if (step == Step::over) alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(i));
        else ++i;
      }
    }
    for (ActorId actor : alive) result_.actors[actor.value].state = ActorOutcome::State::blocked;
    for (const auto& [destination, list] : messages_) result_.unmatched_sends += list.size();
    for (const auto& [destination, list] : posted_) result_.unmatched_receives += list.size();
    return std::move(result_);
  }

 private:
  enum class Step { moved, stuck, over };

  // Runs the actor until it has to wait. Polls end the turn, so that polling loops let others run.
  Step take_turn(ActorId actor) {
    Step step = Step::stuck;
    for (;;) {
      const Operation& operation = program_.next(actor);
      const bool first_look = !started_[actor.value];
      if (first_look) {
        started_[actor.value] = true;
        ++clock_;
      }
      const Step now = std::visit([&](const auto& o) { return handle(actor, o, first_look); }, operation);
      if (now != Step::moved) return now == Step::stuck ? step : now;
      step = Step::moved;
      if (turn_over_) {
        turn_over_ = false;
        return step;
      }
    }
  }

  Step answer(ActorId actor, const Observation& observation = {}) {
    started_[actor.value] = false;
    program_.resume(actor, observation);
    return Step::moved;
  }

  void note(ActorId actor, const char* kind) { result_.operations[actor.value].push_back(kind); }

  RequestState& start(RequestKey key) {
    REHEARSE_ASSERT(key.second.value == next_request_[key.first]++, "requests are numbered in order");
    return requests_[key];
  }

  void match(const SentMessage& message, RequestKey receive) {
    RequestState& state = requests_.at(receive);
    state.complete = true;
    state.received = message;
    const auto sender = requests_.find(message.key);
    if (sender != requests_.end()) sender->second.complete = true;
  }

  Step handle(ActorId actor, const Send& send, bool first_look) {
    const RequestKey key{actor, send.request};
    if (first_look) {
      note(actor, "send");
      RequestState& state = start(key);
      state.complete = send.mode == SendMode::buffered || (send.mode != SendMode::synchronous && options_.buffered);
      deliver({key, send.context, send.destination, send.tag, copy_of(send.data), send.signature});
    }
    if (!send.blocking) return answer(actor);
    if (!requests_.at(key).complete) return Step::stuck;
    requests_.erase(key);
    return answer(actor);
  }

  void deliver(SentMessage message) {
    auto& receives = posted_[message.destination];
    const auto receive =
        std::find_if(receives.begin(), receives.end(), [&](const Posted& p) { return accepts(p.pattern, message); });
    if (receive == receives.end()) {
      messages_[message.destination].push_back(std::move(message));
      return;
    }
    const RequestKey key = receive->key;
    receives.erase(receive);
    match(message, key);
  }

  const SentMessage* find_message(ActorId actor, const Pattern& pattern) const {
    const auto list = messages_.find(actor);
    if (list == messages_.end()) return nullptr;
    const auto found = std::find_if(list->second.begin(), list->second.end(),
                                    [&](const SentMessage& m) { return accepts(pattern, m); });
    return found == list->second.end() ? nullptr : &*found;
  }

  Step handle(ActorId actor, const Post& post, bool first_look) {
    const RequestKey key{actor, post.request};
    if (first_look) {
      note(actor, "post");
      start(key);
      if (post.taken) {
        match(taken_[actor].at(*post.taken), key);
      } else if (const SentMessage* message = find_message(actor, post.pattern)) {
        match(*message, key);
        auto& list = messages_[actor];
        list.erase(std::find_if(list.begin(), list.end(), [&](const SentMessage& m) { return &m == message; }));
      } else {
        posted_[actor].push_back({key, post.pattern});
      }
    }
    if (!post.blocking) return answer(actor);
    if (!requests_.at(key).complete) return Step::stuck;
    const RequestState done = std::move(requests_.at(key));
    requests_.erase(key);
    const Completion completion = completion_of(0, done);
    Observation observation;
    observation.completions = {&completion, 1};
    return answer(actor, observation);
  }

  Completion completion_of(std::uint32_t index, const RequestState& state) {
    Completion completion;
    completion.index = index;
    if (state.received) {
      completion.source = state.received->key.first;
      completion.tag = state.received->tag;
      completion.data = state.received->data;
      completion.signature = state.received->signature;
    }
    if (state.instance) completion.contributions = contributions(*state.instance, state.member);
    return completion;
  }

  static const Bytes& part_for(const std::vector<Bytes>& parts, std::uint32_t member) {
    return parts.size() == 1 ? parts.front() : parts.at(member);
  }

  // Views of the contributions of the other members; valid until the next answer.
  std::span<const std::span<const std::byte>> contributions(const Instance& instance, std::uint32_t member) {
    auto& views = views_.emplace_back(instance.members.size());
    for (std::uint32_t i = 0; i < views.size(); ++i)
      if (needs(instance, member, i)) views[i] = part_for(instance.given.at(i), member);
    return views;
  }

  bool is_complete(const RequestState& state) const {
    if (!state.instance) return state.complete;
    for (std::uint32_t i = 0; i < state.instance->members.size(); ++i)
      if (needs(*state.instance, state.member, i) && !state.instance->given.contains(i)) return false;
    return true;
  }

  Step handle(ActorId actor, const Observe& observe, bool first_look) {
    if (first_look) note(actor, observe.blocking ? "observe" : "test");
    REHEARSE_ASSERT(!observe.requests.empty(), "an Observe names requests");
    std::vector<std::uint32_t> complete;
    for (std::uint32_t i = 0; i < observe.requests.size(); ++i)
      if (is_complete(requests_.at({actor, observe.requests[i]}))) complete.push_back(i);
    bool flag = observe.quantifier == Quantifier::all ? complete.size() == observe.requests.size() : !complete.empty();
    if (!flag && observe.blocking) return Step::stuck;
    if (!observe.blocking) {
      turn_over_ = true;
      if (no_left_[actor.value] > 0) {
        --no_left_[actor.value];
        flag = false;
      }
    }
    if (!flag) complete.clear();
    if (!flag && observe.withdraws) withdraw({actor, observe.requests.front()});
    if (observe.quantifier == Quantifier::any && complete.size() > 1) complete.resize(1);
    std::vector<RequestState> states;
    for (std::uint32_t index : complete) {
      states.push_back(std::move(requests_.at({actor, observe.requests[index]})));
      requests_.erase({actor, observe.requests[index]});
    }
    views_.clear();
    std::vector<Completion> completions;
    for (std::size_t i = 0; i < complete.size(); ++i) completions.push_back(completion_of(complete[i], states[i]));
    Observation observation;
    observation.flag = flag;
    observation.completions = completions;
    return answer(actor, observation);
  }

  void withdraw(RequestKey key) {
    std::erase_if(posted_[key.first], [&](const Posted& p) { return p.key == key; });
    requests_.erase(key);
  }

  // Takes the message out of the queue. Only a receive by its number can match it.
  void take(ActorId actor, const SentMessage* message) {
    auto& list = messages_[actor];
    const auto at = std::find_if(list.begin(), list.end(), [&](const SentMessage& m) { return &m == message; });
    taken_[actor].push_back(*at);
    list.erase(at);
  }

  Step handle(ActorId actor, const Probe& probe, bool first_look) {
    if (first_look) note(actor, probe.blocking ? "probe" : "iprobe");
    const SentMessage* message = find_message(actor, probe.pattern);
    if (probe.blocking && message == nullptr) return Step::stuck;
    if (!probe.blocking) {
      turn_over_ = true;
      if (no_left_[actor.value] > 0) {
        --no_left_[actor.value];
        message = nullptr;
      }
    }
    Observation observation;
    observation.flag = message != nullptr;
    Completion completion;
    if (message != nullptr) {
      completion.source = message->key.first;
      completion.tag = message->tag;
      completion.data = message->data;
      completion.signature = message->signature;
      observation.completions = {&completion, 1};
      if (probe.takes) {
        take(actor, message);
        completion.data = taken_[actor].back().data;
      }
    }
    return answer(actor, observation);
  }

  static bool are_different(std::uint64_t a, std::uint64_t b) { return a != b && a != 0 && b != 0; }

  void join(ActorId actor, const Collective& collective, RequestState& state) {
    const std::uint32_t number = joined_[{actor, collective.context}]++;
    auto& instance = instances_[{collective.context, number}];
    if (!instance) {
      instance = std::make_shared<Instance>();
      instance->members.assign(collective.members.begin(), collective.members.end());
      instance->name = collective.name;
      instance->signature = collective.signature;
      instance->flow = collective.flow;
      instance->root = collective.root;
      instance->first_group = collective.groups.first;
    } else if (instance->name == collective.name && instance->first_group != 0) {
      if (instance->root == another_root) instance->root = collective.root;
    } else if (instance->name != collective.name || are_different(instance->signature, collective.signature) ||
               instance->root != collective.root) {
      result_.mismatches.push_back(instance->name + " with " + std::string(collective.name));
    }
    const auto me = std::find(collective.members.begin(), collective.members.end(), actor);
    REHEARSE_ASSERT(me != collective.members.end(), "the caller is a member");
    REHEARSE_ASSERT(std::equal(instance->members.begin(), instance->members.end(), collective.members.begin(),
                               collective.members.end()),
                    "members agree on who they are");
    state.instance = instance;
    state.member = static_cast<std::uint32_t>(me - collective.members.begin());
    instance->given[state.member] = parts_of(collective);
  }

  static std::vector<Bytes> parts_of(const Collective& collective) {
    if (collective.segment_bytes.empty()) return {copy_of(collective.contribution)};
    REHEARSE_ASSERT(collective.segment_bytes.size() == collective.members.size(), "one segment per member");
    std::vector<Bytes> parts;
    std::uint64_t offset = 0;
    for (std::uint64_t bytes : collective.segment_bytes) {
      REHEARSE_ASSERT(offset + bytes <= collective.contribution.size(), "segments lie inside");
      parts.push_back(copy_of(collective.contribution.subspan(offset, bytes)));
      offset += bytes;
    }
    REHEARSE_ASSERT(offset == collective.contribution.size(), "the segments make the contribution");
    return parts;
  }

  Step handle(ActorId actor, const Collective& collective, bool first_look) {
    const RequestKey key{actor, collective.request};
    if (first_look) {
      note(actor, "collective");
      join(actor, collective, start(key));
    }
    if (!collective.blocking) return answer(actor);
    if (!is_complete(requests_.at(key))) return Step::stuck;
    const RequestState done = std::move(requests_.at(key));
    requests_.erase(key);
    views_.clear();
    Observation observation;
    observation.contributions = contributions(*done.instance, done.member);
    return answer(actor, observation);
  }

  Step handle(ActorId actor, const Release& release, bool) {
    note(actor, "release");
    REHEARSE_ASSERT(requests_.contains({actor, release.request}), "released requests exist");
    return answer(actor);
  }

  Step handle(ActorId actor, const Choose&, bool) {
    const Completion first{};
    Observation observation;
    observation.completions = std::span(&first, 1);
    return answer(actor, observation);
  }

  Step handle(ActorId actor, const Clock&, bool) {
    note(actor, "clock");
    Observation observation;
    observation.now = TimePoint{static_cast<std::int64_t>(clock_) * 1'000'000};
    return answer(actor, observation);
  }

  Step handle(ActorId actor, const Log& log, bool) {
    if (log.stream != published_stream) result_.output[actor.value] += log.text;
    return answer(actor);
  }

  Step handle(ActorId actor, const Report& report, bool) {
    result_.reports.push_back(*report.finding);
    return answer(actor);
  }

  Step handle(ActorId actor, const Compute&, bool) { return answer(actor); }
  Step handle(ActorId actor, const Sleep&, bool) { return answer(actor); }
  Step handle(ActorId actor, const Traffic&, bool) { return answer(actor); }
  Step handle(ActorId actor, const Settle&, bool) { return answer(actor); }
  Step handle(ActorId, const Work&, bool) { REHEARSE_ASSERT(false, "this driver has no time"); }
  Step handle(ActorId, const Await&, bool) { REHEARSE_ASSERT(false, "this driver has no time"); }
  Step handle(ActorId, const StorageAccess&, bool) { REHEARSE_ASSERT(false, "this driver has no disks"); }
  Step handle(ActorId, const RemoteAccess&, bool) { REHEARSE_ASSERT(false, "this driver has no memory of actors"); }

  Step handle(ActorId actor, const Fail& fail, bool) {
    ActorOutcome& outcome = result_.actors[actor.value];
    outcome.state = ActorOutcome::State::failed;
    outcome.failure = fail.kind;
    outcome.id = fail.id;
    outcome.what = fail.what;
    return Step::over;
  }

  Step handle(ActorId actor, const End& end, bool) {
    result_.actors[actor.value].exit_status = end.status;
    return Step::over;
  }

  Program& program_;
  RoundRobinOptions options_;
  RoundRobinResult result_;
  std::vector<bool> started_;  // whether the actor's current operation was handled before
  std::vector<std::uint32_t> no_left_;
  bool turn_over_ = false;
  std::uint64_t clock_ = 0;
  std::map<ActorId, std::uint32_t> next_request_;
  std::map<RequestKey, RequestState> requests_;
  std::map<ActorId, std::deque<SentMessage>> messages_;  // by destination, in arrival order
  std::map<ActorId, std::deque<Posted>> posted_;         // by receiver, in posting order
  std::map<ActorId, std::deque<SentMessage>> taken_;     // by receiver, in the order of its probes
  std::map<std::pair<ActorId, ContextId>, std::uint32_t> joined_;
  std::map<std::pair<ContextId, std::uint32_t>, std::shared_ptr<Instance>> instances_;
  std::deque<std::vector<std::span<const std::byte>>> views_;
};

}  // namespace

bool RoundRobinResult::all_ended() const {
  return std::all_of(actors.begin(), actors.end(), [](const ActorOutcome& outcome) {
    return outcome.state == ActorOutcome::State::ended && outcome.exit_status == 0;
  });
}

RoundRobinResult run_round_robin(Program& program, RoundRobinOptions options) {
  return RoundRobin(program, options).run();
}

}  // namespace rehearse::tests
