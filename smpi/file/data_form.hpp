// SPDX-License-Identifier: MIT
//
// The form of data in a file: a data representation, by name. Three are predefined; a program may register others.
//
// Sizes:     of an element in the file. Those of a registered form come from a function of the program, which runs in
//            learn() only; the other functions require that it has succeeded for the type.
// Ownership: predefined forms are constants; registered ones belong to the rank until it ends. Plain pointers do.
// Threads:   only from the rank's own fiber.
// Errors:    a function of the program that fails is an error text here, and MPI_ERR_CONVERSION to the program.
// Source:    MPI 5.0, 14.5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mpi.h"
#include "smpi/datatype/datatype.hpp"
#include "smpi/file/file_type.hpp"

namespace rehearse::smpi {

// A buffer of the program.
struct TypedBuffer {
  DatatypeRef type;
  MPI_Datatype handle = MPI_DATATYPE_NULL;  // used only if it is a predefined one: others may have been freed
  void* address = nullptr;
  MPI_Count count = 0;
};

class DataForm {
 public:
  virtual ~DataForm() = default;
  virtual std::string_view name() const = 0;

  // The bytes in the file are those in memory.
  virtual bool is_memory() const { return false; }
  // The program registered it: its functions convert the data.
  virtual bool is_registered() const { return false; }

  // Learns the sizes of the elements of the type; an error text or nothing.
  virtual std::string learn(const Datatype&) const { return {}; }
  virtual std::int64_t size_of(const BasicType& basic) const = 0;

  // Converts the data of the buffer; an error text or nothing.
  virtual std::string write(const TypedBuffer& from, std::vector<std::byte>& file) const = 0;
  // Stores the elements that the bytes contain, which may be fewer than those of the buffer.
  virtual std::string read(std::span<const std::byte> file, const TypedBuffer& to) const = 0;

  std::int64_t bytes_of(const Datatype& type) const;
  // The type as it lies in the file; the type itself if the form is that of the memory, or no element has another size
  // and the program did not register the form.
  DatatypeRef type_in_file(const Datatype& type) const;
  // Bytes in memory of the elements in so many bytes of the file.
  std::int64_t memory_bytes(const Datatype& type, std::int64_t file_bytes) const;
};

const DataForm& native_form();
// Null: there is none of this name. find_form() also finds those that the calling rank has registered.
const DataForm* find_predefined_form(std::string_view name);
const DataForm* find_form(std::string_view name);

}  // namespace rehearse::smpi
