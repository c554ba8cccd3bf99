// SPDX-License-Identifier: MIT
//
// Assignments as bytes.
#include "mc/parallel/assignment.hpp"

#include "mc/records/records.hpp"

namespace rehearse::mc::parallel {

void put(records::Writer& to, const Assignment& assignment) {
  put(to, assignment.path);
  to.number(assignment.skip);
  to.number(assignment.donated.size());
  for (const Assignment::Donated& donated : assignment.donated) {
    to.number(donated.after);
    put(to, donated.cut);
  }
  to.number(assignment.is_careful);
}

void get(records::Reader& from, Assignment& assignment) {
  get(from, assignment.path);
  assignment.skip = from.number();
  assignment.donated.resize(from.count());
  for (Assignment::Donated& donated : assignment.donated) {
    donated.after = from.number();
    get(from, donated.cut);
  }
  assignment.is_careful = from.number() != 0;
}

}  // namespace rehearse::mc::parallel
