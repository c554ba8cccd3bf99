// SPDX-License-Identifier: MIT
//
// Actors that are born while the program runs. The number of actors of a Program is fixed, so an actor that another one
// may start exists from the beginning: its first operation is a blocking receive in a context of its own, and the
// message that starts it is its birth. An actor that gets no such message was never born. It waits for nobody and has
// nothing to do: in every outcome it has ended. The same holds for an actor that serves others and waits for a request
// in this context.
//
// Threads: none.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "simcore/operation.hpp"

namespace rehearse {

// Programs use this context for births only.
inline constexpr ContextId birth_context{12};

// The context of the answers of actors that serve others. Requests to them are in birth_context, with a tag that is not
// that of a birth.
inline constexpr ContextId service_context{14};

// Whether a message is a request to an actor that serves others, or its answer.
inline bool is_service(ContextId context, Tag tag) {
  return context == service_context || (context == birth_context && tag != Tag{0});
}

// The name of such programs, for proofs and reductions that do not support them.
inline constexpr const char* started_actors = "actors that start while the program runs";

// The receive with which an actor waits for its birth. Without a source, any actor may start it.
inline Post birth_receive(std::optional<ActorId> source) {
  Post post;
  post.pattern = {birth_context, source, Tag{0}};
  post.capacity_bytes = ~std::uint64_t{0};
  post.blocking = true;
  return post;
}

// Whether an actor that is paused at this operation is not born yet, or waits for the next request to serve.
inline bool awaits_birth(const Operation& operation) {
  const auto* post = std::get_if<Post>(&operation);
  return post != nullptr && post->pattern.context == birth_context;
}

}  // namespace rehearse
