! SPDX-License-Identifier: MIT
! Both ranks receive first.
! ranks: 2
! finding: deadlock.cycle
program main
  use mpi
  implicit none
  integer :: rank, ierr, a, status(MPI_STATUS_SIZE)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Recv(a, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, status, ierr)  ! here
  call MPI_Send(rank, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program
