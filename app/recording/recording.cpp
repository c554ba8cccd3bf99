// SPDX-License-Identifier: MIT
//
// Names in recordings.
#include "app/recording.hpp"

#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {

std::string_view name_of(Doing doing) {
  switch (doing) {
    case Doing::computation: return "computation";
    case Doing::pause: return "pause";
    case Doing::other: return "other";
    case Doing::probe: return "probe";
    case Doing::wait: return "wait";
    case Doing::send: return "send";
    case Doing::receive: return "receive";
    case Doing::exchange: return "exchange";
    case Doing::collective: return "collective";
  }
  REHEARSE_ASSERT(false, "something done that has no name");
  return {};
}

std::string Recording::lane_name(std::uint32_t rank) const {
  return lanes.empty() ? fmt::format("rank {}", rank) : lanes[rank];
}

std::string Recording::place_text(std::uint32_t place) const {
  if (place == 0) return {};
  const RecordedPlace& at = places[place];
  std::string text = texts[at.file];
  if (!text.empty()) text += fmt::format(":{}", at.line);
  if (at.function != 0) text += (text.empty() ? "in " : " in ") + texts[at.function];
  return text;
}

}  // namespace rehearse::app
