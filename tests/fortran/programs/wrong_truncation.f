! SPDX-License-Identifier: MIT
! The message is longer than its receive.
! ranks: 2
! finding: message.truncated
      program main
      implicit none
      include 'mpif.h'
      integer rank, ierr, a(8), status(MPI_STATUS_SIZE)
      a = 1
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      if (rank .eq. 0) then
        call MPI_SEND(a, 8, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
      else
        call MPI_RECV(a,4,MPI_INTEGER,0,0,MPI_COMM_WORLD,status,ierr)   ! here
      end if
      call MPI_FINALIZE(ierr)
      end
