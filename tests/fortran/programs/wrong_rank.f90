! SPDX-License-Identifier: MIT
! A destination that does not exist, in a module procedure.
! ranks: 2
! finding: argument.rank
module sender
  use mpi_f08
  implicit none
contains
  subroutine send_on(rank)
    integer, intent(in) :: rank
    call MPI_Send(rank, 1, MPI_INTEGER, rank + 1, 0, MPI_COMM_WORLD)  ! here
  end subroutine
end module
program main
  use sender
  implicit none
  integer :: rank
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  if (rank == 1) call send_on(rank)
  call MPI_Finalize()
end program
