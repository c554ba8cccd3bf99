! SPDX-License-Identifier: MIT
!
! Calls of each kind of argument that Fortran has otherwise than C: handles, logicals, indices, statuses, MPI_IN_PLACE.
program calls
  use mpi
  implicit none
  integer :: ierr, rank, ranks, right, left, i, indx, outcount
  integer :: requests(2), status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2), comm, part, grid, indices(2), message
  integer :: values(4), sums(4), counts(2)
  logical :: flag, periods(1)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  right = mod(rank + 1, ranks)
  left = mod(rank + ranks - 1, ranks)
  values = rank
  call MPI_Irecv(sums, 4, MPI_INTEGER, left, 1, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isend(values, 4, MPI_INTEGER, right, 1, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  call MPI_Irecv(sums, 4, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, requests(1), ierr)
  requests(2) = MPI_REQUEST_NULL
  call MPI_Send(values, 2, MPI_INTEGER, right, 2, MPI_COMM_WORLD, ierr)
  call MPI_Waitany(2, requests, indx, MPI_STATUS_IGNORE, ierr)
  if (indx /= 1) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Irecv(sums, 4, MPI_INTEGER, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, requests(2), ierr)
  requests(1) = MPI_REQUEST_NULL
  call MPI_Sendrecv(values, 1, MPI_INTEGER, right, 3, sums(4), 1, MPI_INTEGER, MPI_PROC_NULL, 3, &
                    MPI_COMM_WORLD, status, ierr)
  call MPI_Waitsome(2, requests, outcount, indices, statuses, ierr)
  if (outcount /= 1 .or. indices(1) /= 2) call MPI_Abort(MPI_COMM_WORLD, 2, ierr)
  call MPI_Recv_init(sums, 4, MPI_INTEGER, left, 4, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Send_init(values, 4, MPI_INTEGER, right, 4, MPI_COMM_WORLD, requests(2), ierr)
  do i = 1, 3
    call MPI_Startall(2, requests, ierr)
    flag = .false.
    do while (.not. flag)
      call MPI_Testall(2, requests, flag, statuses, ierr)
    end do
  end do
  call MPI_Request_free(requests(1), ierr)
  call MPI_Request_free(requests(2), ierr)
  call one_way()
  call MPI_Allreduce(MPI_IN_PLACE, values, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Comm_split(comm, mod(rank, 2), 0, part, ierr)
  call MPI_Bcast(values, 3, MPI_INTEGER, 0, part, ierr)
  periods = .true.
  call MPI_Cart_create(comm, 1, (/ranks/), periods, .false., grid, ierr)
  call MPI_Ibarrier(grid, requests(1), ierr)
  call MPI_Wait(requests(1), status, ierr)
  call MPI_Comm_free(grid, ierr)
  call MPI_Comm_free(part, ierr)
  call MPI_Comm_free(comm, ierr)
  call MPI_Finalize(ierr)
contains
  subroutine one_way()
    call send_if_even()
    if (mod(rank, 2) == 1) then
      call MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, message, status, ierr)
      call MPI_Get_count(status, MPI_INTEGER, counts(1), ierr)
      call MPI_Mrecv(sums, counts(1), MPI_INTEGER, message, status, ierr)
    end if
  end subroutine
  subroutine send_if_even()
    if (mod(rank, 2) == 0 .and. rank + 1 < ranks) &
      call MPI_Ssend(values, 2, MPI_INTEGER, rank + 1, 5, MPI_COMM_WORLD, ierr)
  end subroutine
end program
