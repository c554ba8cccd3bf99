// SPDX-License-Identifier: MIT
//
// Arguments of Fortran as those of C. The generated entry points use these (smpi/fortran/entries.py).
//
// Rules:  a handle is an INTEGER (or a type that contains one); a status has the same words as in C; a LOGICAL is 0 or
//         1; a string has no end but a length, and blanks behind its text; positions count from 1.
// Results: written into the program's variables when the conversion object is destroyed, before ierror. A variable that
//         the call has not changed stays as it is.
// Source: MPI 5.0, 19.1 and 19.3; the calling convention is that of gfortran on x86-64.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "mpi.h"
#include "smpi/abi/integer_handles.hpp"
#include "smpi/fortran/sentinels.hpp"
#include "smpi/topology/degrees.hpp"

namespace rehearse::smpi::fortran {

template <class Handle>
Handle handle_of(const int* number) {
  return static_cast<Handle>(argument_of_integer(*number));
}

// A variable of the program that holds a handle.
template <class Handle>
class HandleVariable {
 public:
  explicit HandleVariable(int* number) : number_(number), value_(handle_of<Handle>(number)), before_(value_) {}
  ~HandleVariable() {
    if (value_ != before_) *number_ = integer_of_handle(value_);
  }
  HandleVariable(const HandleVariable&) = delete;
  HandleVariable& operator=(const HandleVariable&) = delete;

  Handle* address() { return &value_; }
  Handle value() const { return value_; }

 private:
  int* number_;
  Handle value_, before_;
};

// A list of handles that the call only reads.
template <class Handle>
class ConstHandleList {
 public:
  ConstHandleList(const int* numbers, int count) {
    for (int i = 0; i < count; ++i) handles_.push_back(handle_of<Handle>(numbers + i));
    if (handles_.empty()) handles_.push_back(Handle{});
  }
  const Handle* handles() const { return handles_.data(); }

 private:
  std::vector<Handle> handles_;
};

// A list of handles that the call may change.
template <class Handle>
class HandleList {
 public:
  HandleList(int* numbers, MPI_Count count) : numbers_(numbers) {
    count_ = count < 0 ? 0 : static_cast<std::size_t>(count);
    if (count_ > few_.size()) many_.resize(2 * count_);
    handles_ = count_ > few_.size() ? many_.data() : few_.data();
    before_ = count_ > few_.size() ? many_.data() + count_ : few_before_.data();
    for (std::size_t i = 0; i < count_; ++i) handles_[i] = before_[i] = handle_of<Handle>(numbers + i);
  }
  ~HandleList() {
    for (std::size_t i = 0; i < count_; ++i)
      if (handles_[i] != before_[i]) numbers_[i] = integer_of_handle(handles_[i]);
  }
  HandleList(const HandleList&) = delete;
  HandleList& operator=(const HandleList&) = delete;

  Handle* handles() const { return handles_; }

 private:
  int* numbers_;
  std::size_t count_;
  std::array<Handle, 8> few_{}, few_before_{};
  std::vector<Handle> many_;
  Handle *handles_, *before_;
};

// A string that the program passes, without the blanks around it.
class Text {
 public:
  enum class Blanks { at_end, at_both_ends };  // removed
  Text(const char* text, std::size_t length, Blanks blanks = Blanks::at_end);
  const char* text() const { return text_.c_str(); }

 private:
  std::string text_;
};

// A string that the program gets.
class TextResult {
 public:
  // `needed`: the size of the buffer that the call may fill, if it is more than the length.
  TextResult(char* text, std::size_t length, std::size_t needed = 0);
  ~TextResult();
  TextResult(const TextResult&) = delete;
  TextResult& operator=(const TextResult&) = delete;

  char* buffer() const { return buffer_.data(); }

 private:
  char* text_;
  std::size_t length_;
  mutable std::vector<char> buffer_;
};

// Blanks behind the text up to the length, as in an assignment.
void assign_text(char* to, std::size_t length, const char* text);

void* named_choice(std::uintptr_t place, const void* pointer);

// A buffer, or MPI_BOTTOM, MPI_IN_PLACE, MPI_BUFFER_AUTOMATIC.
inline void* choice_of(const void* pointer) {
  const std::uintptr_t place = sentinel_of(pointer);
  return place < sentinels_bytes ? named_choice(place, pointer) : const_cast<void*>(pointer);
}

// A status or several, or MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE.
inline MPI_Status* status_of(int* words) {
  const std::uintptr_t place = sentinel_of(words);
  return place >= status_ignore_at && place < sentinels_bytes ? MPI_STATUS_IGNORE
                                                              : reinterpret_cast<MPI_Status*>(words);
}
inline const MPI_Status* status_of(const int* words) { return status_of(const_cast<int*>(words)); }

// An array of weights, or MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY.
inline int* weights_of(int* weights) {
  const std::uintptr_t place = sentinel_of(weights);
  return place == unweighted_at ? MPI_UNWEIGHTED : place == weights_empty_at ? MPI_WEIGHTS_EMPTY : weights;
}

// The positions that a call has written, counted from 1.
inline void count_from_one(int* positions, int count) {
  for (int i = 0; i < count; ++i)
    if (positions[i] != MPI_UNDEFINED) ++positions[i];
}

// Null: the optional argument is absent.
inline void give_result(int* ierror, int result) {
  if (ierror != nullptr) *ierror = result;
}

}  // namespace rehearse::smpi::fortran
