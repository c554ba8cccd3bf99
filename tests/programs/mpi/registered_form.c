// SPDX-License-Identifier: MIT
//
// Data representations that the program registers: numbers as hexadecimal text, two digits more than in memory.
// ranks: 1
// executions: 1
#include <assert.h>
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { int_text = 10, double_text = 18 };

struct record {
  int number;
  double value;
};

static int extents;  // calls of extent_of

static int extent_of(MPI_Datatype type, MPI_Aint* extent, void* state) {
  assert(*(int*)state == 7);
  ++extents;
  if (type == MPI_CHAR) return 9;
  assert(type == MPI_INT || type == MPI_DOUBLE);
  *extent = type == MPI_INT ? int_text : double_text;
  return MPI_SUCCESS;
}

// The address of an element in a buffer of `datatype`, and whether it is an int: here, all derived types are records.
static char* element(void* buffer, MPI_Datatype datatype, MPI_Offset at, int* is_int) {
  if (datatype == MPI_INT || datatype == MPI_DOUBLE) {
    *is_int = datatype == MPI_INT;
    return (char*)buffer + at * (*is_int ? (MPI_Offset)sizeof(int) : (MPI_Offset)sizeof(double));
  }
  *is_int = at % 2 == 0;
  return (char*)buffer + at / 2 * (MPI_Offset)sizeof(struct record) + (*is_int ? 0 : offsetof(struct record, value));
}

static int write_text(void* user, MPI_Datatype type, int count, void* file, MPI_Offset position, void* state) {
  char* to = file;
  assert(*(int*)state == 7);
  for (int i = 0; i < count; ++i) {
    int is_int, number;
    unsigned long bits;
    const char* from = element(user, type, position + i, &is_int);
    char text[32];
    if (is_int) memcpy(&number, from, sizeof number), snprintf(text, sizeof text, "i%08x ", (unsigned)number);
    else memcpy(&bits, from, sizeof bits), snprintf(text, sizeof text, "d%016lx ", bits);
    memcpy(to, text, strlen(text));
    to += strlen(text);
  }
  return MPI_SUCCESS;
}

static int read_text(void* user, MPI_Datatype type, int count, void* file, MPI_Offset position, void* state) {
  const char* from = file;
  assert(*(int*)state == 7);
  for (int i = 0; i < count; ++i) {
    int is_int;
    char* to = element(user, type, position + i, &is_int);
    const unsigned long bits = strtoul(from + 1, NULL, 16);
    if (*from != (is_int ? 'i' : 'd')) return MPI_ERR_OTHER;
    if (is_int) *(int*)to = (int)(unsigned)bits;
    else memcpy(to, &bits, sizeof bits);
    from += is_int ? int_text : double_text;
  }
  return MPI_SUCCESS;
}

static int read_large(void* user, MPI_Datatype type, MPI_Count count, void* file, MPI_Offset position, void* state) {
  return read_text(user, type, (int)count, file, position, state);
}

static int error_class(int code) {
  int result;
  MPI_Error_class(code, &result);
  return result;
}

static MPI_Status status;
static MPI_File file;

static void view(MPI_Offset at, MPI_Datatype etype, MPI_Datatype filetype, const char* form) {
  assert(MPI_File_set_view(file, at, etype, filetype, form, MPI_INFO_NULL) == MPI_SUCCESS);
}

static MPI_Offset file_size(void) {
  MPI_Offset size;
  MPI_File_get_size(file, &size);
  return size;
}

static MPI_Offset place_of(MPI_Offset etype) {
  MPI_Offset place;
  MPI_File_get_byte_offset(file, etype, &place);
  return place;
}

static void registers(int* state) {
  assert(MPI_Register_datarep("text", read_text, write_text, extent_of, state) == MPI_SUCCESS);
  assert(error_class(MPI_Register_datarep("text", read_text, write_text, extent_of, state)) == MPI_ERR_DUP_DATAREP);
  assert(error_class(MPI_Register_datarep("native", read_text, write_text, extent_of, 0)) == MPI_ERR_DUP_DATAREP);
  assert(MPI_Register_datarep_c("read only", read_large, MPI_CONVERSION_FN_NULL_C, extent_of, state) == MPI_SUCCESS);
}

// The functions of the program run in accesses only, and for types that it uses.
static void asks_late(void) {
  char name[MPI_MAX_DATAREP_STRING];
  MPI_Datatype etype, filetype;
  MPI_Aint extent;
  MPI_Offset at;
  assert(error_class(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "other", MPI_INFO_NULL)) ==
         MPI_ERR_UNSUPPORTED_DATAREP);
  view(0, MPI_INT, MPI_INT, "text");
  assert(extents == 0);
  MPI_File_get_view(file, &at, &etype, &filetype, name);
  assert(strcmp(name, "text") == 0);
  MPI_File_get_type_extent(file, MPI_DOUBLE, &extent);
  assert(extent == double_text && extents == 1);
  assert(error_class(MPI_File_get_type_extent(file, MPI_CHAR, &extent)) == MPI_ERR_CONVERSION);
}

