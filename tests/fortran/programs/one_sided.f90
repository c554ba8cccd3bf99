! SPDX-License-Identifier: MIT
! Windows: memory that MPI allocates, epochs of fences and of locks, attributes. Nothing reports the loads and
! stores of a Fortran program, so no check verifies it.
! ranks: 3
! verdict: inconclusive
program one_sided
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: rank, ranks, next, value, old
  integer, pointer :: memory(:)
  type(c_ptr) :: base
  type(MPI_Win) :: win
  integer(MPI_ADDRESS_KIND) :: bytes
  logical :: is_set

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  next = mod(rank + 1, ranks)
  call MPI_Win_allocate(16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win)
  call c_f_pointer(base, memory, [4])
  memory = 0
  value = 10 + rank
  call MPI_Win_fence(0, win)
  call MPI_Put(value, 1, MPI_INTEGER, next, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win)
  call MPI_Accumulate(value, 1, MPI_INTEGER, 0, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, MPI_SUM, win)
  call MPI_Win_fence(MPI_MODE_NOSUCCEED, win)
  if (memory(1) /= 10 + mod(rank + ranks - 1, ranks)) stop 1
  if (rank == 0 .and. memory(2) /= 33) stop 2

  call MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win)
  call MPI_Fetch_and_op(1, old, MPI_INTEGER, 0, 2_MPI_ADDRESS_KIND, MPI_SUM, win)
  call MPI_Win_unlock(0, win)
  call MPI_Allreduce(MPI_IN_PLACE, old, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (old /= 3) stop 3

  call MPI_Win_get_attr(win, MPI_WIN_SIZE, bytes, is_set)
  if (.not. is_set .or. bytes /= 16) stop 4
  call MPI_Win_free(win)
  if (rank == 0) print '(a)', 'passed'
  call MPI_Finalize()
end program
