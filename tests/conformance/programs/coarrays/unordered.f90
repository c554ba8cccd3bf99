! SPDX-License-Identifier: MIT
! Wrong: nothing orders the puts of two images to one element of the first image. The library makes each of them behind
! an exclusive lock, so for MPI this is no race, but the result is open.
program unordered
  implicit none
  integer :: box[*]
  box = 0
  sync all
  if (this_image() > 1) box[1] = this_image()
  sync all
  if (this_image() == 1) print '(a, i0)', 'the last one was ', box
end program
