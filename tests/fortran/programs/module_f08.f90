! SPDX-License-Identifier: MIT
! The module mpi_f08: types of handles, optional ierror, callbacks, statuses, large counts, PMPI.
! ranks: 3
module callbacks
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
    copied = copied + 1
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
    if (class == MPI_ERR_TAG) failures = failures + 1
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
  use callbacks
  implicit none
  integer :: rank, nranks, key, i, count, code
  integer :: values(4), words(MPI_STATUS_SIZE)
  integer(MPI_COUNT_KIND) :: large
  integer(MPI_ADDRESS_KIND) :: attribute
  logical :: flag
  type(MPI_Comm) :: comm
  type(MPI_Op) :: op
  type(MPI_Errhandler) :: handler
  type(MPI_Request) :: request
  type(MPI_Status) :: status, second
  type(MPI_Datatype) :: type
  type(MPI_Message) :: message
  character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: version
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call PMPI_Comm_size(MPI_COMM_WORLD, nranks, code)
  call require(code == MPI_SUCCESS .and. nranks == 3, 1)

  call MPI_Op_create(largest, .true., op)
  values = [rank, -rank, 5, 2 * rank]
  call MPI_Allreduce(MPI_IN_PLACE, values, 4, MPI_INTEGER, op, MPI_COMM_WORLD)
  call require(all(values == [2, 0, 5, 4]), 2)
  call MPI_Op_free(op)
  call require(op == MPI_OP_NULL .and. op /= MPI_SUM, 3)

  call MPI_Comm_create_keyval(copy, remove, key, 100_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, 2_MPI_ADDRESS_KIND**40)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call MPI_Comm_get_attr(comm, key, attribute, flag)
  call require(flag .and. attribute == 2_MPI_ADDRESS_KIND**40 + 100 .and. copied == 1, 4)
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, key)
  call MPI_Comm_free_keyval(key)
  call MPI_Comm_create_errhandler(failed, handler)
  call MPI_Comm_set_errhandler(comm, handler)
  call MPI_Errhandler_free(handler)
  call MPI_Send(values, 1, MPI_INTEGER, 0, -7, comm, code)
  call require(code /= MPI_SUCCESS .and. failures == 1, 5)
  call MPI_Comm_free(comm)
  call require(comm == MPI_COMM_NULL .and. removed == 2, 6)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(MPI_COMM_SELF, key, 9_MPI_ADDRESS_KIND)
  call MPI_Comm_dup(MPI_COMM_SELF, comm)
  call MPI_Comm_get_attr(comm, key, attribute, flag)
  call require(flag .and. attribute == 9, 7)
  call MPI_Comm_free(comm)
  call MPI_Comm_delete_attr(MPI_COMM_SELF, key)
  call MPI_Comm_free_keyval(key)

  call MPI_Grequest_start(query, release, cancel, 4_MPI_ADDRESS_KIND, request)
  call MPI_Grequest_complete(request)
  call MPI_Wait(request, status)
  call MPI_Get_count(status, MPI_INTEGER, count)
  call require(count == 3 .and. status%MPI_TAG == 77 .and. queried == 4 .and. freed == 1, 8)

  large = 4
  values = rank
  if (rank == 1) call MPI_Send(values, large, MPI_INTEGER, 2, 1, MPI_COMM_WORLD)
  if (rank == 2) then
    call MPI_Mprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, message, status)
    call MPI_Get_count(status, MPI_INTEGER, large)
    call MPI_Mrecv(values, large, MPI_INTEGER, message, status)
    call require(large == 4 .and. all(values == 1) .and. message == MPI_MESSAGE_NULL, 9)
    call MPI_Status_f082f(status, words)
    call require(words(MPI_F_SOURCE + 0) == 1 .or. words(1) == 1, 10)
    call MPI_Status_f2f08(words, second)
    call require(second == status .and. second%MPI_SOURCE == 1, 11)
  end if
  call MPI_Type_vector(3, 1, 2, MPI_REAL, type)
  call MPI_Type_size(type, large)
  call require(large == 12, 12)
  call MPI_Type_free(type)
  call MPI_Get_library_version(version, i)
  call require(i > 0 .and. version(i + 1:) == ' ', 13)
  if (rank == 0) print *, 'passed'
  call MPI_Finalize()
contains
  subroutine require(is_right, number)
    logical, intent(in) :: is_right
    integer, intent(in) :: number
    if (is_right) return
    print *, 'failed', number, 'on', rank
    error stop
  end subroutine
end program
