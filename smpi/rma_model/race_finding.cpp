// SPDX-License-Identifier: MIT
//
// See race_finding.hpp.
#include "smpi/rma_model/race_finding.hpp"

#include <algorithm>
#include <string>

#include "simcore/support/format.hpp"

namespace rehearse::smpi::model {

namespace {

std::string text_of(const Record& record) {
  if (record.is_operation() || record.site.function[0] != '\0')
    return fmt::format("{} of rank {}", record.site.function, record.id.actor);
  return fmt::format("a {} of rank {}", record.kind == RecordKind::store ? "store" : "load", record.id.actor);
}

std::string missing_order(const Record& a, const Record& b) {
  if (are_ordered(a, b))
    return "; in the separate memory model the owner must call MPI_Win_sync, or another function that synchronises its "
           "window, in between";
  const bool is_unfinished = is_issued(a, b), other_unfinished = is_issued(b, a);
  if (is_unfinished || other_unfinished)
    return fmt::format("; {} is not complete at its target then: a flush or an unlock is missing behind it",
                       is_unfinished ? a.site.function : b.site.function);
  return "; an exclusive lock, or a message behind a flush, would order them";
}

}  // namespace

Finding finding_of(const Race& race, Program& program) {
  const auto& [a, b] = race;
  Finding finding;
  finding.id = "rma.race";
  const bool share_bytes = std::ranges::any_of(a->memory, [&](const Bytes& one) {
    return std::ranges::any_of(b->memory, [&](const Bytes& other) { return one.meets(other); });
  });
  finding.message = fmt::format("{} and {} touch {} of the window of rank {}; nothing orders them{}", text_of(*a),
                                text_of(*b), share_bytes ? "the same memory" : "different places", a->owner,
                                missing_order(*a, *b));
  finding.actors = {{a->id.actor}};
  if (b->id.actor != a->id.actor) finding.actors.push_back({b->id.actor});
  for (const RecordRef& record : {a, b}) {
    const auto address = reinterpret_cast<std::uintptr_t>(record->site.return_address);
    const Frame frame = program.locate({record->id.actor}, {"", address});
    finding.locations.push_back(
        {{record->id.actor},
         record->site.function,
         frame.file,
         frame.line,
         frame.function,
         record->changes_memory() || record->kind == RecordKind::store ? "writes the memory" : "reads the memory"});
  }
  return finding;
}

}  // namespace rehearse::smpi::model
