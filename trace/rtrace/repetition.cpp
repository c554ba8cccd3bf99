// SPDX-License-Identifier: MIT
//
// See repetition.hpp.
#include "trace/rtrace/repetition.hpp"

#include <variant>

namespace rehearse::trace::rtrace {

Repetition::Repetition(const Event& event, const Operation& operation) {
  if (event.has(flag::unanswered)) return;
  if (const auto* send = std::get_if<Send>(&operation)) {
    if (event.numbers[place::gap] != 0) return;
    kind_ = Kind::send;
    mode_ = send->mode;
    is_blocking_ = send->blocking;
    message_ = {send->context, send->data.size(), send->destination.value, send->tag};
  } else if (const auto* post = std::get_if<Post>(&operation)) {
    if (event.numbers[place::gap] != 0 || event.has(flag::undecided) || post->taken) return;
    if (!post->pattern.source || !post->pattern.tag) return;
    kind_ = Kind::receive;
    is_blocking_ = post->blocking;
    message_ = {post->pattern.context, post->capacity_bytes, post->pattern.source->value, *post->pattern.tag};
  } else if (const auto* observe = std::get_if<Observe>(&operation)) {
    const bool is_plain = observe->blocking && event.has(flag::yes) && !event.has(flag::undecided);
    if (!is_plain || observe->withdraws || observe->quantifier != Quantifier::all) return;
    if (observe->requests.size() > most) return;
    kind_ = Kind::wait;
    back_ = {};
    for (std::size_t i = 0; i < observe->requests.size(); ++i)
      back_[count_++] = static_cast<std::uint32_t>(event.numbers[1 + i]);
  } else if (const auto* compute = std::get_if<Compute>(&operation)) {
    kind_ = Kind::compute;
    origin_ = compute->origin;
    is_fraction_ = event.has(flag::fraction);
  }
}

}  // namespace rehearse::trace::rtrace
