// SPDX-License-Identifier: MIT
//
// An action that a rank repeats: a send, a receive or a wait for all, of which only the numbers of requests change from
// one time to the next. A loop of a recording consists of such actions, which need no conversion.
//
// Memory:  a cache line, because each rank has one for each of its calls.
// Threads: none.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "simcore/operation.hpp"
#include "trace/rtrace/event.hpp"

namespace rehearse::trace::rtrace {

class Repetition {
 public:
  enum class Kind : std::uint8_t { none, send, receive, wait };

  Repetition() = default;
  // Of an action whose operation was made from this event. Kind::none: it cannot be repeated like this.
  Repetition(const Event& event, const Operation& operation);

  Kind kind() const { return kind_; }

  // Kind::send and Kind::receive: makes the operation, with this request.
  void make_send(RequestId request, Operation& operation) const {
    Send* send = std::get_if<Send>(&operation);
    if (send == nullptr) send = &operation.emplace<Send>();
    *send = {request, context_, ActorId{peer_}, tag_, mode_, is_blocking_,
             {static_cast<const std::byte*>(nullptr), static_cast<std::size_t>(bytes_)}};
  }
  void make_receive(RequestId request, Operation& operation) const {
    Post* post = std::get_if<Post>(&operation);
    if (post == nullptr) post = &operation.emplace<Post>();
    *post = {request, {context_, ActorId{peer_}, tag_}, bytes_, is_blocking_, {}};
  }
  bool is_blocking() const { return is_blocking_; }

  // Kind::wait: the requests that it waits for, counted back from the next request of the rank.
  std::span<const std::uint32_t> back() const { return {back_.data(), count_}; }

 private:
  static constexpr std::size_t most = 6;

  Kind kind_ = Kind::none;
  SendMode mode_ = SendMode::standard;
  bool is_blocking_ = false;
  std::uint8_t count_ = 0;
  std::uint32_t peer_ = 0;
  Tag tag_ = 0;
  ContextId context_;
  std::uint64_t bytes_ = 0;
  std::array<std::uint32_t, most> back_{};
};

}  // namespace rehearse::trace::rtrace
