! SPDX-License-Identifier: MIT
! Numbers of 8 bytes as MPI_REAL: the descriptor of the section says what they are, and no variable does.
! ranks: 2
! finding: buffer.type
! severity: warning
program main
  use mpi_f08
  implicit none
  real(8), allocatable :: numbers(:, :)
  integer :: rank
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  allocate (numbers(2, 4))
  numbers = rank
  call MPI_Bcast(numbers(1, :), 4, MPI_REAL, 0, MPI_COMM_WORLD)  ! here
  call MPI_Finalize()
end program