// The file ends inside an element.
static void ends_early(void) {
  int numbers[5] = {1, -2, 3, 4, 5}, back[5] = {0}, count;
  MPI_Offset at;
  MPI_File_write_at(file, 0, numbers, 5, MPI_INT, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  assert(count == 5 && file_size() == 5L * int_text && place_of(2) == 2L * int_text);
  MPI_File_set_size(file, 4L * int_text + 3);
  MPI_File_read_at(file, 0, back, 5, MPI_INT, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  assert(count == 4 && back[1] == -2 && back[3] == 4 && back[4] == 0);
  MPI_File_seek(file, 0, MPI_SEEK_END);
  MPI_File_get_position(file, &at);
  assert(at == 5);
  MPI_File_set_size(file, 0);
}

// Distances in a view count in elements of the file.
static void has_gaps(void) {
  int numbers[4] = {1, -2, 3, 4}, back[4] = {0};
  const int sizes[2] = {3, 4}, parts[2] = {2, 2}, starts[2] = {1, 1};
  char text[2 * int_text + 1] = "";
  MPI_Request request;
  MPI_Datatype every_second, box;
  MPI_Aint extent;
  MPI_Type_vector(2, 1, 2, MPI_INT, &every_second);
  MPI_Type_commit(&every_second);
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &box);
  MPI_Type_commit(&box);
  view(int_text, MPI_INT, every_second, "text");
  MPI_File_iwrite(file, numbers, 4, MPI_INT, &request);
  MPI_Wait(&request, &status);
  view(0, MPI_BYTE, MPI_BYTE, "native");
  MPI_File_read_at(file, int_text, text, 2 * int_text, MPI_BYTE, &status);
  assert(strcmp(text, "i00000001 ") == 0);  // and a gap
  assert(file_size() == 7L * int_text);
  view(int_text, MPI_INT, every_second, "text");
  MPI_File_iread(file, back, 4, MPI_INT, &request);
  MPI_Wait(&request, &status);
  assert(back[0] == 1 && back[1] == -2 && back[2] == 3 && back[3] == 4);
  view(0, MPI_INT, box, "text");
  MPI_File_get_type_extent(file, box, &extent);
  assert(extent == 12L * int_text && place_of(3) == 10L * int_text);
  MPI_Type_free(&every_second);
  MPI_Type_free(&box);
}

// A predefined form with other sizes than memory: a long has 4 bytes.
static void has_gaps_in_external32(void) {
  long numbers[2] = {1, 2}, back[2] = {0, 0};
  MPI_Datatype every_second;
  MPI_Aint extent;
  MPI_Type_vector(2, 1, 2, MPI_LONG, &every_second);
  MPI_Type_commit(&every_second);
  view(0, MPI_LONG, every_second, "external32");
  MPI_File_get_type_extent(file, every_second, &extent);
  assert(extent == 12 && place_of(1) == 8);
  MPI_File_write_at(file, 0, numbers, 2, MPI_LONG, &status);
  MPI_File_read_at(file, 0, back, 2, MPI_LONG, &status);
  assert(back[0] == 1 && back[1] == 2);
  MPI_Type_free(&every_second);
}

static MPI_Datatype record_with(MPI_Aint second) {
  const int lengths[2] = {1, 1};
  const MPI_Aint places[2] = {0, second};
  const MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE};
  MPI_Datatype record;
  MPI_Type_create_struct(2, lengths, places, types, &record);
  MPI_Type_commit(&record);
  return record;
}

// Structures: displacements of the filetype are those in the file. The type of a buffer may be freed before the request
// is complete.
static void has_records(void) {
  struct record records[2] = {{7, 0.5}, {-8, -3.0}}, back[2] = {{0, 0}, {0, 0}};
  MPI_Datatype here = record_with(offsetof(struct record, value)), there = record_with(int_text);
  MPI_Request request;
  MPI_File_set_size(file, 0);
  view(0, MPI_INT, MPI_INT, "text");
  assert(error_class(MPI_File_write_at(file, 0, records, 1, here, &status)) == MPI_ERR_IO);  // no whole etypes
  view(0, here, here, "text");
  assert(error_class(MPI_File_write_at(file, 0, records, 2, here, &status)) == MPI_ERR_IO);  // they overlap
  assert(error_class(MPI_File_write_at(file, 0, records, 2, here, &status)) == MPI_ERR_IO);  // still
  view(0, there, there, "text");
  MPI_File_write_at_all(file, 0, records, 2, here, &status);
  assert(file_size() == 2L * (int_text + double_text));
  MPI_File_iread_at(file, 0, back, 2, here, &request);
  MPI_Type_free(&here);
  MPI_Wait(&request, &status);
  assert(back[0].number == 7 && back[0].value == 0.5 && back[1].number == -8 && back[1].value == -3.0);
  MPI_Type_free(&there);
}

// Functions that fail, or that are missing.
static void fails(void) {
  double wrong;
  int back = 0;
  view(0, MPI_DOUBLE, MPI_DOUBLE, "text");
  assert(error_class(MPI_File_read_at(file, 0, &wrong, 1, MPI_DOUBLE, &status)) == MPI_ERR_CONVERSION);
  view(0, MPI_INT, MPI_INT, "read only");
  MPI_File_read_at(file, 0, &back, 1, MPI_INT, &status);
  assert(back == 7);
  assert(error_class(MPI_File_write_at(file, 0, &back, 1, MPI_INT, &status)) == MPI_ERR_CONVERSION);
}

int main(int argc, char** argv) {
  int seven = 7;
  MPI_Init(&argc, &argv);
  registers(&seven);
  MPI_File_open(MPI_COMM_SELF, "text", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                &file);
  asks_late();
  ends_early();
  has_gaps();
  has_gaps_in_external32();
  has_records();
  fails();
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
