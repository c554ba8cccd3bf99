// SPDX-License-Identifier: MIT
//
// See accesses.hpp.
#include "smpi/buffers/accesses.hpp"

#include <array>
#include <string>

#include "simcore/actor.hpp"
#include "smpi/buffers/pending.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

void report(const PendingBuffer& pending, bool stores, const void* place) {
  const LibraryCode not_measured;
  const std::string what = std::string(stores ? "writes to the " : "reads the ") +
                           (pending.use.written ? "receive" : "send") + " buffer of " + text_of(pending.site) +
                           ", which is not complete";
  const ReportedPlace here{{"", place}, stores ? "writes here" : "reads here"};
  const std::array others{ReportedPlace{pending.site, "began here, and is not complete"}};
  report_places(stores ? "buffer.written" : "buffer.read", what, here, others);
}

}  // namespace

void report_access(const Span& bytes, bool stores, const void* place) {
  PendingBuffers* all = find_per_rank<PendingBuffers>();
  if (all == nullptr) return;
  // A report may be the end of the rank, or go on long after: nothing of the search is held meanwhile.
  while (true) {
    PendingBuffer* touched = nullptr;
    all->for_each_near(bytes, [&](PendingBuffer& pending) {
      if ((!stores && !pending.use.written) || !pending.exact().meets(bytes)) return false;
      if (stores) pending.content.reset();  // it is told of here
      if (!all->is_news(place, pending.site.return_address)) return false;
      touched = &pending;
      return true;
    });
    if (touched == nullptr) return;
    report(*touched, stores, place);
  }
}

}  // namespace rehearse::smpi
