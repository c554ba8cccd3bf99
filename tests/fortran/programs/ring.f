! SPDX-License-Identifier: MIT
! mpif.h in fixed form: messages, statuses, positions from 1, strings, a reduction in place, probes.
! ranks: 3
      program ring
      implicit none
      include 'mpif.h'
      integer rank, size, ierr, next, before, i, length, index, count
      integer status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE,2)
      integer requests(2), values(4), got(4), indices(2), outcount
      double precision sums(3)
      logical flag
      character*(MPI_MAX_PROCESSOR_NAME) name
      character*20 text
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
      next = mod(rank + 1, size)
      before = mod(rank + size - 1, size)
      name = 'x'
      call MPI_GET_PROCESSOR_NAME(name, length, ierr)
      if (length .le. 0 .or. name(length+1:) .ne. ' ') stop 2
      do 10 i = 1, 4
   10 values(i) = 10 * rank + i
      call MPI_IRECV(got, 4, MPI_INTEGER, before, 5, MPI_COMM_WORLD,
     &               requests(1), ierr)
      call MPI_ISEND(values, 4, MPI_INTEGER, next, 5, MPI_COMM_WORLD,
     &               requests(2), ierr)
      call MPI_WAITANY(2, requests, index, status, ierr)
      if (index .lt. 1 .or. index .gt. 2) stop 3
      if (requests(index) .ne. MPI_REQUEST_NULL) stop 4
      call MPI_WAITSOME(2, requests, outcount, indices, statuses, ierr)
      if (outcount .ne. 1 .or. indices(1) .ne. 3 - index) stop 5
      if (got(4) .ne. 10 * before + 4) stop 6
      call MPI_WAITSOME(2, requests, outcount, indices, statuses, ierr)
      if (outcount .ne. MPI_UNDEFINED) stop 7
      text = 'hello'
      if (rank .eq. 0) then
        call MPI_SEND(text, 20, MPI_CHARACTER, 1, 7, MPI_COMM_WORLD,
     &                ierr)
      else if (rank .eq. 1) then
        call MPI_PROBE(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
     &                 status, ierr)
        call MPI_GET_COUNT(status, MPI_CHARACTER, count, ierr)
        if (count .ne. 20 .or. status(MPI_SOURCE) .ne. 0) stop 8
        if (status(MPI_TAG) .ne. 7) stop 9
        text = ' '
        call MPI_RECV(text, count, MPI_CHARACTER, 0, 7, MPI_COMM_WORLD,
     &                MPI_STATUS_IGNORE, ierr)
        if (text .ne. 'hello') stop 10
      end if
      sums(1) = rank
      sums(2) = 1
      sums(3) = 2.5d0
      call MPI_ALLREDUCE(MPI_IN_PLACE, sums, 3, MPI_DOUBLE_PRECISION,
     &                   MPI_SUM, MPI_COMM_WORLD, ierr)
      if (sums(1) .ne. 3d0 .or. sums(2) .ne. 3d0) stop 11
      call MPI_INITIALIZED(flag, ierr)
      if (.not. flag) stop 12
      call MPI_BARRIER(MPI_COMM_WORLD, ierr)
      if (MPI_WTICK() .le. 0d0 .or. MPI_WTIME() .lt. 0d0) stop 13
      if (rank .eq. 0) print *, 'passed'
      call MPI_FINALIZE(ierr)
      end
