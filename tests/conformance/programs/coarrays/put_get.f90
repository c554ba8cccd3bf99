! SPDX-License-Identifier: MIT
! Each image puts its number to the next one, and gets it back from there, whole and in sections with gaps.
program put_get
  implicit none
  integer :: box(4)[*], grid(3, 3)[*], me, all, next, previous, got(4), i
  me = this_image()
  all = num_images()
  next = merge(1, me + 1, me == all)
  previous = merge(all, me - 1, me == 1)
  box = -1
  grid = 0
  sync all
  box(:)[next] = [(100 * me + i, i = 1, 4)]
  grid(2, 1:3:2)[next] = [me, me]
  sync all
  if (any(box /= [(100 * previous + i, i = 1, 4)])) error stop 'put: wrong values'
  if (any(grid(2, :) /= [previous, 0, previous]) .or. sum(grid) /= 2 * previous) error stop 'put: wrong section'
  got = box(:)[next]
  if (any(got /= [(100 * me + i, i = 1, 4)])) error stop 'get: wrong values'
  sync all
  if (me == 1) print '(a, i0, a)', 'put and get: right on ', all, ' images'
end program
