// SPDX-License-Identifier: MIT
//
// See footprint.hpp.
#include "smpi/buffers/footprint.hpp"

#include <algorithm>
#include <limits>

namespace rehearse::smpi {
namespace {

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

// The sum of floor((a * i + c) / m) for i from 0 to n - 1; a and c are not negative.
unsigned __int128 sum_of_floors(unsigned __int128 n, unsigned __int128 m, unsigned __int128 a, unsigned __int128 c) {
  unsigned __int128 sum = 0;
  while (true) {
    sum += n * (n - 1) / 2 * (a / m) + n * (c / m);
    a %= m;
    c %= m;
    const unsigned __int128 top = a * n + c;
    if (top < m) return sum;
    n = top / m;
    c = top % m;
    std::swap(m, a);
  }
}

// Whether a * i + c, modulo m, is at most `width` for an i from 0 to n - 1.
bool ever_within(std::int64_t n, std::int64_t m, std::int64_t a, std::int64_t c, std::int64_t width) {
  if (n <= 0 || width < 0) return false;
  if (width >= m - 1) return true;
  const std::int64_t step = a - floor_div(a, m) * m;
  const std::int64_t first = c - floor_div(c, m) * m + m;  // so that `first - width - 1` is not negative
  const auto times = static_cast<unsigned __int128>(n), modulus = static_cast<unsigned __int128>(m);
  return sum_of_floors(times, modulus, static_cast<unsigned __int128>(step), static_cast<unsigned __int128>(first)) !=
         sum_of_floors(times, modulus, static_cast<unsigned __int128>(step),
                       static_cast<unsigned __int128>(first - width - 1));
}

struct Indices {
  std::int64_t first = 0, last = -1;
  bool empty() const { return first > last; }
};

// The i, from `least` to `most`, for which [begin + i * stride, end + i * stride) meets `other`.
Indices that_meet(const Span& one, std::int64_t stride, Indices among, const Span& other) {
  // one.begin + i * stride < other.end, other.begin < one.end + i * stride
  return {std::max(among.first, floor_div(other.begin - one.end, stride) + 1),
          std::min(among.last, floor_div(other.end - one.begin - 1, stride))};
}

Span moved(const Span& span, std::int64_t by) { return {span.begin + by, span.end + by}; }

std::int64_t address_of(const Buffer& buffer) {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(buffer.address));
}

}  // namespace

Span hull_of(const Buffer& buffer) {
  if (buffer.bytes() == 0) return {};
  const Datatype& type = *buffer.type;
  const std::int64_t first = address_of(buffer) + type.true_lower_bound();
  const std::int64_t last = first + (buffer.count - 1) * type.extent();
  return {std::min(first, last), std::max(first, last) + type.true_extent()};
}

Span hull_of(const Blocks& blocks) {
  if (const Buffer* all = blocks.as_one()) return hull_of(*all);
  Span hull;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Span one = hull_of(blocks[i]);
    if (one.empty()) continue;
    if (hull.empty()) hull = one;
    hull = {std::min(hull.begin, one.begin), std::max(hull.end, one.end)};
  }
  return hull;
}

Footprint::Footprint(const Blocks& blocks) : nodes_(1) {
  if (const Buffer* all = blocks.as_one()) {
    if (all->bytes() > 0) add_buffer(*all, 0);
    return;
  }
  std::vector<Buffer> filled;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (blocks[i].bytes() > 0) filled.push_back(blocks[i]);
  if (filled.size() == 1) add_buffer(filled[0], 0);
  if (filled.size() <= 1) return;
  nodes_[0].children = 1;
  nodes_[0].child_count = static_cast<std::uint32_t>(filled.size());
  nodes_.resize(1 + filled.size());
  for (std::uint32_t i = 0; i < filled.size(); ++i) add_buffer(filled[i], 1 + i);
  close(0);
}

void Footprint::add_buffer(const Buffer& buffer, std::uint32_t at) {
  const Datatype& type = *buffer.type;
  if (type.contiguous()) {
    nodes_[at].offset = address_of(buffer) + type.layout()[0].offset;
    nodes_[at].one = {0, type.size() * buffer.count};
    return;
  }
  const Run whole{.offset = address_of(buffer),
                  .bytes = type.size(),
                  .stride = type.extent(),
                  .count = buffer.count,
                  .body = static_cast<std::uint32_t>(type.layout().size())};
  std::vector<Run> runs{whole};
  runs.insert(runs.end(), type.layout().begin(), type.layout().end());
  add_run(runs, at);
}

