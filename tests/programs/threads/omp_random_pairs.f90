! SPDX-License-Identifier: MIT
!
! As the kernel EP of the NAS benchmarks: independent pseudo-random pairs, counted by threads and ranks.
! flags: -fopenmp
! ranks: 4
program random_pairs
  use mpi
  use omp_lib
  implicit none
  integer, parameter :: blocks = 32, each = 200
  integer :: ierror, provided, rank, ranks, block, i, inside, total, alone
  integer, save :: seed
  !$omp threadprivate(seed)
  real(8) :: a, b

  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  if (omp_get_max_threads() /= 4) error stop 1
  inside = 0
  !$omp parallel do schedule(dynamic) private(i, a, b) reduction(+:inside)
  do block = rank + 1, blocks, ranks
    seed = 7 * block
    do i = 1, each
      a = next()
      b = next()
      if (a * a + b * b < 1) inside = inside + 1
    end do
  end do
  !$omp end parallel do
  call MPI_Allreduce(inside, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  alone = 0
  do block = 1, blocks
    seed = 7 * block
    do i = 1, each
      a = next()
      b = next()
      if (a * a + b * b < 1) alone = alone + 1
    end do
  end do
  if (alone /= total) error stop 2
  call omp_set_num_threads(2)
  total = 0
  !$omp parallel
  !$omp critical
  total = total + omp_get_num_threads()
  !$omp end critical
  !$omp end parallel
  if (total /= 4) error stop 3
  call MPI_Finalize(ierror)
contains
  real(8) function next()
    seed = mod(seed * 16807, 65537)
    if (seed < 0) seed = seed + 65537
    next = real(seed, 8) / 65537
  end function next
end program random_pairs
