// SPDX-License-Identifier: MIT
//
// Assignments as bytes.
#include "mc/parallel/assignment.hpp"

#include "mc/records/records.hpp"

namespace rehearse::mc {

void put(Writer& to, const Assignment& assignment) {
  put(to, assignment.path);
  to.number(assignment.skip);
  to.number(assignment.gone.size());
  for (const Assignment::Gone& gone : assignment.gone) {
    to.number(gone.after);
    to.number(gone.cut.floor);
    to.number(gone.cut.limit);
  }
  to.number(assignment.is_careful);
}

void get(Reader& from, Assignment& assignment) {
  get(from, assignment.path);
  assignment.skip = from.number();
  assignment.gone.resize(from.count());
  for (Assignment::Gone& gone : assignment.gone) {
    gone.after = from.number();
    gone.cut.floor = static_cast<std::uint32_t>(from.number());
    gone.cut.limit = static_cast<std::uint32_t>(from.number());
  }
  assignment.is_careful = from.number() != 0;
}

}  // namespace rehearse::mc
