! SPDX-License-Identifier: MIT
! A counter on the first image, and an owner, the image that was first. The library does not return old values of
! atomic_fetch_add, and has no atomic_or.
program atomics
  use iso_fortran_env, only: atomic_int_kind
  implicit none
  integer(atomic_int_kind) :: counter[*], owner[*], old
  integer :: me, all
  me = this_image()
  all = num_images()
  call atomic_define(counter, 0)
  call atomic_define(owner, 0)
  sync all
  call atomic_add(counter[1], me)
  call atomic_cas(owner[1], old, 0, me)
  if (old < 0 .or. old > all .or. old == me) error stop 'atomic_cas: wrong old value'
  sync all
  if (me == 1) then
    call atomic_ref(old, counter)
    if (old /= all * (all + 1) / 2) error stop 'atomic_add'
    call atomic_ref(old, owner)
    if (old < 1 .or. old > all) error stop 'atomic_cas'
    print '(a, i0, a)', 'atomics: right on ', all, ' images'
  end if
end program
