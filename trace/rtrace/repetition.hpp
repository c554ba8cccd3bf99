// SPDX-License-Identifier: MIT
//
// An action that a rank repeats: a send, a receive or a wait for all, of which only the numbers of requests change from
// one time to the next, or a computation, of which only the volume changes. A loop of a recording consists of such
// actions, which need no conversion.
//
// Memory:  40 bytes, because each rank has one for each of its calls.
// Threads: none.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "simcore/operation.hpp"
#include "trace/rtrace/event.hpp"

namespace rehearse::trace::rtrace {

class Repetition {
 public:
  enum class Kind : std::uint8_t { none, send, receive, wait, compute };

  Repetition() = default;
  // Of an action whose operation was made from this event. Kind::none: it cannot be repeated like this.
  Repetition(const Event& event, const Operation& operation);

  Kind kind() const { return kind_; }
  // Whether it can be repeated when the rank has this next request.
  bool is_possible(std::uint32_t next_request) const { return kind_ != Kind::none && next_request < last_request; }

  // Kind::send and Kind::receive: makes the operation, with this request.
  void make_send(RequestId request, Operation& operation) const {
    Send& send = operation.emplace<Send>();
    send.request = request;
    send.context = message_.context;
    send.destination = {message_.peer};
    send.tag = message_.tag;
    send.mode = mode_;
    send.blocking = is_blocking_;
    send.data = {static_cast<const std::byte*>(nullptr), static_cast<std::size_t>(message_.bytes)};
  }
  void make_receive(RequestId request, Operation& operation) const {
    Post& post = operation.emplace<Post>();
    post.request = request;
    post.pattern.context = message_.context;
    post.pattern.source = ActorId{message_.peer};
    post.pattern.tag = message_.tag;
    post.capacity_bytes = message_.bytes;
    post.blocking = is_blocking_;
  }
  bool is_blocking() const { return is_blocking_; }

  // Kind::compute: makes the operation. False: the volume is not a number.
  bool make_compute(std::int64_t volume, Compute& compute) const {
    compute = {volume_of(volume, is_fraction_), origin_};
    return std::isfinite(compute.flops);
  }

  // Kind::wait: the requests that it waits for, counted back from the next request of the rank.
  std::span<const std::uint32_t> back() const { return {back_.data(), count_}; }

 private:
  static constexpr std::size_t most = 6;
  static constexpr std::uint32_t last_request = ~0u - 1;
  struct Message {
    ContextId context;
    std::uint64_t bytes = 0;
    std::uint32_t peer = 0;
    Tag tag = 0;
  };

  Kind kind_ = Kind::none;
  SendMode mode_ = SendMode::standard;
  VolumeOrigin origin_ = VolumeOrigin::requested;
  bool is_blocking_ = false;
  bool is_fraction_ = false;
  std::uint8_t count_ = 0;
  union {
    Message message_{};                     // Kind::send and Kind::receive
    std::array<std::uint32_t, most> back_;  // Kind::wait
  };
};

}  // namespace rehearse::trace::rtrace
