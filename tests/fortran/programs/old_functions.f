! SPDX-License-Identifier: MIT
! mpif.h: functions of MPI-1 with INTEGER where newer ones have addresses, attributes, buffered sends, error handlers.
! ranks: 2
      program old
      implicit none
      include 'mpif.h'
      integer rank, ierr, type, extent, key, value, bytes, i, class
      integer blocks(2), places(2), types(2), handler, comm, errors
      integer status(MPI_STATUS_SIZE)
      integer*8 big
      logical flag
      double precision buffer(1000), data(6)
      character*(MPI_MAX_ERROR_STRING) text
      common /counts/ errors, copies, deletes
      integer copies, deletes
      external count_error, copy, remove
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      blocks(1) = 1
      blocks(2) = 2
      places(1) = 0
      places(2) = 24
      types(1) = MPI_DOUBLE_PRECISION
      types(2) = MPI_DOUBLE_PRECISION
      call MPI_TYPE_STRUCT(2, blocks, places, types, type, ierr)
      call MPI_TYPE_COMMIT(type, ierr)
      call MPI_TYPE_EXTENT(type, extent, ierr)
      if (extent .ne. 40) stop 2
      do 10 i = 1, 6
   10 data(i) = 100 * rank + i
      if (rank .eq. 0) then
        call MPI_BUFFER_ATTACH(buffer, 8000, ierr)
        call MPI_BSEND(data, 1, type, 1, 3, MPI_COMM_WORLD, ierr)
        call MPI_BUFFER_DETACH(buffer, bytes, ierr)
        if (bytes .ne. 8000) stop 3
      else
        call MPI_RECV(data, 1, type, 0, 3, MPI_COMM_WORLD, status, ierr)
        if (data(1) .ne. 1 .or. data(4) .ne. 4 .or. data(5) .ne. 5)
     &    stop 4
        if (data(2) .ne. 102) stop 5
      end if
      call MPI_TYPE_FREE(type, ierr)
      if (type .ne. MPI_DATATYPE_NULL) stop 6
      call MPI_ATTR_GET(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierr)
      if (.not. flag .or. value .lt. 32767) stop 7
      call MPI_COMM_GET_ATTR(MPI_COMM_WORLD, MPI_TAG_UB, big, flag,
     &                       ierr)
      if (.not. flag .or. big .ne. value) stop 8
      copies = 0
      deletes = 0
      call MPI_KEYVAL_CREATE(copy, remove, key, 17, ierr)
      call MPI_ATTR_PUT(MPI_COMM_WORLD, key, -5, ierr)
      call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierr)
      call MPI_ATTR_GET(comm, key, value, flag, ierr)
      if (.not. flag .or. value .ne. -4 .or. copies .ne. 1) stop 9
      call MPI_COMM_FREE(comm, ierr)
      if (deletes .ne. 1) stop 10
      call MPI_ATTR_DELETE(MPI_COMM_WORLD, key, ierr)
      call MPI_KEYVAL_FREE(key, ierr)
      if (deletes .ne. 2 .or. key .ne. MPI_KEYVAL_INVALID) stop 11
      errors = 0
      call MPI_ERRHANDLER_CREATE(count_error, handler, ierr)
      call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierr)
      call MPI_ERRHANDLER_SET(comm, handler, ierr)
      call MPI_ERRHANDLER_FREE(handler, ierr)
      call MPI_SEND(data, 1, MPI_DOUBLE_PRECISION, 99, 0, comm, ierr)
      if (errors .ne. 1) stop 12
      call MPI_ERROR_CLASS(ierr, class, ierr)
      if (class .ne. MPI_ERR_RANK) stop 13
      call MPI_ERROR_STRING(MPI_ERR_RANK, text, i, ierr)
      if (i .le. 0 .or. text(i+1:) .ne. ' ') stop 14
      call MPI_COMM_FREE(comm, ierr)
      if (rank .eq. 0) print *, 'passed'
      call MPI_FINALIZE(ierr)
      end

      subroutine count_error(comm, code)
      implicit none
      include 'mpif.h'
      integer comm, code, errors, copies, deletes, size, ierr
      common /counts/ errors, copies, deletes
      call MPI_COMM_SIZE(comm, size, ierr)
      if (size .eq. 2) errors = errors + 1
      end

      subroutine copy(comm, key, extra, in, out, flag, ierr)
      implicit none
      integer comm, key, extra, in, out, ierr, errors, copies, deletes
      common /counts/ errors, copies, deletes
      logical flag
      copies = copies + 1
      out = in + 1
      flag = extra .eq. 17
      ierr = 0
      end

      subroutine remove(comm, key, value, extra, ierr)
      implicit none
      integer comm, key, value, extra, ierr, errors, copies, deletes
      common /counts/ errors, copies, deletes
      deletes = deletes + 1
      ierr = 0
      end
