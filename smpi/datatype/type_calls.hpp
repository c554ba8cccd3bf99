// SPDX-License-Identifier: MIT
//
// The common parts of the functions on datatypes: their arguments in both widths, and their checks.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "mpi.h"
#include "simcore/support/format.hpp"
#include "smpi/arguments.hpp"
#include "smpi/datatype/construct.hpp"

namespace rehearse::smpi {

// The integer types of a function's classic form, and of its large-count form (MPI_X_c).
struct Classic {
  using Count = int;
  using Address = MPI_Aint;
  static constexpr bool large = false;
};
struct Large {
  using Count = MPI_Count;
  using Address = MPI_Count;
  static constexpr bool large = true;
};

// Notes the arguments of a constructor in the form of MPI_Type_get_contents.
template <class Width>
class RecipeBuilder {
 public:
  explicit RecipeBuilder(int combiner) {
    recipe_.combiner = combiner;
    recipe_.large = Width::large;
  }
  RecipeBuilder& integer(int value) {
    recipe_.integers.push_back(value);
    return *this;
  }
  RecipeBuilder& count(typename Width::Count value) {
    if constexpr (Width::large) {
      recipe_.large_counts.push_back(value);
    } else {
      recipe_.integers.push_back(value);
    }
    return *this;
  }
  RecipeBuilder& address(typename Width::Address value) {
    if constexpr (Width::large) {
      recipe_.large_counts.push_back(value);
    } else {
      recipe_.addresses.push_back(value);
    }
    return *this;
  }
  RecipeBuilder& integers(const int* values, MPI_Count n) {
    for (MPI_Count i = 0; i < n; ++i) integer(values[i]);
    return *this;
  }
  RecipeBuilder& counts(const typename Width::Count* values, MPI_Count n) {
    for (MPI_Count i = 0; i < n; ++i) count(values[i]);
    return *this;
  }
  RecipeBuilder& addresses(const typename Width::Address* values, MPI_Count n) {
    for (MPI_Count i = 0; i < n; ++i) address(values[i]);
    return *this;
  }
  RecipeBuilder& type(const Datatype& type) {
    recipe_.datatypes.emplace_back(&type);
    return *this;
  }
  Recipe take() { return std::move(recipe_); }

 private:
  Recipe recipe_;
};

// The datatype of the handle, committed or not; null if the check failed.
const Datatype* any_type(Arguments& check, MPI_Datatype handle);

// Checks that none of the `n` numbers in `values` is negative.
template <class Integer>
void check_counts(Arguments& check, const Integer* values, MPI_Count n, std::string_view name) {
  if (n > 0) check.pointer(values, name);
  for (MPI_Count i = 0; i < n && !check.failed(); ++i)
    if (values[i] < 0) check.count(values[i], fmt::format("{}[{}]", name, i));
}

// Gives the new type a handle; returns the value that the MPI function must return.
int publish(Arguments& check, DatatypeHolder made, MPI_Datatype* newtype);

}  // namespace rehearse::smpi
