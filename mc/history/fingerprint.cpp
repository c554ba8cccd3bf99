// SPDX-License-Identifier: MIT
//
// The fields of each operation that belong to its fingerprint.
#include "mc/history/fingerprint.hpp"

#include "mc/history/words.hpp"

namespace rehearse::mc::history {

namespace {

void add_pattern(Words& words, const Pattern& p) {
  words.add(p.context.value, p.source ? p.source->value : ~0ull, p.tag ? static_cast<std::uint64_t>(*p.tag) : ~0ull,
            p.source.has_value(), p.tag.has_value());
}

}  // namespace

Hash128 fingerprint(const Operation& operation, const Hash128& data, const Hash128& passed) {
  Words words;
  words.add(operation.index());
  words.add_hash(passed);
  std::visit(
      [&](const auto& op) {
        using Op = std::decay_t<decltype(op)>;
        if constexpr (std::is_same_v<Op, Send>) {
          words.add(op.context.value, op.destination.value, op.tag, op.mode, op.blocking, op.signature, op.data.size());
          words.add_hash(data);
        } else if constexpr (std::is_same_v<Op, Post>) {
          add_pattern(words, op.pattern);
          words.add(op.capacity_bytes, op.blocking, op.taken ? *op.taken + 1 : 0);
        } else if constexpr (std::is_same_v<Op, Observe>) {
          for (const RequestId r : op.requests) words.add(r.value);
          words.add(op.quantifier, op.blocking, op.withdraws);
        } else if constexpr (std::is_same_v<Op, Probe>) {
          add_pattern(words, op.pattern);
          words.add(op.blocking, op.takes);
        } else if constexpr (std::is_same_v<Op, Collective>) {
          words.add(op.context.value, op.root, op.signature, op.flow, op.blocking);
          if (op.groups.first != 0) words.add(op.groups.first, op.groups.gives, op.groups.takes);
          words.add_text(op.name);
          words.add_hash(data);
          if (!op.remark.empty()) words.add_hash(hash_bytes(op.remark.data(), op.remark.size()));
        } else if constexpr (std::is_same_v<Op, Choose>) {
          words.add(op.count);
          words.add_text(op.what);
        } else if constexpr (std::is_same_v<Op, Fail>) {
          words.add(op.kind);
          words.add_text(op.id);
        } else if constexpr (std::is_same_v<Op, End>) {
          words.add(op.status);
        } else if constexpr (std::is_same_v<Op, Sleep>) {
          words.add(op.duration.picoseconds);
        } else if constexpr (std::is_same_v<Op, Release>) {
          words.add(op.request.value);
        }
      },
      operation);
  return words.hash();
}

Hash128 hash_of_data(const Operation& operation) {
  if (const auto* send = std::get_if<Send>(&operation)) return hash_bytes(send->data.data(), send->data.size());
  if (const auto* collective = std::get_if<Collective>(&operation))
    return hash_bytes(collective->contribution.data(), collective->contribution.size());
  return {};
}

void ObservableEffects::add(const Log& log) {
  for (const char byte : log.text)
    output = output * 0x100000001b3 + static_cast<unsigned char>(byte) + 256u * static_cast<unsigned>(log.stream);
}

void ObservableEffects::add(const Published& result) {
  Words words;
  words.add(results);
  words.add_text(result.name);
  words.add_text(result.bytes);
  results = words.hash().low;
  reported_at = result.address;
}

void ObservableEffects::add(const Send& send, const Hash128& data) {
  const std::uint64_t words[] = {sends,
                                 send.context.value,
                                 send.destination.value,
                                 static_cast<std::uint64_t>(send.tag),
                                 static_cast<std::uint64_t>(send.mode),
                                 data.low};
  sends = hash_bytes(words, sizeof words).low;
}

bool is_local(const Operation& operation) {
  if (const auto* collective = std::get_if<Collective>(&operation)) return collective->flow == Flow::nobody;
  return std::holds_alternative<Compute>(operation) || std::holds_alternative<Sleep>(operation) ||
         std::holds_alternative<Clock>(operation) || std::holds_alternative<Log>(operation) ||
         std::holds_alternative<Report>(operation) || std::holds_alternative<Release>(operation) ||
         std::holds_alternative<Traffic>(operation) || std::holds_alternative<Settle>(operation);
}

}  // namespace rehearse::mc::history
