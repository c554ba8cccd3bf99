// SPDX-License-Identifier: MIT
//
// Assignments as bytes.
#include "mc/parallel/assignment.hpp"

#include "mc/records/records.hpp"

namespace rehearse::mc::parallel {

void put(records::Writer& to, const Assignment& assignment) {
  put(to, assignment.path);
  to.number(assignment.skip);
  to.number(assignment.gone.size());
  for (const Assignment::Gone& gone : assignment.gone) {
    to.number(gone.after);
    put(to, gone.cut);
  }
  to.number(assignment.is_careful);
}

void get(records::Reader& from, Assignment& assignment) {
  get(from, assignment.path);
  assignment.skip = from.number();
  assignment.gone.resize(from.count());
  for (Assignment::Gone& gone : assignment.gone) {
    gone.after = from.number();
    get(from, gone.cut);
  }
  assignment.is_careful = from.number() != 0;
}

}  // namespace rehearse::mc::parallel
