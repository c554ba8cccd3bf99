// SPDX-License-Identifier: MIT
//
// The writable data of a rank's images, relocated once for the range of rank 0, and the offsets for other ranks.
//
// Shape:   pieces are the data that is not zero, by offset in the range; slots are the 8-byte words in them that hold
//          an address in the rank's own range. A rank's data consists of the pieces, with each slot moved by the
//          distance of the rank's range from rank 0's, and of zeros up to the end of each piece's segment.
// Errors:  the undefined symbol or the kind of relocation, with its file.
// Source:  System V ABI, x86-64 supplement, table 4.9 (relocation types).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simcore/support/result.hpp"
#include "smpi/process/symbol_lookup.hpp"

namespace rehearse::smpi {

struct DataTemplate {
  struct Piece {
    std::uint64_t offset = 0;
    std::vector<std::byte> bytes;
    std::uint64_t zero_end = 0;  // offset of the end of the segment
  };
  std::vector<Piece> pieces;
  std::vector<std::uint64_t> slots;  // offsets in the range

  void write(std::byte* range, std::ptrdiff_t distance_from_first) const;
};

// Maps the read-only parts of an image into a range, from its file. False: the kernel refused.
bool map_code(const Image& image, std::byte* range);

// Relocates the images of the program in `range`, which is rank 0's, after their code is mapped there.
Result<DataTemplate> make_data_template(const RankWorld& world, const Symbols& symbols, std::byte* range);

// Writes and relocates the data of plugins in `range`, after their code is mapped there; see Symbols::find for the
// scopes. Returns the text of an error; empty: there is none.
std::string relocate_plugins(const Symbols& symbols, const Scope& plugins, const Scope& scope, const Scope& loaded,
                             std::byte* range);

}  // namespace rehearse::smpi
