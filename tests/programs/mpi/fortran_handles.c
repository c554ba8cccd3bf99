// SPDX-License-Identifier: MIT
//
// What the C library knows of Fortran: types by precision and range, sizes, truth values, handles as integers.
// ranks: 2
// executions: 1
#include <assert.h>
#include <mpi.h>
#include <string.h>

static void types(void) {
  MPI_Datatype real, again, whole, complex, part, inside;
  int size, count[3], combiner, integers[2];
  MPI_Type_create_f90_real(15, MPI_UNDEFINED, &real);
  MPI_Type_create_f90_real(15, MPI_UNDEFINED, &again);
  assert(real == again);
  MPI_Type_create_f90_integer(5, &whole);
  MPI_Type_create_f90_complex(6, 30, &complex);
  MPI_Type_size(real, &size);
  assert(size == 8);
  MPI_Type_size(whole, &size);
  assert(size == 4);
  MPI_Type_size(complex, &size);
  assert(size == 8);
  MPI_Type_get_envelope(real, count, count + 1, count + 2, &combiner);
  assert(combiner == MPI_COMBINER_F90_REAL && count[0] == 2 && count[1] == 0 && count[2] == 0);
  MPI_Type_get_contents(real, 2, 0, 0, integers, 0, 0);
  assert(integers[0] == 15 && integers[1] == MPI_UNDEFINED);
  MPI_Type_contiguous(2, real, &part);
  MPI_Type_get_contents(part, 1, 0, 1, integers, 0, &inside);
  assert(inside == real);
  MPI_Type_free(&part);
  double mine[2] = {1.5, 2}, sum[2];
  MPI_Allreduce(mine, sum, 2, real, MPI_SUM, MPI_COMM_WORLD);
  assert(sum[0] == 3 && sum[1] == 4);
  MPI_Type_match_size(MPI_TYPECLASS_REAL, 4, &real);
  assert(real == MPI_REAL4);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  assert(MPI_Type_create_f90_real(99, 9999, &real) != MPI_SUCCESS);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

static void properties(void) {
  char value[8];
  int length = sizeof value, flag, yes, no;
  MPI_Info info;
  MPI_Abi_get_fortran_info(&info);
  MPI_Info_get_string(info, "mpi_integer_size", &length, value, &flag);
  assert(flag && strcmp(value, "4") == 0);
  assert(MPI_Abi_set_fortran_info(info) == MPI_ERR_ABI);
  MPI_Info_free(&info);
  assert(MPI_Abi_get_fortran_booleans(4, &yes, &no, &flag) == MPI_SUCCESS);
  assert(yes == 1 && no == 0 && flag);
  assert(MPI_Abi_get_fortran_booleans(3, &yes, &no, &flag) == MPI_ERR_ARG);
  assert(MPI_Abi_set_fortran_booleans(4, &yes, &no) == MPI_ERR_ABI);
}

static void handles(void) {
  MPI_Comm copy;
  MPI_Status status = {0}, back;
  MPI_Fint words[MPI_F_STATUS_SIZE];
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  assert(MPI_Comm_f2c(MPI_Comm_c2f(copy)) == copy && MPI_Comm_fromint(MPI_Comm_toint(copy)) == copy);
  assert(MPI_Type_c2f(MPI_INT) == (MPI_Fint)(MPI_Aint)MPI_INT && MPI_Type_fromint(MPI_Type_toint(MPI_INT)) == MPI_INT);
  assert(MPI_Op_f2c(MPI_Op_c2f(MPI_SUM)) == MPI_SUM);
  assert(MPI_Group_f2c(MPI_Group_c2f(MPI_GROUP_EMPTY)) == MPI_GROUP_EMPTY);
  status.MPI_SOURCE = 3, status.MPI_TAG = 5;
  MPI_Status_set_elements(&status, MPI_INT, 6);
  MPI_Status_c2f(&status, words);
  assert(words[MPI_F_SOURCE] == 3 && words[MPI_F_TAG] == 5);
  MPI_Status_f2c(words, &back);
  assert(memcmp(&status, &back, sizeof back) == 0);
  MPI_Comm_free(&copy);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  types();
  properties();
  handles();
  MPI_Finalize();
  return 0;
}
