// SPDX-License-Identifier: MIT
//
// The variables of libmpich.so.12 to which programs refer: constants of Fortran and of distributed graphs.
static int unweighted, weights_empty;
int* MPI_UNWEIGHTED = &unweighted;
int* MPI_WEIGHTS_EMPTY = &weights_empty;
int* MPI_F_STATUS_IGNORE = (int*)1;
int* MPI_F_STATUSES_IGNORE = (int*)1;
