! SPDX-License-Identifier: MIT
! The ranks call different collectives.
! ranks: 2
! finding: collective.operation
program main
  use mpi_f08
  implicit none
  integer :: rank, a
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  a = rank
  if (rank == 0) then
    call MPI_Bcast(a, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)  ! here
  else
    call MPI_Barrier(MPI_COMM_WORLD)
  end if
  call MPI_Finalize()
end program
