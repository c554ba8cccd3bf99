// SPDX-License-Identifier: MIT
//
// Arguments of Fortran as those of C. The generated entry points use these (smpi/fortran/entries.py). `Abi` is the
// binary interface for which the program was compiled: Standard, or one of smpi/foreign/fortran_abi.hpp.
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
#include "smpi/foreign/translated.hpp"
#include "smpi/fortran/standard_abi.hpp"
#include "smpi/topology/degrees.hpp"

namespace rehearse::smpi::fortran {

template <class Abi, class Handle>
Handle handle_of(const int* number) {
  return Abi::template ours<Handle>(*number);
}

// A variable of the program that holds a handle.
template <class Abi, class Handle>
class HandleVariable {
 public:
  explicit HandleVariable(int* number) : number_(number), value_(handle_of<Abi, Handle>(number)), before_(value_) {}
  ~HandleVariable() {
    if (value_ != before_) *number_ = Abi::template foreign<Handle>(value_);
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
template <class Abi, class Handle>
class ConstHandleList {
 public:
  ConstHandleList(const int* numbers, int count) {
    for (int i = 0; i < count; ++i) handles_.push_back(handle_of<Abi, Handle>(numbers + i));
    if (handles_.empty()) handles_.push_back(Handle{});
  }
  const Handle* handles() const { return handles_.data(); }

 private:
  std::vector<Handle> handles_;
};

// A list of handles that the call may change.
template <class Abi, class Handle>
class HandleList {
 public:
  HandleList(int* numbers, MPI_Count count) : numbers_(numbers) {
    count_ = count < 0 ? 0 : static_cast<std::size_t>(count);
    if (count_ > few_.size()) many_.resize(2 * count_);
    handles_ = count_ > few_.size() ? many_.data() : few_.data();
    before_ = count_ > few_.size() ? many_.data() + count_ : few_before_.data();
    for (std::size_t i = 0; i < count_; ++i) handles_[i] = before_[i] = handle_of<Abi, Handle>(numbers + i);
  }
  ~HandleList() {
    for (std::size_t i = 0; i < count_; ++i)
      if (handles_[i] != before_[i]) numbers_[i] = Abi::template foreign<Handle>(handles_[i]);
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

// A buffer, or MPI_BOTTOM, MPI_IN_PLACE, MPI_BUFFER_AUTOMATIC.
template <class Abi>
void* choice_of(const void* pointer) {
  return Abi::buffer_of(pointer);
}

// A status or several that the program gets, or MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE.
template <class Abi>
class Statuses {
 public:
  Statuses(int* words, MPI_Count count) : words_(reinterpret_cast<Theirs*>(words)), list_(words_, count) {}
  ~Statuses() { list_.write_back(words_); }
  Statuses(const Statuses&) = delete;
  Statuses& operator=(const Statuses&) = delete;

  MPI_Status* address() { return list_.address(); }

 private:
  using Theirs = typename Abi::Status;
  Theirs* words_;
  foreign::StatusList<Abi> list_;
};

template <>
class Statuses<Standard> {
 public:
  Statuses(int* words, MPI_Count) : words_(words) {}
  MPI_Status* address() const {
    return Standard::is_ignored(words_) ? MPI_STATUS_IGNORE : reinterpret_cast<MPI_Status*>(words_);
  }

 private:
  int* words_;
};

// A status that the program passes.
template <class Abi>
class ConstStatus {
 public:
  explicit ConstStatus(const int* words) : status_(reinterpret_cast<const typename Abi::Status*>(words)) {}
  const MPI_Status* address() const { return status_.address(); }

 private:
  foreign::ConstStatus<Abi> status_;
};

template <>
class ConstStatus<Standard> {
 public:
  explicit ConstStatus(const int* words) : words_(words) {}
  const MPI_Status* address() const {
    return Standard::is_ignored(words_) ? MPI_STATUS_IGNORE : reinterpret_cast<const MPI_Status*>(words_);
  }

 private:
  const int* words_;
};

// A constant that the program gets, and may have passed (a key that becomes MPI_KEYVAL_INVALID).
template <class Constants>
class ConstantVariable {
 public:
  ConstantVariable(const Constants& constants, int* variable)
      : constants_(constants), variable_(variable), value_(ours_of(constants, *variable)) {}
  int* address() { return &value_; }
  void write_back(int result) {
    if (result == MPI_SUCCESS) *variable_ = foreign_of(constants_, value_);
  }

 private:
  const Constants& constants_;
  int* variable_;
  int value_;
};

template <>
class ConstantVariable<Same> {
 public:
  ConstantVariable(Same, int* variable) : variable_(variable) {}
  int* address() const { return variable_; }
  void write_back(int) const {}

 private:
  int* variable_;
};

// A list of constants that the program passes.
template <class Constants>
class ConstantList {
 public:
  ConstantList(const Constants& constants, const int* list, int count) : values_(constants, list, count) {}
  const int* values() const { return values_.values(); }

 private:
  foreign::IntegerList values_;
};

template <>
class ConstantList<Same> {
 public:
  ConstantList(Same, const int* list, int) : list_(list) {}
  const int* values() const { return list_; }

 private:
  const int* list_;
};

// The positions that a call has written, counted from 1.
inline void count_from_one(int* positions, int count) {
  for (int i = 0; i < count; ++i)
    if (positions[i] != MPI_UNDEFINED) ++positions[i];
}

// Null: the optional argument is absent.
template <class Abi>
void give_result(int* ierror, int result) {
  if (ierror != nullptr) *ierror = foreign_of(Abi::errors, result);
}

}  // namespace rehearse::smpi::fortran
