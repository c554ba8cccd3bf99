! SPDX-License-Identifier: MIT
! The module mpi_f08 as of MPI-3.1, for every MPI library: comparisons, callbacks, statuses, PMPI, sizes. It prints what
! it gets.
! ranks: 3
module callbacks_f08
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: copied = 0, removed = 0, failures = 0, queried = 0, freed = 0
contains
  subroutine largest(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    if (datatype /= MPI_INTEGER) error stop 'datatype'
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    b = max(a, b)
  end subroutine
  subroutine copy(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_Comm) :: oldcomm
    integer :: comm_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    if (oldcomm == MPI_COMM_WORLD) copied = copied + 1
    attribute_val_out = attribute_val_in + extra_state
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine
  subroutine remove(comm, comm_keyval, attribute_val, extra_state, ierror)
    type(MPI_Comm) :: comm
    integer :: comm_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
    removed = removed + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine failed(comm, error_code)
    type(MPI_Comm) :: comm
    integer :: error_code
    integer :: class
    call MPI_Error_class(error_code, class)
    if (class == MPI_ERR_TAG .and. comm /= MPI_COMM_WORLD) failures = failures + 1
  end subroutine
  subroutine query(extra_state, status, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    type(MPI_Status) :: status
    integer :: ierror
    queried = queried + int(extra_state)
    status%MPI_TAG = 77
    call MPI_Status_set_elements(status, MPI_INTEGER, 3)
    call MPI_Status_set_cancelled(status, .false.)
    ierror = MPI_SUCCESS
  end subroutine
  subroutine release(extra_state, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    freed = freed + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine cancel(extra_state, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine
end module

program main
  use mpi_f08
  use callbacks_f08
  implicit none
  integer :: rank, nranks, key, i, count, code
  integer :: values(4), indices(2)
  integer(MPI_ADDRESS_KIND) :: attribute, room, position
  character :: packed(100)
  logical :: flag
  type(MPI_Comm) :: comm
  type(MPI_Op) :: op
  type(MPI_Errhandler) :: handler
  type(MPI_Request) :: request, requests(2)
  type(MPI_Status) :: status, statuses(2)
  type(MPI_Datatype) :: type
  type(MPI_Message) :: message
  character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: version
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call PMPI_Comm_size(MPI_COMM_WORLD, nranks, code)
  if (rank == 0) print *, 'ranks', code == MPI_SUCCESS, nranks

  call MPI_Op_create(largest, .true., op)
  values = [rank, -rank, 5, 2 * rank]
  call MPI_Allreduce(MPI_IN_PLACE, values, 4, MPI_INTEGER, op, MPI_COMM_WORLD)
  call MPI_Op_free(op)
  if (rank == 0) print *, 'largest', values, op == MPI_OP_NULL, op /= MPI_SUM

  call MPI_Comm_create_keyval(copy, remove, key, 100_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, 2_MPI_ADDRESS_KIND**40)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call MPI_Comm_get_attr(comm, key, attribute, flag)
  if (rank == 0) print *, 'attribute', flag, attribute, copied
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, key)
  call MPI_Comm_free_keyval(key)
  call MPI_Comm_create_errhandler(failed, handler)
  call MPI_Comm_set_errhandler(comm, handler)
  call MPI_Errhandler_free(handler)
  call MPI_Send(values, 1, MPI_INTEGER, 0, -7, comm, code)
  if (rank == 0) print *, 'error', code /= MPI_SUCCESS, failures
  call MPI_Comm_free(comm)
  if (rank == 0) print *, 'freed', comm == MPI_COMM_NULL, removed
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(MPI_COMM_SELF, key, 9_MPI_ADDRESS_KIND)
  call MPI_Comm_dup(MPI_COMM_SELF, comm)
  call MPI_Comm_get_attr(comm, key, attribute, flag)
  if (rank == 0) print *, 'predefined', flag, attribute
  call MPI_Comm_free(comm)
  call MPI_Comm_delete_attr(MPI_COMM_SELF, key)
  call MPI_Comm_free_keyval(key)

  call MPI_Grequest_start(query, release, cancel, 4_MPI_ADDRESS_KIND, request)
  call MPI_Grequest_complete(request)
  call MPI_Wait(request, status)
  call MPI_Get_count(status, MPI_INTEGER, count)
  if (rank == 0) print *, 'request', count, status%MPI_TAG, queried, freed, request == MPI_REQUEST_NULL

  values = [1, 2, 3, 4]
  room = 100
  position = 0
  call MPI_Pack_external('external32', values, 3, MPI_INTEGER, packed, room, position)
  values = 0
  if (rank == 0) print *, 'packed', position, ichar(packed(9:12))
  position = 4
  call MPI_Unpack_external('external32', packed, room, position, values(2), 2, MPI_INTEGER)
  if (rank == 0) print *, 'unpacked', position, values

  values = rank
  if (rank == 1) then
    call MPI_Isend(values, 4, MPI_INTEGER, 2, 1, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(values, 2, MPI_INTEGER, 2, 2, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  end if
  if (rank == 2) then
    call MPI_Mprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, message, status)
    call MPI_Get_count(status, MPI_INTEGER, count)
    call MPI_Mrecv(values, count, MPI_INTEGER, message, status)
    if (message /= MPI_MESSAGE_NULL .or. any(values /= 1) .or. status%MPI_SOURCE /= 1) error stop 'Mrecv'
    call MPI_Irecv(values, 2, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, requests(1))
    requests(2) = MPI_REQUEST_NULL
    call MPI_Waitsome(2, requests, count, indices, statuses)
    if (count /= 1 .or. indices(1) /= 1 .or. statuses(1)%MPI_TAG /= 2) error stop 'Waitsome'
    call MPI_Testall(2, requests, flag, MPI_STATUSES_IGNORE)
    if (.not. flag) error stop 'Testall'
  end if
  call MPI_Type_vector(3, 1, 2, MPI_REAL, type)
  call MPI_Type_size(type, count)
  call MPI_Type_free(type)
  call MPI_Get_library_version(version, i)
  if (i <= 0 .or. version(i + 1:) /= ' ') error stop 'version'
  if (rank == 0) print *, 'passed', count, type == MPI_DATATYPE_NULL
  call MPI_Finalize()
end program
