! SPDX-License-Identifier: MIT
! The collective subroutines of Fortran 2018.
program collectives
  implicit none
  integer :: me, all, i, numbers(3)
  real(8) :: value
  me = this_image()
  all = num_images()
  numbers = [me, 2 * me, 3 * me]
  call co_sum(numbers)
  if (any(numbers /= [1, 2, 3] * (all * (all + 1) / 2))) error stop 'co_sum'
  value = 0.5d0 * me
  call co_max(value)
  if (value /= 0.5d0 * all) error stop 'co_max'
  i = me + 7
  call co_min(i, result_image=1)
  if (me == 1 .and. i /= 8) error stop 'co_min'
  numbers = me
  call co_broadcast(numbers, source_image=all)
  if (any(numbers /= all)) error stop 'co_broadcast'
  i = me
  call co_reduce(i, larger)
  if (i /= all) error stop 'co_reduce'
  if (me == 1) print '(a, i0, a)', 'collectives: right on ', all, ' images'
contains
  pure integer function larger(a, b)
    integer, intent(in) :: a, b
    larger = max(a, b)
  end function
end program
