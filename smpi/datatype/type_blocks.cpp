// SPDX-License-Identifier: MIT
//
// Datatypes of blocks at given displacements: indexed types and structures.
#include <type_traits>
#include <vector>

#include "smpi/abi/calls.hpp"
#include "smpi/datatype/type_calls.hpp"

namespace rehearse::smpi {
namespace {

// The arguments of the indexed types; if `blocklengths` is null, all blocks have the length `blocklength`.
template <class Width, class Displacement>
struct Indexed {
  typename Width::Count count;
  const typename Width::Count* blocklengths;
  typename Width::Count blocklength;
  const Displacement* displacements;
  MPI_Datatype oldtype;
};

// Displacements are counts, or addresses.
template <class Width, class Displacement>
int indexed(int combiner, const Indexed<Width, Displacement>& arguments, bool in_bytes, MPI_Datatype* newtype) {
  const auto& [count, blocklengths, blocklength, displacements, oldtype] = arguments;
  const bool equal_blocks = combiner == MPI_COMBINER_INDEXED_BLOCK || combiner == MPI_COMBINER_HINDEXED_BLOCK;
  Arguments check;
  check.count(count).pointer(newtype, "newtype");
  if (equal_blocks) {
    check.count(blocklength, "blocklength");
  } else {
    check_counts(check, blocklengths, count, "array_of_blocklengths");
  }
  if (count > 0) check.pointer(displacements, "array_of_displacements");
  const Datatype* old = any_type(check, oldtype);
  if (check.failed()) return check.error();
  RecipeBuilder<Width> recipe(combiner);
  recipe.count(count);
  if (equal_blocks) {
    recipe.count(blocklength);
  } else {
    recipe.counts(blocklengths, count);
  }
  std::vector<Block> blocks;
  for (MPI_Count i = 0; i < count; ++i) {
    blocks.push_back({equal_blocks ? blocklength : blocklengths[i], displacements[i], old});
    if constexpr (std::is_same_v<Displacement, typename Width::Address>) {
      recipe.address(displacements[i]);
    } else {
      recipe.count(displacements[i]);
    }
  }
  recipe.type(*old);
  return publish(check, in_bytes ? make_hindexed(blocks, recipe.take()) : make_indexed(blocks, recipe.take()), newtype);
}

template <class Width>
struct Structure {
  typename Width::Count count;
  const typename Width::Count* blocklengths;
  const typename Width::Address* displacements;
  const MPI_Datatype* types;
};

template <class Width>
int structure(const Structure<Width>& arguments, MPI_Datatype* newtype) {
  const auto& [count, blocklengths, displacements, types] = arguments;
  Arguments check;
  check.count(count).pointer(newtype, "newtype");
  check_counts(check, blocklengths, count, "array_of_blocklengths");
  if (count > 0) {
    check.pointer(displacements, "array_of_displacements").pointer(types, "array_of_types");
  }
  RecipeBuilder<Width> recipe(MPI_COMBINER_STRUCT);
  std::vector<Block> blocks;
  for (MPI_Count i = 0; i < count && !check.failed(); ++i) {
    const Datatype* type = any_type(check, types[i]);
    if (check.failed()) break;
    blocks.push_back({blocklengths[i], displacements[i], type});
    recipe.type(*type);
  }
  if (check.failed()) return check.error();
  recipe.count(count).counts(blocklengths, count).addresses(displacements, count);
  return publish(check, make_hindexed(blocks, recipe.take()), newtype);
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Type_indexed(int count, const int blocklengths[], const int displacements[], MPI_Datatype oldtype,
                 MPI_Datatype* newtype) {
  return indexed<Classic, int>(MPI_COMBINER_INDEXED, {count, blocklengths, 0, displacements, oldtype}, false, newtype);
}

int Type_indexed_c(MPI_Count count, const MPI_Count blocklengths[], const MPI_Count displacements[],
                   MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return indexed<Large, MPI_Count>(MPI_COMBINER_INDEXED, {count, blocklengths, 0, displacements, oldtype}, false,
                                   newtype);
}

int Type_create_hindexed(int count, const int blocklengths[], const MPI_Aint displacements[], MPI_Datatype oldtype,
                         MPI_Datatype* newtype) {
  return indexed<Classic, MPI_Aint>(MPI_COMBINER_HINDEXED, {count, blocklengths, 0, displacements, oldtype}, true,
                                    newtype);
}

int Type_create_hindexed_c(MPI_Count count, const MPI_Count blocklengths[], const MPI_Count displacements[],
                           MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return indexed<Large, MPI_Count>(MPI_COMBINER_HINDEXED, {count, blocklengths, 0, displacements, oldtype}, true,
                                   newtype);
}

int Type_create_indexed_block(int count, int blocklength, const int displacements[], MPI_Datatype oldtype,
                              MPI_Datatype* newtype) {
  return indexed<Classic, int>(MPI_COMBINER_INDEXED_BLOCK, {count, nullptr, blocklength, displacements, oldtype}, false,
                               newtype);
}

int Type_create_indexed_block_c(MPI_Count count, MPI_Count blocklength, const MPI_Count displacements[],
                                MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return indexed<Large, MPI_Count>(MPI_COMBINER_INDEXED_BLOCK, {count, nullptr, blocklength, displacements, oldtype},
                                   false, newtype);
}

int Type_create_hindexed_block(int count, int blocklength, const MPI_Aint displacements[], MPI_Datatype oldtype,
                               MPI_Datatype* newtype) {
  return indexed<Classic, MPI_Aint>(MPI_COMBINER_HINDEXED_BLOCK, {count, nullptr, blocklength, displacements, oldtype},
                                    true, newtype);
}

int Type_create_hindexed_block_c(MPI_Count count, MPI_Count blocklength, const MPI_Count displacements[],
                                 MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return indexed<Large, MPI_Count>(MPI_COMBINER_HINDEXED_BLOCK, {count, nullptr, blocklength, displacements, oldtype},
                                   true, newtype);
}

int Type_create_struct(int count, const int blocklengths[], const MPI_Aint displacements[], const MPI_Datatype types[],
                       MPI_Datatype* newtype) {
  return structure<Classic>({count, blocklengths, displacements, types}, newtype);
}

int Type_create_struct_c(MPI_Count count, const MPI_Count blocklengths[], const MPI_Count displacements[],
                         const MPI_Datatype types[], MPI_Datatype* newtype) {
  return structure<Large>({count, blocklengths, displacements, types}, newtype);
}

}  // namespace rehearse::smpi::calls
