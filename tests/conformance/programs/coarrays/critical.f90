! SPDX-License-Identifier: MIT
! A counter and a list on the first image, changed in a critical construct, and a second counter behind a lock.
program critical_sections
  use iso_fortran_env, only: lock_type
  implicit none
  type(lock_type) :: guard[*]
  integer :: counter[*], locked[*], me, all
  me = this_image()
  all = num_images()
  counter = 0
  locked = 0
  sync all
  critical
    counter[1] = counter[1] + me
  end critical
  lock (guard[1])
  locked[1] = locked[1] + 1
  unlock (guard[1])
  sync all
  if (me == 1) then
    if (counter /= all * (all + 1) / 2 .or. locked /= all) error stop 'critical: wrong counters'
    print '(a, i0, 1x, i0)', 'critical and lock: ', counter, locked
  end if
end program
