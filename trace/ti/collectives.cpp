// SPDX-License-Identifier: MIT
//
// A function for each form of fields. P is the number of members.
#include "trace/ti/collectives.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "trace/collective_names.hpp"
#include "trace/count_agreement.hpp"

namespace rehearse::trace::ti {

namespace {

class CollectiveFields {
 public:
  CollectiveFields(Fields& fields, const CollectiveCaller& caller, std::vector<std::uint64_t>& segments,
                   CollectiveAction& action)
      : fields_(fields), caller_(caller), segments_(segments), action_(action) {}

  void barrier() {}

  // count [root dt]
  void broadcast() {
    if (!fields_.need(1, "count")) return;
    action_.flow = Flow::root_to_all;
    whole(0, 2);
    action_.root = fields_.root(1, caller_.members);
    action_.named_bytes = action_.bytes;
    if (caller_.member != action_.root) action_.bytes = 0;
  }

  // count volume [root dt]
  void reduce() {
    if (!fields_.need(2, "count and volume")) return;
    action_.flow = Flow::all_to_root;
    action_.root = fields_.root(2, caller_.members);
    reduction(3);
  }

  // count volume [dt]
  void allreduce() { reduction(2); }
  void scan() {
    action_.flow = Flow::prefix;
    reduction(2);
  }

  // count x P, volume [dt]
  void reduce_scatter() {
    if (!need_lists(1, 1, "a count for each member and a volume")) return;
    action_.combining = true;
    list(0, caller_.members + 1);
    action_.flops = fields_.amount(caller_.members, "the volume");
    action_.agreement = agreement_on(action_.bytes);
  }

  // sent received [root dt dt]; or sent root dt dt: a received count of 0 is left out
  void gather() {
    if (!fields_.need(2, "the counts sent and received")) return;
    action_.flow = Flow::all_to_root;
    const bool is_short = fields_.size() == 4;
    action_.root = fields_.root(is_short ? 1 : 2, caller_.members);
    whole(0, is_short ? 2 : 3);
  }

  // sent received [root dt dt]
  void scatter() {
    if (!fields_.need(2, "the counts sent and received")) return;
    action_.flow = Flow::root_to_all;
    action_.root = fields_.root(2, caller_.members);
    const std::uint64_t each = fields_.bytes(1, 4);
    action_.agreement = agreement_on(each);
    action_.received_bytes = each;
    if (caller_.member == action_.root) equal_segments(each);
  }

  // sent received [dt dt]
  void allgather() {
    if (!fields_.need(2, "the counts sent and received")) return;
    action_.bytes = fields_.bytes(1, 3);
    action_.total_bytes = action_.bytes * caller_.members;
    action_.agreement = agreement_on(action_.bytes);
  }

  // sent received [dt dt]
  void alltoall() {
    if (!fields_.need(2, "the counts sent and received")) return;
    const std::uint64_t each = fields_.bytes(0, 2);
    action_.agreement = agreement_on(each);
    equal_segments(each);
  }

  // size, sent x P, size, received x P [dt dt]
  void alltoallv() {
    if (!need_lists(2, 2, "a size and a count for each member, sent and received")) return;
    list(1, 2 * std::size_t{caller_.members} + 2);
  }

  // sent, received x P [root dt dt]
  void gatherv() {
    if (!need_lists(1, 1, "a count and the counts received from each member")) return;
    action_.flow = Flow::all_to_root;
    action_.root = fields_.root(caller_.members + 1, caller_.members);
    action_.bytes = fields_.bytes(0, caller_.members + 2);
  }

  // sent, received x P [dt dt] [displacement x P]
  void allgatherv() {
    const std::size_t members = caller_.members;
    if (!need_lists(1, 1, "a count and the counts received from each member")) return;
    const bool has_types = fields_.size() != 1 + 2 * members || members == 2;
    const std::size_t type = has_types ? members + 2 : fields_.size();
    segments_.clear();
    for (std::size_t i = 0; i < members; ++i) segments_.push_back(fields_.bytes(1 + i, type));
    action_.total_bytes = std::accumulate(segments_.begin(), segments_.end(), std::uint64_t{0});
    action_.blocks = segments_;
    action_.bytes = segments_[caller_.member];
    action_.agreement = agreement_on(action_.total_bytes);
  }

