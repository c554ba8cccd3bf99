! SPDX-License-Identifier: MIT
! Two ranks put to one place in one epoch.
! ranks: 3
! finding: rma.race
program main
  use mpi_f08
  implicit none
  integer :: rank, memory(2)
  type(MPI_Win) :: win
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  memory = 0
  call MPI_Win_create(memory, 8_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
  call MPI_Win_fence(0, win)
  if (rank > 0) call MPI_Put(rank, 1, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win)  ! here
  call MPI_Win_fence(MPI_MODE_NOSUCCEED, win)
  call MPI_Win_free(win)
  call MPI_Finalize()
end program
