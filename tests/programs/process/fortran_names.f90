! SPDX-License-Identifier: MIT
!
! Procedures whose symbols are not what people call them.
module halo
contains
  subroutine swap_rows(n)
    integer, intent(inout) :: n
    n = n + 1
  end subroutine
end module

subroutine exchange(n)
  integer :: n
  n = n * 2
end subroutine