  // sent x P, received [root dt dt]
  void scatterv() {
    const std::size_t members = caller_.members;
    if (!need_lists(1, 1, "the counts sent to each member and a count")) return;
    action_.flow = Flow::root_to_all;
    action_.root = fields_.root(members + 1, caller_.members);
    if (caller_.member == action_.root) list(0, members + 2);
  }

 private:
  bool need_lists(std::size_t lists, std::size_t more, std::string_view what) {
    return fields_.need(lists * caller_.members + more, what);
  }

  // The contribution is that many elements of the type in that field.
  void whole(std::size_t count, std::size_t type) {
    action_.elements = fields_.count(count);
    action_.bytes = fields_.bytes_of(action_.elements, type);
    action_.agreement = agreement_on(action_.bytes);
  }

  void reduction(std::size_t type) {
    if (!fields_.need(2, "count and volume")) return;
    action_.combining = true;
    whole(0, type);
    action_.flops = fields_.amount(1, "the volume");
  }

  void equal_segments(std::uint64_t each) {
    segments_.assign(caller_.members, each);
    action_.bytes = each * caller_.members;
    action_.segments = segments_;
  }

  // A count for each member from this field on, of the type in that field.
  void list(std::size_t first, std::size_t type) {
    const std::uint64_t size = fields_.type_size(type);
    segments_.clear();
    for (std::size_t i = 0; i < caller_.members; ++i) segments_.push_back(fields_.bytes(first + i, type));
    action_.bytes = std::accumulate(segments_.begin(), segments_.end(), std::uint64_t{0});
    action_.elements = size == 0 ? 0 : action_.bytes / size;
    action_.segments = segments_;
  }

  Fields& fields_;
  const CollectiveCaller& caller_;
  std::vector<std::uint64_t>& segments_;
  CollectiveAction& action_;
};

struct CollectiveForm {
  CollectiveKind kind;
  void (CollectiveFields::*read)();
  std::string_view name = action_name(kind, false);  // with the i of a nonblocking one
};

constexpr std::array collective_forms = {
    CollectiveForm{CollectiveKind::barrier, &CollectiveFields::barrier},
    CollectiveForm{CollectiveKind::broadcast, &CollectiveFields::broadcast},
    CollectiveForm{CollectiveKind::reduce, &CollectiveFields::reduce},
    CollectiveForm{CollectiveKind::allreduce, &CollectiveFields::allreduce},
    CollectiveForm{CollectiveKind::scan, &CollectiveFields::scan},
    CollectiveForm{CollectiveKind::exscan, &CollectiveFields::scan},
    CollectiveForm{CollectiveKind::reduce_scatter, &CollectiveFields::reduce_scatter},
    CollectiveForm{CollectiveKind::gather, &CollectiveFields::gather},
    CollectiveForm{CollectiveKind::gatherv, &CollectiveFields::gatherv},
    CollectiveForm{CollectiveKind::allgather, &CollectiveFields::allgather},
    CollectiveForm{CollectiveKind::allgatherv, &CollectiveFields::allgatherv},
    CollectiveForm{CollectiveKind::scatter, &CollectiveFields::scatter},
    CollectiveForm{CollectiveKind::scatterv, &CollectiveFields::scatterv},
    CollectiveForm{CollectiveKind::alltoall, &CollectiveFields::alltoall},
    CollectiveForm{CollectiveKind::alltoallv, &CollectiveFields::alltoallv},
};

const CollectiveForm* find_form(std::string_view name) {
  const auto found = std::ranges::find_if(collective_forms, [name](const CollectiveForm& form) {
    return form.name == name || form.name.substr(1) == name;
  });
  return found == collective_forms.end() ? nullptr : &*found;
}

}  // namespace

bool is_collective(std::string_view name) { return find_form(name) != nullptr; }

CollectiveAction read_collective(std::string_view name, Fields& fields, const CollectiveCaller& caller,
                                 std::vector<std::uint64_t>& segments) {
  const CollectiveForm& form = *find_form(name);
  CollectiveAction action;
  action.blocking = name.size() < form.name.size();
  action.name = action.blocking ? form.name.substr(1) : form.name;
  action.kind = form.kind;
  (CollectiveFields(fields, caller, segments, action).*form.read)();
  return action;
}

}  // namespace rehearse::trace::ti
