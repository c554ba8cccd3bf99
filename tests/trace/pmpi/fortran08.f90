! SPDX-License-Identifier: MIT
!
! Calls of the module mpi_f08.
program calls
  use mpi_f08
  implicit none
  integer :: rank, ranks, v(4), w(4)
  type(MPI_Request) :: r(2)
  type(MPI_Status) :: s
  type(MPI_Comm) :: c
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  v = rank
  call MPI_Irecv(w, 4, MPI_INTEGER, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, r(1))
  call MPI_Isend(v, 4, MPI_INTEGER, mod(rank+1,ranks), 1, MPI_COMM_WORLD, r(2))
  call MPI_Waitall(2, r, MPI_STATUSES_IGNORE)
  call MPI_Sendrecv(v, 1, MPI_INTEGER, mod(rank+1,ranks), 2, w, 1, MPI_INTEGER, mod(rank+ranks-1,ranks), 2, &
                    MPI_COMM_WORLD, s)
  call MPI_Allreduce(MPI_IN_PLACE, v, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Comm_dup(MPI_COMM_WORLD, c)
  call MPI_Barrier(c)
  call MPI_Comm_free(c)
  call MPI_Finalize()
end program
