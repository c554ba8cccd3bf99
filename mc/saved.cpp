// SPDX-License-Identifier: MIT
//
// The remaining work of an exploration, with its identity and a hash that detects damage.
#include "mc/saved.hpp"

#include "mc/history/history.hpp"
#include "mc/records/bytes.hpp"
#include "mc/remaining_work.hpp"

namespace rehearse::mc {

namespace {

constexpr std::string_view seal_begin = "rehearse exploration 1\n";

struct Sealed {
  std::string identity, rest;
};

// The hash of the content comes before the content.
std::string seal(std::string_view identity, std::string_view rest) {
  records::Writer content;
  content.text(identity);
  content.text(rest);
  records::Writer sealed;
  sealed.plain(history::hash_bytes(content.bytes().data(), content.bytes().size()));
  return std::string(seal_begin) + sealed.bytes() + content.bytes();
}

Result<Sealed> unseal(std::string_view bytes) {
  if (!bytes.starts_with(seal_begin)) return Error{"it is not a saved exploration"};
  records::Reader reader(bytes.substr(seal_begin.size()));
  const auto hash = reader.plain<history::Hash128>();
  const std::string_view content = bytes.substr(bytes.size() - reader.remaining());
  if (!reader.is_good() || hash != history::hash_bytes(content.data(), content.size()))
    return Error{"it is damaged or incomplete"};
  Sealed sealed;
  sealed.identity = reader.text();
  sealed.rest = reader.text();
  return sealed;
}

}  // namespace

Verdict explore(Program& program, const ExploreOptions& options, const Judge& judge, std::string_view identity,
                std::string& remaining) {
  std::string rest;
  Verdict verdict = explore_part(program, options, judge, rest);
  remaining = rest.empty() ? "" : seal(identity, rest);
  return verdict;
}

Result<Verdict> go_on(Program& program, const ExploreOptions& options, const Judge& judge, std::string_view identity,
                      std::string& remaining) {
  auto sealed = unseal(remaining);
  if (!sealed) return sealed.error();
  if (sealed.value().identity != identity) return Error{"it belongs to another program or other options"};
  std::string rest = std::move(sealed.value().rest);
  Result<Verdict> verdict = explore_remaining(program, options, judge, rest);
  if (verdict) remaining = rest.empty() ? "" : seal(identity, rest);
  return verdict;
}

Result<std::string> identity_of(std::string_view remaining) {
  auto sealed = unseal(remaining);
  if (!sealed) return sealed.error();
  return sealed.value().identity;
}

}  // namespace rehearse::mc
