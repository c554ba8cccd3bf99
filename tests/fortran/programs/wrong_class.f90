! SPDX-License-Identifier: MIT
! A datatype where a communicator is expected: both are INTEGER in the module mpi.
! ranks: 1
! finding: argument.communicator
program main
  use mpi
  implicit none
  integer :: ierr, n, pair
  call MPI_Init(ierr)
  call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierr)
  call MPI_Comm_size(pair, n, ierr)  ! here
  call MPI_Type_free(pair, ierr)
  call MPI_Finalize(ierr)
end program
