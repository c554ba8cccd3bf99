// SPDX-License-Identifier: MIT
//
// Pieces of answers.
#include "mc/history/answer.hpp"

namespace rehearse::mc::history {

namespace {

// The remark on a part.
std::span<const std::byte> remark_of(const Node* from) {
  return from == nullptr ? std::span<const std::byte>() : std::get<Collective>(from->operation).remark;
}

}  // namespace

std::span<const std::byte> part_for(const Collective& given, std::size_t self) {
  if (given.segment_bytes.empty()) return given.contribution;
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < self; ++i) offset += given.segment_bytes[i];
  if (given.contribution.data() == nullptr) return {given.contribution.data(), given.segment_bytes[self]};
  return given.contribution.subspan(offset, given.segment_bytes[self]);
}

void AnswerKey::message(std::uint32_t index, std::uint32_t source, const Node& sent) {
  const Send& message = std::get<Send>(sent.operation);
  words_.add(index, std::uint64_t{source} << 32 | static_cast<std::uint32_t>(message.tag), message.data.size(),
             sent.data_hash.low, sent.data_hash.high, message.signature);
}

void AnswerKey::part(const Node* from, std::span<const std::byte> part) {
  const bool is_whole = from != nullptr && part.size() == std::get<Collective>(from->operation).contribution.size();
  const Hash128 h = part.empty() ? Hash128{} : is_whole ? from->data_hash : hash_bytes(part.data(), part.size());
  words_.add(part.size(), h.low, h.high);
  if (const auto remark = remark_of(from); !remark.empty()) words_.add_hash(hash_bytes(remark.data(), remark.size()));
}

void AnswerWriter::message(std::uint32_t index, std::uint32_t source, const Node& sent) {
  const Send& message = std::get<Send>(sent.operation);
  Completion& completion = reply_.completions.emplace_back();
  completion.index = index;
  completion.source = {source};
  completion.tag = message.tag;
  completion.data = message.data;
  completion.signature = message.signature;
  completion.origin = message.origin;
  if (!message.data.empty()) reply_.sources.push_back(&sent);
}

void AnswerWriter::begin_parts() {
  reply_.part_ends.resize(reply_.completions.size(), static_cast<std::uint32_t>(reply_.parts.size()));
}

void AnswerWriter::part(const Node* from, std::span<const std::byte> part) {
  reply_.parts.push_back(part);
  const std::span<const std::byte> remark = remark_of(from);
  if (!remark.empty()) {
    reply_.remarks.resize(reply_.parts.size());
    reply_.remarks.back() = {remark, std::get<Collective>(from->operation).origin};
  }
  if (!part.empty() || !remark.empty()) reply_.sources.push_back(from);
}

void AnswerWriter::end_parts() {
  if (!reply_.part_ends.empty()) reply_.part_ends.back() = static_cast<std::uint32_t>(reply_.parts.size());
}

}  // namespace rehearse::mc::history
