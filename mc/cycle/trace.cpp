// SPDX-License-Identifier: MIT
//
// See trace.hpp.
#include "mc/cycle/trace.hpp"

#include <algorithm>
#include <limits>

#include "simcore/support/assert.hpp"

namespace rehearse::mc::cycle {
namespace {

constexpr std::uint64_t all_memory = std::numeric_limits<std::uint64_t>::max();

StateImages& images_of(Program& program) {
  auto* images = dynamic_cast<StateImages*>(&program);
  REHEARSE_ASSERT(images != nullptr, "a program that can identify states");
  return *images;
}

// The request that the operation starts; none: it starts no request.
std::optional<RequestId> started_by(const Operation& operation) {
  if (const auto* send = std::get_if<Send>(&operation)) return send->request;
  if (const auto* post = std::get_if<Post>(&operation)) return post->request;
  if (const auto* collective = std::get_if<Collective>(&operation)) return collective->request;
  return std::nullopt;
}

// Whether the answer of the operation can have alternatives.
bool has_choice(const Operation& operation) {
  if (std::holds_alternative<Probe>(operation)) return true;
  const auto* observe = std::get_if<Observe>(&operation);
  return observe != nullptr && (!observe->blocking || observe->quantifier != Quantifier::all);
}

}  // namespace

Trace::Trace(Program& program, const StateSearchOptions& options, Polls polls)
    : program_(program),
      images_(images_of(program)),
      history_(program, all_memory),
      rules_(history_, options.policy, polls),
      starts_(program.actor_count()) {
  history_.give_up_when(options.stop);
  world_ = rules_.first(program.actor_count());
}

bool Trace::take(std::span<const Step> steps, bool is_shown) {
  for (const Step& step : steps) {
    const std::vector<Step> possible = rules_.steps(world_);
    if (std::ranges::find(possible, step) == possible.end()) return false;
    if (is_shown) show(step);
    note(step);
    rules_.make(world_, step);
  }
  return true;
}

void Trace::show(const Step& step) {
  const Actor& actor = world_.actors[step.actor];
  LassoStep& shown = shown_.emplace_back();
  shown.kind = static_cast<LassoStep::Kind>(step.kind);
  shown.actor = {step.actor};
  shown.flag = step.flag;
  history_.visit(actor.node);
  shown.at = program_.describe({step.actor});
  const auto has_peer = [&](std::uint32_t peer) {
    shown.has_peer = true;
    shown.peer = {peer};
  };
  if (step.message != nobody) has_peer(actor.inbox[step.message].source);
  if (step.kind == Step::Kind::start)
    if (const auto* send = std::get_if<Send>(&actor.node->operation)) has_peer(send->destination.value);
  if (step.kind != Step::Kind::publish) return;
  const Published& value = *published_before(*actor.node)[actor.published];
  shown.name = value.name;
  shown.value = value.value;
}

SendName Trace::name_of(const Node* sent) const { return sends_.at(sent); }

// Adds what the step decides to the schedule.
void Trace::note(const Step& step) {
  const Actor& actor = world_.actors[step.actor];
  if (step.kind == Step::Kind::start) {
    const std::optional<RequestId> request = started_by(actor.node->operation);
    REHEARSE_ASSERT(request.has_value(), "a start starts a request");
    const RequestId number{starts_[step.actor]++};
    now_[{step.actor, *request}] = number;
    if (std::holds_alternative<Send>(actor.node->operation)) sends_[actor.node] = {{step.actor}, number};
  } else if (step.kind == Step::Kind::match) {
    const Started& receive = *world_.find(step.actor, step.request);
    if (std::get<Post>(receive.node->operation).pattern.source) return;  // it can only take the next message from there
    schedule_.matches[{ActorId{step.actor}, now_.at({step.actor, step.request})}] =
        name_of(actor.inbox[step.message].sent);
  } else if (step.kind == Step::Kind::answer && has_choice(actor.node->operation)) {
    Answer answer{step.flag, step.completed, {}};
    if (step.message != nobody) answer.seen = name_of(actor.inbox[step.message].sent);
    schedule_.answers[{ActorId{step.actor}, actor.node->depth}] = std::move(answer);
  }
}

history::Hash128 Trace::state() {
  std::vector<std::uint64_t> words;
  World alike = world_;
  for (std::uint32_t a = 0; a < alike.actors.size(); ++a) {
    const Node*& node = alike.actors[a].node;
    words.insert(words.end(), {node->fingerprint.low, node->fingerprint.high, node->site});
    const bool is_over = std::holds_alternative<End>(node->operation) || std::holds_alternative<Fail>(node->operation);
    history_.visit(node);
    if (!is_over) {
      const auto image = images_.image({a}, StateImages::AwaitedBytes::counted);
      if (image) words.insert(words.end(), {image->low, image->high});
      else words.push_back(++without_image_);
    }
    node = nullptr;
  }
  const history::Hash128 rest = alike.hash();
  words.insert(words.end(), {rest.low, rest.high});
  return history::hash_bytes(words.data(), words.size() * sizeof words[0]);
}

std::vector<std::uint32_t> Trace::operations() const {
  std::vector<std::uint32_t> counts;
  for (const Actor& actor : world_.actors) counts.push_back(actor.node->depth + (actor.is_issued ? 1 : 0));
  return counts;
}

}  // namespace rehearse::mc::cycle
