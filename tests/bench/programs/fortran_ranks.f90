! SPDX-License-Identifier: MIT
!
! Starts and ends. With an argument, rank 0 prints what the kernel says about the memory of the process while all ranks
! exist.
program fortran_ranks
  use mpi
  implicit none
  integer :: rank, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  if (command_argument_count() > 0) then
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    if (rank == 0) then
      call show("/proc/self/smaps_rollup")
      call show("/proc/self/status")
    end if
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end if
  call MPI_Finalize(ierror)

contains

  subroutine show(file)
    character(*), intent(in) :: file
    character(200) :: line
    integer :: unit, status
    open (newunit=unit, file=file, action="read", status="old")
    do
      read (unit, "(a)", iostat=status) line
      if (status /= 0) exit
      print "(a)", trim(line)
    end do
    close (unit)
  end subroutine show

end program fortran_ranks
