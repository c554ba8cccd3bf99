// SPDX-License-Identifier: MIT
//
// Notices: messages between the libraries of actors, of which their programs know nothing. They have tags that no
// program can use. To drivers without time they are buffered messages like others; in time, they arrive at once, cost
// nothing and are in no timeline.
//
// Threads: none.
#pragma once

#include <string_view>
#include <variant>

#include "simcore/operation.hpp"

namespace rehearse {

inline constexpr Tag first_notice_tag = -0x7f10, last_notice_tag = -0x7f01;

// The sender has failed; it has revoked a communicator.
inline constexpr Tag death_notice_tag = -0x7f01, revocation_notice_tag = -0x7f02;

// The names of the choices (Choose::what) of failures: none, or the first, second... of the actors that are left; and
// whether the actor fails in this call.
inline constexpr std::string_view choice_of_failing_actor = "which rank fails";
inline constexpr std::string_view choice_to_fail = "whether the rank fails here";

inline bool is_notice_tag(Tag tag) { return tag >= first_notice_tag && tag <= last_notice_tag; }

// Whether the operation sends or receives a notice.
inline bool is_notice(const Operation& operation) {
  if (const auto* send = std::get_if<Send>(&operation)) return is_notice_tag(send->tag);
  const auto* post = std::get_if<Post>(&operation);
  return post != nullptr && post->pattern.tag && is_notice_tag(*post->pattern.tag);
}

}  // namespace rehearse
