! SPDX-License-Identifier: MIT
! The second copy of a request is waited for after the request has ended, while another one is in its place.
! ranks: 1
! finding: argument.request
program main
  use mpi_f08
  implicit none
  integer :: a, b
  type(MPI_Request) :: request, copy, next
  call MPI_Init()
  call MPI_Irecv(a, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_SELF, request)
  copy = request
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_Irecv(b, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_SELF, next)
  call MPI_Wait(copy, MPI_STATUS_IGNORE)  ! here
  call MPI_Wait(next, MPI_STATUS_IGNORE)
  call MPI_Finalize()
end program
