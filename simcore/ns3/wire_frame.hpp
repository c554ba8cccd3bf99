// SPDX-License-Identifier: MIT
//
// Frames: records of numbers and texts in a stream of bytes between two processes.
//
// Format:  a length (4 bytes, without itself), a kind (1 byte), and the fields of the message of this kind,
//          little-endian and without gaps. A double is its 64 bits; a text or a list is a length (4 bytes) and its
//          content.
// Usage:   a message is a struct with `static constexpr std::uint8_t kind` and `fields(visitor)`, which passes each of
//          its fields to the visitor, in order. append() encodes it, take_frame() finds the next frame, and decode()
//          reads its message.
// Errors:  decode() returns false if fields are missing or bytes remain; take_frame() reports impossible lengths.
// Language: C++17, which the headers of ns-3 need.
// Threads: none.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace rehearse::ns3 {

inline constexpr std::uint32_t longest_frame = 1u << 30;  // bytes; longer ones are damage

class FieldWriter {
 public:
  explicit FieldWriter(std::string& out) : out_(out) {}

  template <class Number>
  std::enable_if_t<std::is_integral_v<Number>> operator()(const Number& number) {
    auto rest = static_cast<std::uint64_t>(number);
    for (std::size_t i = 0; i < sizeof(Number); ++i, rest >>= 8) out_.push_back(static_cast<char>(rest & 0xff));
  }
  void operator()(const double& number) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    (*this)(bits);
  }
  void operator()(const std::string& text) {
    (*this)(static_cast<std::uint32_t>(text.size()));
    out_ += text;
  }
  template <class Item>
  void operator()(const std::vector<Item>& list) {
    (*this)(static_cast<std::uint32_t>(list.size()));
    for (const Item& item : list) {
      if constexpr (std::is_class_v<Item>) const_cast<Item&>(item).fields(*this);
      else (*this)(item);
    }
  }

 private:
  std::string& out_;
};

class FieldReader {
 public:
  explicit FieldReader(std::string_view content) : content_(content) {}

  // All fields were there, and nothing else.
  bool is_complete() const { return is_good_ && content_.empty(); }

  template <class Number>
  std::enable_if_t<std::is_integral_v<Number>> operator()(Number& number) {
    std::uint64_t value = 0;
    if (!has(sizeof(Number))) return;
    for (std::size_t i = 0; i < sizeof(Number); ++i)
      value |= std::uint64_t{static_cast<unsigned char>(content_[i])} << (8 * i);
    content_.remove_prefix(sizeof(Number));
    number = static_cast<Number>(value);
  }
  void operator()(double& number) {
    std::uint64_t bits = 0;
    (*this)(bits);
    std::memcpy(&number, &bits, sizeof bits);
  }
  void operator()(std::string& text) {
    const std::uint32_t size = length();
    if (!has(size)) return;
    text = content_.substr(0, size);
    content_.remove_prefix(size);
  }
  template <class Item>
  void operator()(std::vector<Item>& list) {
    const std::uint32_t size = length();
    list.clear();
    if (!has(size)) return;  // an item has a byte at least
    for (std::uint32_t i = 0; i < size && is_good_; ++i) {
      Item item{};
      if constexpr (std::is_class_v<Item>) item.fields(*this);
      else (*this)(item);
      list.push_back(std::move(item));
    }
  }

 private:
  std::uint32_t length() {
    std::uint32_t size = 0;
    (*this)(size);
    return size;
  }
  bool has(std::size_t bytes) { return is_good_ = is_good_ && content_.size() >= bytes; }

  std::string_view content_;
  bool is_good_ = true;
};

// Appends the message as one frame.
template <class Message>
void append(std::string& out, const Message& message) {
  std::string content(1, static_cast<char>(Message::kind));
  FieldWriter writer(content);
  const_cast<Message&>(message).fields(writer);  // a writer only reads
  FieldWriter length(out);
  length(static_cast<std::uint32_t>(content.size()));
  out += content;
}

struct Frame {
  std::uint8_t kind = 0;
  std::string_view fields;  // a part of the stream
};

enum class FrameStatus : std::uint8_t { found, incomplete, damaged };

// The frame at the start of `stream`. If it is there, removes it.
inline FrameStatus take_frame(std::string_view& stream, Frame& frame) {
  std::uint32_t size = 0;
  if (stream.size() < sizeof size) return FrameStatus::incomplete;
  FieldReader reader(stream.substr(0, sizeof size));
  reader(size);
  if (size == 0 || size > longest_frame) return FrameStatus::damaged;
  if (stream.size() - sizeof size < size) return FrameStatus::incomplete;
  frame.kind = static_cast<std::uint8_t>(stream[sizeof size]);
  frame.fields = stream.substr(sizeof size + 1, size - 1);
  stream.remove_prefix(sizeof size + size);
  return FrameStatus::found;
}

// The frame must have the message's kind.
template <class Message>
bool decode(const Frame& frame, Message& message) {
  if (frame.kind != Message::kind) return false;
  FieldReader reader(frame.fields);
  message.fields(reader);
  return reader.is_complete();
}

}  // namespace rehearse::ns3
