// SPDX-License-Identifier: MIT
//
// Type maps and random datatypes.
#include "tests/unit/smpi/datatype/reference.hpp"

#include <algorithm>
#include <iterator>

#include "smpi/datatype/table.hpp"

namespace rehearse::tests {

using namespace rehearse::smpi;

std::int64_t TypeWithMap::lower_bound() const {
  if (!lower_marks.empty()) return *std::min_element(lower_marks.begin(), lower_marks.end());
  std::int64_t low = map.empty() ? 0 : map[0].displacement;
  for (const MapEntry& entry : map) low = std::min(low, entry.displacement);
  return low;
}

std::int64_t TypeWithMap::upper_bound() const {
  if (!upper_marks.empty()) return *std::max_element(upper_marks.begin(), upper_marks.end());
  if (map.empty()) return 0;
  std::int64_t high = map[0].displacement + map[0].basic->size, alignment = 1;
  for (const MapEntry& entry : map) {
    high = std::max(high, entry.displacement + entry.basic->size);
    alignment = std::max<std::int64_t>(alignment, entry.basic->alignment);
  }
  while ((high - lower_bound()) % alignment != 0) ++high;
  return high;
}

std::int64_t TypeWithMap::size() const {
  std::int64_t sum = 0;
  for (const MapEntry& entry : map) sum += entry.basic->size;
  return sum;
}

void TypeWithMap::append(const TypeWithMap& other, std::int64_t displacement) {
  for (const MapEntry& entry : other.map) map.push_back({entry.displacement + displacement, entry.basic});
  for (const std::int64_t mark : other.lower_marks) lower_marks.push_back(mark + displacement);
  for (const std::int64_t mark : other.upper_marks) upper_marks.push_back(mark + displacement);
}

TypeWithMap predefined(MPI_Datatype handle) {
  TypeWithMap result;
  result.type = DatatypeRef(predefined_datatype(handle));
  const BasicType& basic = *result.type->basic();
  result.text = basic.name;
  if (basic.type_class == TypeClass::pair) {
    result.map = {{0, predefined_datatype(basic.first)->basic()},
                  {basic.second_offset, predefined_datatype(basic.second)->basic()}};
  } else {
    result.map = {{0, &basic}};
  }
  return result;
}

std::int64_t Random::between(std::int64_t low, std::int64_t high) {
  state_ ^= state_ << 13;
  state_ ^= state_ >> 7;
  state_ ^= state_ << 17;
  return low + static_cast<std::int64_t>((state_ >> 11) % static_cast<std::uint64_t>(high - low + 1));
}

namespace {

TypeWithMap random_leaf(Random& random) {
  const MPI_Datatype leaves[] = {MPI_CHAR,      MPI_SHORT,      MPI_INT,  MPI_DOUBLE, MPI_C_BOOL, MPI_C_DOUBLE_COMPLEX,
                                 MPI_SHORT_INT, MPI_DOUBLE_INT, MPI_FLOAT};
  return predefined(leaves[random.between(0, std::size(leaves) - 1)]);
}

TypeWithMap random_vector(Random& random, const TypeWithMap& old) {
  const bool in_bytes = random.between(0, 1) == 1;
  const VectorShape shape{random.between(0, 4), random.between(0, 3), random.between(-3, 5) * (in_bytes ? 4 : 1)};
  TypeWithMap made;
  made.type = in_bytes ? make_hvector(shape, *old.type, {}) : make_vector(shape, *old.type, {});
  const std::int64_t stride = in_bytes ? shape.stride : shape.stride * old.extent();
  for (std::int64_t i = 0; i < shape.count; ++i)
    for (std::int64_t j = 0; j < shape.blocklength; ++j) made.append(old, i * stride + j * old.extent());
  made.text = (in_bytes ? "hvector(" : "vector(") + std::to_string(shape.count) + "," +
              std::to_string(shape.blocklength) + "," + std::to_string(shape.stride) + "," + old.text + ")";
  return made;
}

TypeWithMap random_blocks(Random& random, const TypeWithMap& old, const TypeWithMap& other) {
  const bool in_elements = random.between(0, 1) == 1;
  std::vector<Block> blocks;
  TypeWithMap made;
  made.text = in_elements ? "indexed(" : "struct(";
  for (std::int64_t i = random.between(0, 4); i > 0; --i) {
    const TypeWithMap& item = in_elements || random.between(0, 1) == 1 ? old : other;
    blocks.push_back({random.between(0, 3), random.between(-20, 40), item.type.get()});
    const Block& block = blocks.back();
    const std::int64_t unit = in_elements ? item.extent() : 1;
    for (std::int64_t j = 0; j < block.blocklength; ++j)
      made.append(item, block.displacement * unit + j * item.extent());
    made.text += std::to_string(block.blocklength) + "@" + std::to_string(block.displacement) + ":" + item.text + " ";
  }
  made.text += ")";
  made.type = in_elements ? make_indexed(blocks, {}) : make_hindexed(blocks, {});
  return made;
}

TypeWithMap random_resized(Random& random, const TypeWithMap& old) {
  const std::int64_t lower = random.between(-9, 9), extent = random.between(0, 60);
  TypeWithMap made;
  made.type = make_resized(*old.type, lower, extent, {});
  made.append(old, 0);
  made.lower_marks = {lower};
  made.upper_marks = {lower + extent};
  made.text = "resized(" + std::to_string(lower) + "," + std::to_string(extent) + "," + old.text + ")";
  return made;
}

TypeWithMap random_subarray(Random& random, const TypeWithMap& old) {
  std::vector<Dimension> dimensions;
  TypeWithMap made;
  made.text = "subarray(";
  for (std::int64_t d = random.between(1, 3); d > 0; --d) {
    const std::int64_t size = random.between(1, 4), subsize = random.between(1, size);
    dimensions.push_back({size, subsize, random.between(0, size - subsize)});
    made.text += std::to_string(subsize) + "/" + std::to_string(size) + " ";
  }
  std::vector<std::int64_t> offsets{0};
  std::int64_t total = old.extent();
  for (const Dimension& d : dimensions) {
    std::vector<std::int64_t> finer;
    for (const std::int64_t offset : offsets)
      for (std::int64_t i = 0; i < d.subsize; ++i) finer.push_back(offset * d.size + d.start + i);
    offsets = finer;
    total *= d.size;
  }
  for (const std::int64_t offset : offsets) made.append(old, offset * old.extent());
  made.lower_marks = {0};
  made.upper_marks = {total};
  made.type = make_subarray(dimensions, *old.type, {});
  made.text += old.text + ")";
  return made;
}

TypeWithMap random_contiguous(Random& random, const TypeWithMap& old, std::int64_t most = 4) {
  const std::int64_t count = random.between(0, most);
  TypeWithMap made;
  made.type = make_contiguous(count, *old.type, {});
  for (std::int64_t i = 0; i < count; ++i) made.append(old, i * old.extent());
  made.text = "contiguous(" + std::to_string(count) + "," + old.text + ")";
  return made;
}

// The elements of one dimension that a process has, by the definition of the distributions.
std::vector<std::int64_t> owned(const DistributedDimension& d) {
  std::int64_t block = d.argument;
  if (d.distribution == MPI_DISTRIBUTE_NONE) block = d.size;
  else if (block == MPI_DISTRIBUTE_DFLT_DARG)
    block = d.distribution == MPI_DISTRIBUTE_BLOCK ? (d.size + d.processes - 1) / d.processes : 1;
  std::vector<std::int64_t> mine;
  for (std::int64_t i = 0; i < d.size; ++i)
    if (i / block % d.processes == d.coordinate) mine.push_back(i);
  return mine;
}

DistributedDimension random_distribution(Random& random) {
  DistributedDimension d;
  d.size = random.between(1, 6);
  const int kinds[] = {MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
  d.distribution = kinds[random.between(0, 2)];
  if (d.distribution == MPI_DISTRIBUTE_NONE) return d;
  d.processes = static_cast<int>(random.between(1, 3));
  d.coordinate = static_cast<int>(random.between(0, d.processes - 1));
  if (random.between(0, 1) == 0) return d;
  const std::int64_t enough = (d.size + d.processes - 1) / d.processes;
  d.argument = d.distribution == MPI_DISTRIBUTE_BLOCK ? random.between(enough, enough + 1) : random.between(1, 3);
  return d;
}

TypeWithMap random_distributed(Random& random, const TypeWithMap& old) {
  std::vector<DistributedDimension> dimensions;
  TypeWithMap made;
  std::vector<std::int64_t> offsets{0};
  std::int64_t total = old.extent();
  made.text = "darray(";
  for (std::int64_t left = random.between(1, 3); left > 0; --left) {
    const DistributedDimension d = random_distribution(random);
    dimensions.push_back(d);
    std::vector<std::int64_t> finer;
    for (const std::int64_t offset : offsets)
      for (const std::int64_t i : owned(d)) finer.push_back(offset * d.size + i);
    offsets = finer;
    total *= d.size;
    made.text += std::to_string(d.size) + "/" + std::to_string(d.distribution) + "/" + std::to_string(d.argument) +
                 "/" + std::to_string(d.coordinate) + "of" + std::to_string(d.processes) + " ";
  }
  for (const std::int64_t offset : offsets) made.append(old, offset * old.extent());
  made.lower_marks = {0};
  made.upper_marks = {total};
  made.type = make_distributed(dimensions, *old.type, {});
  made.text += old.text + ")";
  return made;
}

TypeWithMap random_tree(Random& random, int depth) {
  if (depth == 0) {
    // Blocks of all sizes, for each of which there may be a way of its own to move them.
    const TypeWithMap leaf = random_leaf(random);
    return random.between(0, 3) == 0 ? random_contiguous(random, leaf, 70 / leaf.size() + 1) : leaf;
  }
  const TypeWithMap old = random_tree(random, depth - 1);
  switch (random.between(0, 6)) {
    case 0: return random_contiguous(random, old);
    case 1: return random_vector(random, old);
    case 2: return random_blocks(random, old, random_tree(random, depth - 1));
    case 3: return random_resized(random, old);
    case 4: return random_subarray(random, old);
    case 5: return random_distributed(random, old);
    default: {
      TypeWithMap made = old;
      made.type = make_duplicate(*old.type, {});
      made.text = "dup(" + old.text + ")";
      return made;
    }
  }
}

}  // namespace

TypeWithMap random_type(Random& random, int depth) {
  TypeWithMap made = random_tree(random, depth);
  // Only predefined types are already committed and constant.
  if (!made.type->committed()) const_cast<Datatype*>(made.type.get())->commit();
  return made;
}

}  // namespace rehearse::tests
