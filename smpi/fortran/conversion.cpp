// SPDX-License-Identifier: MIT
//
// See conversion.hpp and sentinels.hpp.
#include "smpi/fortran/conversion.hpp"

#include <algorithm>
#include <cstring>

#include "smpi/process/program_object.hpp"

namespace rehearse::smpi::fortran {
namespace {

constexpr std::uintptr_t no_pointer = std::uintptr_t{1} << 63;
constexpr std::size_t longest_result = MPI_MAX_LIBRARY_VERSION_STRING;  // of the strings whose size MPI limits
constexpr char unwritten = '\1';

}  // namespace

Sentinels::Sentinels() {
  const void* block = find_program_object("mpi_rehearse_");
  begin = block == nullptr ? no_pointer : reinterpret_cast<std::uintptr_t>(block);
}

void* named_choice(std::uintptr_t place, const void* pointer) {
  switch (place) {
    case bottom_at: return MPI_BOTTOM;
    case in_place_at: return MPI_IN_PLACE;
    case buffer_automatic_at: return MPI_BUFFER_AUTOMATIC;
    default: return const_cast<void*>(pointer);
  }
}

Text::Text(const char* text, std::size_t length, Blanks blanks) {
  while (length > 0 && text[length - 1] == ' ') --length;
  if (blanks == Blanks::at_both_ends)
    for (; length > 0 && *text == ' '; ++text) --length;
  text_.assign(text, length);
}

void assign_text(char* to, std::size_t length, const char* text) {
  const std::size_t copied = std::min(length, std::strlen(text));
  std::memcpy(to, text, copied);
  std::memset(to + copied, ' ', length - copied);
}

TextResult::TextResult(char* text, std::size_t length, std::size_t needed)
    : text_(text), length_(length), buffer_(std::max({length + 1, needed, longest_result}), '\0') {
  buffer_[0] = unwritten;
}

TextResult::~TextResult() {
  if (buffer_[0] != unwritten) assign_text(text_, length_, buffer_.data());
}

}  // namespace rehearse::smpi::fortran
