// SPDX-License-Identifier: MIT
//
// Arguments of a program that was compiled for another MPI library, as those of the standard's ABI. `Abi` is Mpich or
// OpenMpi.
//
// Results: write_back() stores a result only if the call has changed it.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "mpi.h"
#include "smpi/foreign/pairs.hpp"
#include "smpi/topology/degrees.hpp"

namespace rehearse::smpi::foreign {

template <class Abi, class Ours>
class HandleVariable {
 public:
  using Theirs = typename Abi::template Handle<Ours>;
  explicit HandleVariable(Theirs* variable) : variable_(variable) {
    if (variable != nullptr) value_ = before_ = Abi::template ours<Ours>(*variable);
  }
  Ours* address() { return variable_ == nullptr ? nullptr : &value_; }
  void write_back() {
    if (value_ != before_) *variable_ = Abi::template foreign<Ours>(value_);
  }

 private:
  Theirs* variable_;
  Ours value_{}, before_{};
};

template <class Abi, class Ours>
class HandleList {
 public:
  using Theirs = typename Abi::template Handle<Ours>;
  HandleList(const Theirs* list, MPI_Count count) : is_null_(list == nullptr) {
    for (MPI_Count i = 0; list != nullptr && i < count; ++i) values_.push_back(Abi::template ours<Ours>(list[i]));
    before_ = values_;
    if (values_.empty()) values_.push_back(Ours{});
  }
  Ours* handles() { return is_null_ ? nullptr : values_.data(); }
  void write_back(Theirs* list) {
    for (std::size_t i = 0; i < before_.size(); ++i)
      if (values_[i] != before_[i]) list[i] = Abi::template foreign<Ours>(values_[i]);
  }

 private:
  bool is_null_;
  std::vector<Ours> values_, before_;
};

template <class Abi>
MPI_Status status_from(const typename Abi::Status& theirs) {
  MPI_Status ours{};
  ours.MPI_SOURCE = ours_of(Abi::ranks, theirs.MPI_SOURCE);
  ours.MPI_TAG = ours_of(Abi::tags, theirs.MPI_TAG);
  ours.MPI_ERROR = ours_of(Abi::errors, theirs.MPI_ERROR);
  const auto [bytes, cancelled] = Abi::extra_of(theirs);
  std::memcpy(ours.MPI_internal, &bytes, sizeof bytes);
  ours.MPI_internal[2] = cancelled;
  return ours;
}

template <class Abi>
typename Abi::Status status_to(const MPI_Status& ours) {
  typename Abi::Status theirs{};
  theirs.MPI_SOURCE = foreign_of(Abi::ranks, ours.MPI_SOURCE);
  theirs.MPI_TAG = foreign_of(Abi::tags, ours.MPI_TAG);
  theirs.MPI_ERROR = foreign_of(Abi::errors, ours.MPI_ERROR);
  MPI_Count bytes = 0;
  std::memcpy(&bytes, ours.MPI_internal, sizeof bytes);
  Abi::set_extra(theirs, bytes, ours.MPI_internal[2]);
  return theirs;
}

template <class Abi>
class ConstStatus {
 public:
  explicit ConstStatus(const typename Abi::Status* theirs) : is_ignored_(Abi::is_ignored(theirs)) {
    if (!is_ignored_) value_ = status_from<Abi>(*theirs);
  }
  const MPI_Status* address() const { return is_ignored_ ? nullptr : &value_; }

 private:
  bool is_ignored_;
  MPI_Status value_{};
};

template <class Abi>
class StatusList {
 public:
  StatusList(typename Abi::Status* theirs, MPI_Count count) {
    if (Abi::is_ignored(theirs)) return;
    for (MPI_Count i = 0; i < count; ++i) values_.push_back(status_from<Abi>(theirs[i]));
    before_ = values_;
    if (values_.empty()) values_.push_back({});
  }
  MPI_Status* address() { return values_.empty() ? MPI_STATUSES_IGNORE : values_.data(); }
  void write_back(typename Abi::Status* theirs) const {
    for (std::size_t i = 0; i < before_.size(); ++i)
      if (std::memcmp(&values_[i], &before_[i], sizeof(MPI_Status)) != 0) theirs[i] = status_to<Abi>(values_[i]);
  }

 private:
  std::vector<MPI_Status> values_, before_;
};

// A string for a buffer whose size is a constant of the other library.
class TextResult {
 public:
  TextResult(char* text, std::size_t size) : text_(text), size_(size), buffer_(MPI_MAX_LIBRARY_VERSION_STRING, '\0') {
    buffer_[0] = unwritten;
  }
  ~TextResult() {
    if (text_ == nullptr || buffer_[0] == unwritten) return;
    const std::size_t length = std::min(std::strlen(buffer_.data()), size_ - 1);
    std::memcpy(text_, buffer_.data(), length);
    text_[length] = '\0';
  }
  TextResult(const TextResult&) = delete;
  TextResult& operator=(const TextResult&) = delete;
  char* buffer() { return text_ == nullptr ? nullptr : buffer_.data(); }

 private:
  static constexpr char unwritten = '\1';
  char* text_;
  std::size_t size_;
  std::vector<char> buffer_;
};

template <class Abi>
MPI_Offset offset_of(MPI_Offset theirs) {
  return theirs == Abi::mpi_displacement_current ? MPI_DISPLACEMENT_CURRENT : theirs;
}

}  // namespace rehearse::smpi::foreign
