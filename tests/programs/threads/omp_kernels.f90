! SPDX-License-Identifier: MIT
!
! Kernels like EP, CG and MG of the NAS benchmarks, in ranks of several threads: counted random pairs, conjugate
! gradients with rows of different lengths, and multigrid whose coarse grids are too small for all threads. Each kernel
! verifies its result. With the argument `large`, it prints the seconds that each large kernel takes; with a second one,
! also those of processor time on its critical path: the longest of the threads in each phase.
! flags: -fopenmp
! ranks: 4
module critical_path
  use, intrinsic :: iso_c_binding, only: c_int, c_long
  use omp_lib
  implicit none
  integer(c_int), parameter :: clock_of_thread = 3
  type, bind(c) :: timespec
    integer(c_long) :: seconds, nanoseconds
  end type
  interface
    integer(c_int) function clock_gettime(clock, time) bind(c)
      import :: c_int, timespec
      integer(c_int), value :: clock
      type(timespec), intent(out) :: time
    end function
  end interface
  logical :: is_measured = .false.
  real(8) :: path = 0, busy(0:63) = 0
  real(8), save :: began = 0
  !$omp threadprivate(began)
contains
  real(8) function thread_seconds()
    type(timespec) :: time
    if (clock_gettime(clock_of_thread, time) /= 0) error stop 'no clock'
    thread_seconds = real(time%seconds, 8) + 1d-9 * real(time%nanoseconds, 8)
  end function

  subroutine begin_work()
    if (is_measured) began = thread_seconds()
  end subroutine

  subroutine end_work()
    integer :: me
    me = omp_get_thread_num()
    if (is_measured) busy(me) = busy(me) + thread_seconds() - began
  end subroutine

  ! By one thread, when all have ended their work.
  subroutine end_phase()
    path = path + maxval(busy)
    busy = 0
  end subroutine
end module

module kernels
  use mpi
  use critical_path
  implicit none
  integer :: rank, ranks, before, behind, ierror
  logical :: is_large
  type grid
    real(8), allocatable :: u(:, :, :), f(:, :, :), r(:, :, :)
    integer :: n, m  ! cells in x and y, and planes of this rank
  end type
