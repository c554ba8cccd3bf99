! SPDX-License-Identifier: MIT
! All images post to the first one, which waits for all of them and then lets each go on.
program events
  use iso_fortran_env, only: event_type
  implicit none
  type(event_type) :: filled[*], emptied[*]
  integer :: boxes(64)[*], me, all, left
  me = this_image()
  all = num_images()
  boxes = 0
  sync all
  boxes(me)[1] = me
  event post (filled[1])
  if (me == 1) then
    event wait (filled, until_count=all)
    if (sum(boxes) /= all * (all + 1) / 2) error stop 'events: wrong sum'
    call event_query(filled, left)
    if (left /= 0) error stop 'events: too many'
    block
      integer :: i
      do i = 1, all
        event post (emptied[i])
      end do
    end block
  end if
  event wait (emptied)
  if (me == 1) print '(a, i0)', 'events: ', sum(boxes)
end program
