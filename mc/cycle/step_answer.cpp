// SPDX-License-Identifier: MIT
//
// See step_answer.hpp. Both functions tell the same pieces.
#include "mc/cycle/step_answer.hpp"

#include "mc/graph/collective_instance.hpp"
#include "mc/history/answer.hpp"

namespace rehearse::mc::cycle {
namespace {

template <class Pieces>
class Teller {
 public:
  Teller(const World& world, std::uint32_t actor, Pieces& pieces) : world_(world), actor_(actor), pieces_(pieces) {}

  void tell(const Step& step) {
    if (!step.flag) return;
    const Actor& actor = world_.actors[actor_];
    const Operation& operation = actor.node->operation;
    if (const auto* post = std::get_if<Post>(&operation)) {
      request(0, post->request);
    } else if (std::holds_alternative<Probe>(operation)) {
      const Message& message = actor.inbox[step.message];
      pieces_.message(0, message.source, *message.sent);
    } else if (const auto* collective = std::get_if<Collective>(&operation)) {
      parts(collective->request);
    } else {
      const Observe& observe = std::get<Observe>(operation);
      if (observe.quantifier == Quantifier::all)
        for (std::uint32_t i = 0; i < observe.requests.size(); ++i) request(i, observe.requests[i]);
      else
        for (const std::uint32_t i : step.completed) request(i, observe.requests[i]);
    }
  }

 private:
  void request(std::uint32_t index, RequestId request) {
    const Started& started = *world_.find(actor_, request);
    if (started.kind == Started::Kind::receive) return pieces_.message(index, started.source, *started.message);
    pieces_.index(index);
    if (started.kind == Started::Kind::collective) parts(request);
  }

  void parts(RequestId request) {
    const Instance& instance = world_.instances[world_.instance_of(actor_, request)];
    const Collective& op = std::get<Collective>(world_.find(actor_, request)->node->operation);
    const std::size_t self = graph::position_in(op, actor_);
    pieces_.begin_parts();
    for (std::size_t i = 0; i < instance.arrivals.size(); ++i) {
      if (needs(op, self, i))
        pieces_.part(instance.arrivals[i],
                     history::part_for(std::get<Collective>(instance.arrivals[i]->operation), self));
      else pieces_.part(nullptr, {});
    }
    pieces_.end_parts();
  }

  const World& world_;
  std::uint32_t actor_;
  Pieces& pieces_;
};

}  // namespace

history::Hash128 answer_key(const World& world, const Step& step) {
  history::AnswerKey key(step.flag);
  Teller(world, step.actor, key).tell(step);
  return key.key();
}

void make_answer(const World& world, const Step& step, history::Reply& reply) {
  reply.flag = step.flag;
  history::AnswerWriter writer(reply);
  Teller(world, step.actor, writer).tell(step);
}

}  // namespace rehearse::mc::cycle
