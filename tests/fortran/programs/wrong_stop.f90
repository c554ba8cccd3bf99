! SPDX-License-Identifier: MIT
! STOP before MPI_Finalize.
! ranks: 2
! finding: lifecycle.finalized
program main
  use mpi_f08
  implicit none
  integer :: rank
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  if (rank == 1) then
    stop  ! here
  end if
  call MPI_Finalize()
end program
