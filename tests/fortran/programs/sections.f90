! SPDX-License-Identifier: MIT
! mpi_f08: sections with gaps are virtual contiguous copies, in blocking, nonblocking, persistent and collective calls.
! ranks: 2
program main
  use mpi_f08
  implicit none
  integer :: rank, other, i, j
  integer :: a(10), b(20), matrix(6, 5), small(2, 3), five(5)
  double precision :: x(12), y(12)
  character(len=3) :: words(6)
  integer, allocatable :: missing(:)
  type(MPI_Request) :: requests(2)
  type(MPI_Datatype) :: type
  type(MPI_Status) :: status
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  other = 1 - rank

  b = -1
  a = 100 * rank + [(i, i = 1, 10)]
  call MPI_Irecv(b(2:20:2), 10, MPI_INTEGER, other, 1, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(a(10:1:-1), 10, MPI_INTEGER, other, 1, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  call require(all(b(2:20:2) == 100 * other + [(i, i = 10, 1, -1)]) .and. all(b(1:20:2) == -1), 1)

  ! A part of a section, and elements that the program may use while the receive is pending.
  b = -1
  call MPI_Irecv(b(1:20:2), 3, MPI_INTEGER, other, 2, MPI_COMM_WORLD, requests(1))
  b(19) = 7
  call MPI_Send(a(1:9:4), 3, MPI_INTEGER, other, 2, MPI_COMM_WORLD)
  call MPI_Wait(requests(1), status)
  call require(all(b([1, 3, 5]) == 100 * other + [1, 5, 9]) .and. b(7) == -1 .and. b(19) == 7 .and. b(2) == -1, 2)

  matrix = reshape([(i + 1000 * rank, i = 1, 30)], [6, 5])
  small = 0
  call MPI_Sendrecv(matrix(2:5:3, 1:5:2), 6, MPI_INTEGER, other, 3, small, 6, MPI_INTEGER, other, 3, &
                    MPI_COMM_WORLD, status)
  call require(all(small == reshape([2, 5, 14, 17, 26, 29], [2, 3]) + 1000 * other), 3)

  ! A datatype with a stride of its own, relative to the copy of the section.
  call MPI_Type_vector(3, 1, 2, MPI_INTEGER, type)
  call MPI_Type_commit(type)
  five = 0
  call MPI_Sendrecv(b(1:9:2), 1, type, other, 4, five, 3, MPI_INTEGER, other, 4, MPI_COMM_WORLD, status)
  call require(five(1) == 100 * rank + 1 .and. five(2) == 100 * rank + 9 .and. five(4) == 0, 4)
  call MPI_Type_free(type)

  x = [(1d0 * i, i = 1, 12)]
  y = 0
  call MPI_Allreduce(x(1:12:3), y(2:8:2), 4, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  call require(all(y(2:8:2) == [2d0, 8d0, 14d0, 20d0]) .and. y(1) == 0 .and. y(3) == 0, 5)
  call MPI_Iallreduce(MPI_IN_PLACE, x(1:12:4), 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, requests(1))
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
  call require(all(x([1, 5, 9]) == [2d0, 10d0, 18d0]) .and. x(2) == 2, 6)

  call MPI_Send_init(a(1:10:3), 4, MPI_INTEGER, other, 5, MPI_COMM_WORLD, requests(1))
  call MPI_Recv_init(b(1:20:5), 4, MPI_INTEGER, other, 5, MPI_COMM_WORLD, requests(2))
  do j = 1, 3
    a = 100 * other + j * [(i, i = 1, 10)]
    call MPI_Startall(2, requests)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call require(all(b(1:20:5) == 100 * rank + j * [1, 4, 7, 10]), 7)
  end do
  call MPI_Request_free(requests(1))
  call MPI_Request_free(requests(2))

  words = ['abc', 'def', 'ghi', 'jkl', 'mno', 'pqr']
  if (rank == 0) call MPI_Send(words(1:5:2), 9, MPI_CHARACTER, 1, 6, MPI_COMM_WORLD)
  if (rank == 1) then
    call MPI_Recv(words(2:6:2), 9, MPI_CHARACTER, 0, 6, MPI_COMM_WORLD, status)
    call require(all(words == ['abc', 'abc', 'ghi', 'ghi', 'mno', 'mno']), 8)
  end if
  call MPI_Bcast(missing, 0, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call MPI_Bcast(matrix(3, :), 5, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call require(all(matrix(3, :) == [3, 9, 15, 21, 27]) .and. matrix(2, 1) == 2 + 1000 * rank, 9)
  if (rank == 0) print *, 'passed'
  call MPI_Finalize()
contains
  subroutine require(is_right, number)
    logical, intent(in) :: is_right
    integer, intent(in) :: number
    if (is_right) return
    print *, 'failed', number, 'on', rank
    error stop
  end subroutine
end program