// Adds a node for a run. If the run has a body, close() computes the hull of the node from its children.
void Footprint::add_run(std::span<const Run> runs, std::uint32_t at) {
  Run run = runs[0];
  if (run.count > 1 && run.stride == 0) {
    twice_ = twice_ || run.bytes > 0;
    run.count = 1;
  }
  if (run.count == 1) run.stride = 0;
  if (run.stride < 0) {
    run.offset += (run.count - 1) * run.stride;
    run.stride = -run.stride;
  }
  nodes_[at].offset = run.offset;
  nodes_[at].stride = run.stride;
  nodes_[at].count = run.count;
  if (run.body == 0) nodes_[at].one = {0, run.bytes};
  else add_children(runs.subspan(1, run.body), at);
}

void Footprint::add_children(std::span<const Run> runs, std::uint32_t parent) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < runs.size(); i += 1 + runs[i].body) ++count;
  const auto first = static_cast<std::uint32_t>(nodes_.size());
  nodes_.resize(first + count);
  nodes_[parent].children = first;
  nodes_[parent].child_count = count;
  std::uint32_t at = first;
  for (std::size_t i = 0; i < runs.size(); i += 1 + runs[i].body) add_run(runs.subspan(i), at++);
  close(parent);
  if (count == 1) absorb_child(parent);
}

// Merges a single child into its parent if both together are one repetition: fewer levels to compare.
void Footprint::absorb_child(std::uint32_t parent) {
  Node& node = nodes_[parent];
  const Node child = nodes_[node.children];
  const bool is_run_of_blocks = child.child_count == 0 && node.stride == child.count * child.stride;
  if (node.count > 1 && child.count > 1 && !is_run_of_blocks) return;
  if (child.count > 1) {
    node.count *= child.count;
    node.stride = child.stride;
  }
  node.offset += child.offset;
  node.one = child.one;
  node.children = child.children;
  node.child_count = child.child_count;
}

// Sorts the children and finds the hull.
void Footprint::close(std::uint32_t parent) {
  Node& node = nodes_[parent];
  const auto first = nodes_.begin() + node.children, last = first + node.child_count;
  const auto before = [](const Node& a, const Node& b) { return a.begin() < b.begin(); };
  if (!std::is_sorted(first, last, before)) std::sort(first, last, before);
  std::int64_t reach = std::numeric_limits<std::int64_t>::min();
  for (auto child = first; child != last; ++child) reach = child->reach = std::max(reach, child->end());
  node.one = {first->begin(), reach};
}

// Searches for common bytes of two parts of shapes. A part is a node and its position.
class FootprintComparison {
 public:
  using Node = Footprint::Node;

  FootprintComparison(const std::vector<Node>& a, const std::vector<Node>& b) : a_(a), b_(b) {}

  // All repetitions of the two; the positions are those of the parents.
  bool nodes_meet(const Node& a, std::int64_t at_a, const Node& b, std::int64_t at_b) const {
    const Span all_a = moved({a.begin(), a.end()}, at_a), all_b = moved({b.begin(), b.end()}, at_b);
    if (!all_a.meets(all_b)) return false;
    const std::int64_t first_a = at_a + a.offset, first_b = at_b + b.offset;
    const Span one_a = moved(a.one, first_a), one_b = moved(b.one, first_b);
    const bool blocks = a.child_count == 0 && b.child_count == 0;
    if (b.count == 1) return some_meet(a, {0, a.count - 1}, first_a, one_b, b, first_b);
    if (a.count == 1) return swapped().some_meet(b, {0, b.count - 1}, first_b, one_a, a, first_a);
    if (a.stride == b.stride)  // then only the difference of the two indices matters
      return some_meet(a, {1 - b.count, a.count - 1}, first_a, one_b, b, first_b);
    if (blocks) return runs_meet(a, first_a, b, first_b);
    if (a.count > b.count) return swapped().each_meets(b, first_b, all_a, a, at_a);
    return each_meets(a, first_a, all_b, b, at_b);
  }

  // One repetition of each.
  bool ones_meet(const Node& a, std::int64_t at_a, const Node& b, std::int64_t at_b) const {
    const Span one_a = moved(a.one, at_a), one_b = moved(b.one, at_b);
    if (!one_a.meets(one_b)) return false;
    if (a.child_count == 0 && b.child_count == 0) return true;
    if (a.child_count == 0) return swapped().children_meet(b, at_b, alone(a), at_a);
    if (b.child_count == 0) return children_meet(a, at_a, alone(b), at_b);
    for (std::uint32_t i = 0; i < a.child_count; ++i)
      if (swapped().children_meet(b, at_b, a_[a.children + i], at_a)) return true;
    return false;
  }