contains
  ! ---- EP
  subroutine random_pairs()
    integer, parameter :: blocks = 40
    integer(8) :: counts(0:9), all(0:9), alone(0:9)
    integer :: block, each
    each = merge(10000, 500, is_large)
    counts = 0
    !$omp parallel reduction(+:counts)
    call begin_work()
    !$omp do schedule(static, 1)
    do block = rank + 1, blocks, ranks
      call count_pairs(block, each, counts)
    end do
    !$omp end do nowait
    call end_work()
    !$omp end parallel
    call end_phase()
    call MPI_Allreduce(counts, all, 10, MPI_INTEGER8, MPI_SUM, MPI_COMM_WORLD, ierror)
    if (is_large) return
    alone = 0
    do block = 1, blocks
      call count_pairs(block, each, alone)
    end do
    if (any(all /= alone)) error stop 'EP'
  end subroutine

  ! Pairs of the normal distribution by Marsaglia's polar method, counted by the larger one.
  subroutine count_pairs(block, each, counts)
    integer, intent(in) :: block, each
    integer(8), intent(inout) :: counts(0:9)
    integer(8) :: seed
    integer :: i, at
    real(8) :: x, y, t
    seed = 4711 * block
    do i = 1, each * block
      seed = mod(seed * 16807_8, 2147483647_8)
      x = 2 * real(seed, 8) / 2147483647 - 1
      seed = mod(seed * 16807_8, 2147483647_8)
      y = 2 * real(seed, 8) / 2147483647 - 1
      t = x * x + y * y
      if (t > 1 .or. t == 0) cycle
      t = sqrt(-2 * log(t) / t)
      at = min(int(max(abs(x * t), abs(y * t))), 9)
      counts(at) = counts(at) + 1
    end do
  end subroutine

  ! ---- CG
  subroutine conjugate_gradients()
    integer, parameter :: steps = 20
    real(8), allocatable :: x(:), r(:), p(:), q(:)
    real(8) :: rho, next, alpha
    integer :: rows, i, step, mine, first, last
    rows = merge(8000, 1600, is_large)
    allocate (x(rows), r(rows), p(rows), q(rows))
    mine = rows / ranks
    first = rank * mine + 1
    last = first + mine - 1
    call begin_work()
    x = 0
    p = 1
    call end_work()
    call end_phase()
    call multiply(first, last, p, r)  ! the solution is 1
    p(first:last) = r(first:last)
    rho = sum_of_all(r(first:last), r(first:last))
    do step = 1, steps
      call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, p, mine, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierror)
      call multiply(first, last, p, q)
      call begin_work()
      alpha = rho / sum_of_all(p(first:last), q(first:last))
      do i = first, last
        x(i) = x(i) + alpha * p(i)
        r(i) = r(i) - alpha * q(i)
      end do
      next = sum_of_all(r(first:last), r(first:last))
      p(first:last) = r(first:last) + next / rho * p(first:last)
      rho = next
      call end_work()
      call end_phase()
    end do
    if (any(abs(x(first:last) - 1) > 1d-8)) error stop 'CG'
  end subroutine

  real(8) function sum_of_all(a, b)
    real(8), intent(in) :: a(:), b(:)
    real(8) :: own
    own = dot_product(a, b)
    call MPI_Allreduce(own, sum_of_all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
  end function

  ! A symmetric matrix with a dominant diagonal, whose band becomes wider from row to row.
  subroutine multiply(first, last, a, b)
    integer, intent(in) :: first, last
    real(8), intent(in) :: a(:)
    real(8), intent(out) :: b(:)
    integer :: i, j
    real(8) :: part
    !$omp parallel private(j, part)
    call begin_work()
    !$omp do schedule(static)
    do i = first, last
      part = 0
      do j = i - i / 8, i - 1
        part = part + (a(i) - a(j)) / (1 + i - j)
      end do
      do j = i + 1, min(i + i / 7 + 1, size(a))
        if (j - i <= j / 8) part = part + (a(i) - a(j)) / (1 + j - i)
      end do
      b(i) = 2 * a(i) + part
    end do
    !$omp end do nowait
    call end_work()
    !$omp end parallel
    call end_phase()
  end subroutine

  ! ---- MG
  subroutine multigrid()
    integer, parameter :: most = 5, cycles = 12
    type(grid) :: grids(most)
    integer :: n, levels, level, cycle, i, j, k
    real(8) :: first, last
    n = merge(64, 32, is_large)
    levels = 1
    do while (mod(n / 2**levels, ranks) == 0 .and. levels < most)
      levels = levels + 1
    end do
    call begin_work()
    do level = 1, levels
      associate (g => grids(level))
        g%n = n / 2**(level - 1)
        g%m = g%n / ranks
        allocate (g%u(0:g%n + 1, 0:g%n + 1, 0:g%m + 1), g%f(g%n, g%n, g%m), g%r(g%n, g%n, g%m), source=0d0)
      end associate
    end do
    do k = 1, grids(1)%m
      do j = 1, n
        do i = 1, n
          grids(1)%f(i, j, k) = mod(7 * i + 3 * j + 5 * (k + rank * grids(1)%m), 11) - 5
        end do
      end do
    end do
    call end_work()
    call end_phase()
    call find_residual(grids(1))
    first = norm(grids(1)%r)
    do cycle = 1, cycles
      do level = 1, levels - 1
        call smooth(grids(level), 2)
        call find_residual(grids(level))
        call coarsen(grids(level), grids(level + 1))
      end do
      call smooth(grids(levels), 20)
      do level = levels - 1, 1, -1
        call correct(grids(level), grids(level + 1))
        call smooth(grids(level), 2)
      end do
    end do
    call find_residual(grids(1))
    last = norm(grids(1)%r)
    if (.not. last < 1d-3 * first) error stop 'MG'
  end subroutine

  real(8) function norm(r)
    real(8), intent(in) :: r(:, :, :)
    real(8) :: own, all
    call begin_work()
    own = sum(r**2)
    call end_work()
    call end_phase()
    call MPI_Allreduce(own, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
    norm = sqrt(all)
  end function

  ! Around the cube, the values are those inside with the other sign: the surface is 0.
  subroutine exchange(g)
    type(grid), intent(inout) :: g
    integer :: plane
    call begin_work()
    g%u(0, :, :) = -g%u(1, :, :)
    g%u(g%n + 1, :, :) = -g%u(g%n, :, :)
    g%u(:, 0, :) = -g%u(:, 1, :)
    g%u(:, g%n + 1, :) = -g%u(:, g%n, :)
    if (rank == 0) g%u(:, :, 0) = -g%u(:, :, 1)
    if (rank == ranks - 1) g%u(:, :, g%m + 1) = -g%u(:, :, g%m)
    call end_work()
    call end_phase()
    plane = (g%n + 2)**2
    call MPI_Sendrecv(g%u(0, 0, 1), plane, MPI_DOUBLE_PRECISION, before, 1, g%u(0, 0, g%m + 1), plane, &
                      MPI_DOUBLE_PRECISION, behind, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    call MPI_Sendrecv(g%u(0, 0, g%m), plane, MPI_DOUBLE_PRECISION, behind, 2, g%u(0, 0, 0), plane, &
                      MPI_DOUBLE_PRECISION, before, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end subroutine

  subroutine find_residual(g)
    type(grid), intent(inout) :: g
    integer :: i, j, k
    real(8) :: inverse_square
    inverse_square = real(g%n, 8)**2
    call exchange(g)
    !$omp parallel private(i, j) if (g%m >= 4)
    call begin_work()
    !$omp do schedule(static)
    do k = 1, g%m
      do j = 1, g%n
        do i = 1, g%n
          g%r(i, j, k) = g%f(i, j, k) - inverse_square * (6 * g%u(i, j, k) - g%u(i - 1, j, k) - g%u(i + 1, j, k) &
                         - g%u(i, j - 1, k) - g%u(i, j + 1, k) - g%u(i, j, k - 1) - g%u(i, j, k + 1))
        end do
      end do
    end do
    !$omp end do nowait
    call end_work()
    !$omp end parallel
    call end_phase()
  end subroutine

  subroutine smooth(g, times)
    type(grid), intent(inout) :: g
    integer, intent(in) :: times
    integer :: time, k
    do time = 1, times
      call find_residual(g)
      !$omp parallel if (g%m >= 4)
      call begin_work()
      !$omp do schedule(static)
      do k = 1, g%m
        g%u(1:g%n, 1:g%n, k) = g%u(1:g%n, 1:g%n, k) + 0.8d0 / (6 * real(g%n, 8)**2) * g%r(:, :, k)
      end do
      !$omp end do nowait
      call end_work()
      !$omp end parallel
      call end_phase()
    end do
  end subroutine

  subroutine coarsen(fine, coarse)
    type(grid), intent(in) :: fine
    type(grid), intent(inout) :: coarse
    integer :: i, j, k
    call begin_work()
    do k = 1, coarse%m
      do j = 1, coarse%n
        do i = 1, coarse%n
          coarse%f(i, j, k) = sum(fine%r(2 * i - 1:2 * i, 2 * j - 1:2 * j, 2 * k - 1:2 * k)) / 8
        end do
      end do
    end do
    coarse%u = 0
    call end_work()
    call end_phase()
  end subroutine

  subroutine correct(fine, coarse)
    type(grid), intent(inout) :: fine
    type(grid), intent(in) :: coarse
    integer :: i, j, k
    !$omp parallel private(i, j) if (fine%m >= 4)
    call begin_work()
    !$omp do schedule(static)
    do k = 1, fine%m
      do j = 1, fine%n
        do i = 1, fine%n
          fine%u(i, j, k) = fine%u(i, j, k) + coarse%u((i + 1) / 2, (j + 1) / 2, (k + 1) / 2)
        end do
      end do
    end do
    !$omp end do nowait
    call end_work()
    !$omp end parallel
    call end_phase()
  end subroutine
end module

program omp_kernels
  use kernels
  implicit none
  integer :: provided
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  before = merge(MPI_PROC_NULL, rank - 1, rank == 0)
  behind = merge(MPI_PROC_NULL, rank + 1, rank == ranks - 1)
  is_large = command_argument_count() > 0
  is_measured = command_argument_count() > 1
  if (.not. is_large .and. omp_get_max_threads() /= 4) error stop 'threads'
  call time_it('EP', random_pairs)
  call time_it('CG', conjugate_gradients)
  call time_it('MG', multigrid)
  call MPI_Finalize(ierror)
contains
  subroutine time_it(name, kernel)
    character(*), intent(in) :: name
    external :: kernel
    real(8) :: began_at
    path = 0
    began_at = omp_get_wtime()
    call kernel()
    if (is_large .and. rank == 0) print '(A, 2ES14.6)', name, omp_get_wtime() - began_at, path
  end subroutine
end program
