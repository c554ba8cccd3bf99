! SPDX-License-Identifier: MIT
! A token goes from image to image; each waits for its neighbour only.
program sync_images
  implicit none
  integer :: token[*], me, all
  me = this_image()
  all = num_images()
  token = 0
  sync all
  if (me > 1) sync images (me - 1)
  if (me < all) token[me + 1] = token + me
  if (me < all) sync images (me + 1)
  if (me == all) then
    if (token /= all * (all - 1) / 2) error stop 'sync images: wrong sum'
    print '(a, i0)', 'sync images: ', token
  end if
end program