  bool meets_itself(const Node& node) const {
    if (node.count > 1 && node.child_count == 0) return node.stride < node.one.end - node.one.begin;
    for (std::uint32_t i = 0; i < node.child_count; ++i) {
      const Node& child = a_[node.children + i];
      if (meets_itself(child)) return true;
      for (std::uint32_t j = i + 1; j < node.child_count && a_[node.children + j].begin() < child.end(); ++j)
        if (nodes_meet(child, 0, a_[node.children + j], 0)) return true;
    }
    for (std::int64_t i = 1; i < node.count && i * node.stride < node.one.end - node.one.begin; ++i)
      if (ones_meet(node, 0, node, i * node.stride)) return true;
    return false;
  }

 private:
  FootprintComparison swapped() const { return {b_, a_}; }

  static Node alone(Node node) {
    node.offset = 0;
    node.count = 1;
    node.stride = 0;
    return node;
  }

  // Whether one of these repetitions of a meets the first of b, which has this hull.
  bool some_meet(const Node& a, Indices which, std::int64_t first_a, const Span& one_b, const Node& b,
                 std::int64_t first_b) const {
    if (a.count == 1 && b.count == 1) return ones_meet(a, first_a, b, first_b);
    const std::int64_t stride = a.count == 1 ? b.stride : a.stride;
    const Indices close = that_meet(moved(a.one, first_a), stride, which, one_b);
    if (a.child_count == 0 && b.child_count == 0) return !close.empty();
    for (std::int64_t i = close.first; i <= close.last; ++i)
      if (ones_meet(a, first_a + i * stride, b, first_b)) return true;
    return false;
  }

  // Whether a repetition of a meets any of b.
  bool each_meets(const Node& a, std::int64_t first_a, const Span& all_b, const Node& b, std::int64_t at_b) const {
    const Node one = alone(a);
    const Indices close = that_meet(moved(a.one, first_a), a.stride, {0, a.count - 1}, all_b);
    for (std::int64_t i = close.first; i <= close.last; ++i)
      if (nodes_meet(one, first_a + i * a.stride, b, at_b)) return true;
    return false;
  }

  // Whether a child of a meets b.
  bool children_meet(const Node& a, std::int64_t at_a, const Node& b, std::int64_t at_b) const {
    const Span all_b = moved({b.begin(), b.end()}, at_b);
    const auto begin = a_.begin() + a.children, end = begin + a.child_count;
    auto child = std::partition_point(begin, end, [&](const Node& n) { return at_a + n.reach <= all_b.begin; });
    for (; child != end && at_a + child->begin() < all_b.end; ++child)
      if (nodes_meet(*child, at_a, b, at_b)) return true;
    return false;
  }

  // Blocks at different distances: i of a and j of b meet if i * sa - j * sb lies between `low` and `high`. If the
  // i are those that meet the hull of all of b, any j is enough.
  static bool runs_meet(const Node& a, std::int64_t first_a, const Node& b, std::int64_t first_b) {
    const std::int64_t bytes_a = a.one.end - a.one.begin, bytes_b = b.one.end - b.one.begin;
    const std::int64_t low = first_b - first_a - bytes_a + 1, high = first_b - first_a + bytes_b - 1;
    const Span all_b{first_b, first_b + (b.count - 1) * b.stride + bytes_b};
    const Indices close = that_meet({first_a, first_a + bytes_a}, a.stride, {0, a.count - 1}, all_b);
    return ever_within(close.last - close.first + 1, b.stride, a.stride, close.first * a.stride - low, high - low);
  }

  const std::vector<Node>& a_;
  const std::vector<Node>& b_;
};

bool Footprint::meets(const Footprint& other) const {
  return FootprintComparison(nodes_, other.nodes_).nodes_meet(nodes_[0], 0, other.nodes_[0], 0);
}

bool Footprint::meets(const Span& bytes) const {
  const std::vector<Node> block{{.one = bytes}};
  return FootprintComparison(nodes_, block).nodes_meet(nodes_[0], 0, block[0], 0);
}

bool Footprint::meets_itself() const { return twice_ || FootprintComparison(nodes_, nodes_).meets_itself(nodes_[0]); }

}  // namespace rehearse::smpi
