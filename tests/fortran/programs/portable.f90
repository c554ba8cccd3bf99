! SPDX-License-Identifier: MIT
! The module mpi as of MPI-3.1, for every MPI library: statuses, lists of requests, operators, communicators, types, the
! addresses with a meaning, error handlers, attributes. It prints what it gets.
! ranks: 4
module callbacks
  implicit none
  integer :: handled = 0, copied = 0, removed = 0
contains
  subroutine largest(in, inout, length, datatype)
    use mpi
    integer :: length, datatype, in(length), inout(length)
    if (datatype /= MPI_INTEGER) error stop 'another datatype'
    inout = max(in, inout)
  end subroutine
  subroutine handle(comm, code)
    use mpi
    integer :: comm, code, class, size, ierr
    call MPI_Error_class(code, class, ierr)
    call MPI_Comm_size(comm, size, ierr)
    if (class == MPI_ERR_RANK .and. size == 2) handled = handled + 1
  end subroutine
  subroutine copy(comm, key, extra, in, out, flag, ierr)
    use mpi
    integer :: comm, key, ierr, size
    integer(MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag
    call MPI_Comm_size(comm, size, ierr)
    copied = copied + size
    out = in + extra
    flag = .true.
    ierr = MPI_SUCCESS
  end subroutine
  subroutine remove(comm, key, value, extra, ierr)
    use mpi
    integer :: comm, key, ierr
    integer(MPI_ADDRESS_KIND) :: value, extra
    removed = removed + 1
    ierr = MPI_SUCCESS
  end subroutine
end module

program main
  use mpi
  use callbacks
  implicit none
  integer, parameter :: none = MPI_PROC_NULL
  integer :: rank, nranks, ierr, i, index, count, op, half, key, handler, column, total, group, file
  integer :: status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 6), requests(6), values(4), sums(4), matrix(3, 3)
  integer :: ranks(2), others(2), combiner, n(3), neighbours(2)
  integer(MPI_ADDRESS_KIND) :: attribute, place
  integer(MPI_OFFSET_KIND) :: offset
  double precision :: pair(2), largest_pair(2)
  logical :: flag
  character(len=MPI_MAX_OBJECT_NAME) :: name
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)

  ! Messages and statuses.
  if (rank == 0) then
    do i = 1, 3
      call MPI_Irecv(values(i), 1, MPI_INTEGER, i, MPI_ANY_TAG, MPI_COMM_WORLD, requests(i), ierr)
    end do
    requests(4) = MPI_REQUEST_NULL
    call MPI_Irecv(values(4), 1, MPI_INTEGER, none, 0, MPI_COMM_WORLD, requests(5), ierr)
    call MPI_Waitall(5, requests, statuses, ierr)
    print *, 'from', values(1:3), (statuses(MPI_SOURCE, i), statuses(MPI_TAG, i), i = 1, 3)
    print *, 'none', statuses(MPI_SOURCE, 5) == none, statuses(MPI_TAG, 5) == MPI_ANY_TAG, &
      statuses(MPI_SOURCE, 4) == MPI_ANY_SOURCE, all(requests(1:5) == MPI_REQUEST_NULL)
    call MPI_Testany(5, requests, index, flag, status, ierr)
    print *, 'empty', flag, index == MPI_UNDEFINED
    call MPI_Probe(2, 40, MPI_COMM_WORLD, status, ierr)
    call MPI_Get_count(status, MPI_INTEGER, count, ierr)
    call MPI_Recv(values, 4, MPI_INTEGER, status(MPI_SOURCE), MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    print *, 'probed', count, status(MPI_TAG), values(1:2)
  else
    call MPI_Send(10 * rank, 1, MPI_INTEGER, 0, 7 + rank, MPI_COMM_WORLD, ierr)
    if (rank == 2) call MPI_Send([5, 6], 2, MPI_INTEGER, 0, 40, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, mod(rank + 1, nranks), 1, i, 1, MPI_INTEGER, mod(rank + 3, nranks), 1, &
    MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_Recv_init(values, 1, MPI_INTEGER, mod(rank + 3, nranks), 2, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Send_init(rank, 1, MPI_INTEGER, mod(rank + 1, nranks), 2, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Startall(2, requests, ierr)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  if (i /= values(1)) error stop 'ring'
  do i = 1, 2
    call MPI_Request_free(requests(i), ierr)
  end do

  ! Collectives.
  call MPI_Op_create(largest, .true., op, ierr)
  values = [rank, -rank, 3 - rank, 7]
  call MPI_Allreduce(MPI_IN_PLACE, values, 4, MPI_INTEGER, op, MPI_COMM_WORLD, ierr)
  call MPI_Op_free(op, ierr)
  pair = [abs(rank - 1.5d0), dble(rank)]
  call MPI_Reduce(pair, largest_pair, 1, MPI_2DOUBLE_PRECISION, MPI_MAXLOC, 0, MPI_COMM_WORLD, ierr)
  sums = 0
  sums(rank + 1) = rank + 1
  if (rank == 3) then
    call MPI_Reduce(MPI_IN_PLACE, sums, 4, MPI_INTEGER, MPI_SUM, 3, MPI_COMM_WORLD, ierr)
  else
    call MPI_Reduce(sums, sums, 4, MPI_INTEGER, MPI_SUM, 3, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Bcast(sums, 4, MPI_INTEGER, 3, MPI_COMM_WORLD, ierr)
  if (rank == 0) print *, 'reduced', values, largest_pair, op == MPI_OP_NULL, sums

  ! Communicators, groups, attributes, error handlers.
  call MPI_Comm_split(MPI_COMM_WORLD, merge(rank / 2, MPI_UNDEFINED, rank < 2 .or. rank == 3), -rank, half, ierr)
  if (rank == 2) then
    print *, 'undefined', half == MPI_COMM_NULL
  else if (rank < 2) then
    call MPI_Comm_create_keyval(copy, remove, key, 1_MPI_ADDRESS_KIND, ierr)
    call MPI_Comm_set_attr(half, key, 2_MPI_ADDRESS_KIND**33, ierr)
    call MPI_Comm_dup(half, i, ierr)
    call MPI_Comm_get_attr(i, key, attribute, flag, ierr)
    call MPI_Comm_compare(half, i, combiner, ierr)
    call MPI_Comm_free(i, ierr)
    call MPI_Comm_create_errhandler(handle, handler, ierr)
    call MPI_Comm_set_errhandler(half, handler, ierr)
    call MPI_Errhandler_free(handler, ierr)
    call MPI_Send(rank, 1, MPI_INTEGER, 17, 0, half, ierr)
    if (ierr == MPI_SUCCESS) error stop 'no error'
    call MPI_Comm_set_name(half, 'the half', ierr)
    call MPI_Comm_get_name(half, name, count, ierr)
    call MPI_Comm_rank(half, i, ierr)
    if (rank == 0) print *, 'half', i, flag, attribute - 2_MPI_ADDRESS_KIND**33, copied, removed, handled, &
      combiner == MPI_CONGRUENT, name(1:count), key /= MPI_KEYVAL_INVALID
    call MPI_Comm_free_keyval(key, ierr)
    if (rank == 0) print *, 'keys', key == MPI_KEYVAL_INVALID
  end if
  if (rank /= 2) call MPI_Comm_free(half, ierr)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, attribute, flag, ierr)
  if (.not. flag .or. attribute < 32767) error stop 'MPI_TAG_UB'
  call MPI_Comm_group(MPI_COMM_WORLD, group, ierr)
  call MPI_Group_incl(group, 2, [3, 1], i, ierr)
  ranks = [0, 1]
  call MPI_Group_translate_ranks(i, 2, ranks, group, others, ierr)
  call MPI_Group_free(i, ierr)
  call MPI_Group_free(group, ierr)

  ! Datatypes.
  call MPI_Type_vector(3, 1, 3, MPI_INTEGER, column, ierr)
  call MPI_Type_commit(column, ierr)
  call MPI_Type_get_envelope(column, n(1), n(2), n(3), combiner, ierr)
  matrix = 0
  if (rank == 1) matrix = reshape([1, 2, 3, 4, 5, 6, 7, 8, 9], [3, 3])
  call MPI_Bcast(matrix(2, 1), 1, column, 1, MPI_COMM_WORLD, ierr)
  call MPI_Type_free(column, ierr)
  call MPI_Get_address(sums, place, ierr)
  call MPI_Type_create_struct(1, [2], [place], [MPI_INTEGER], column, ierr)
  call MPI_Type_commit(column, ierr)
  if (rank == 2) sums(1:2) = [21, 22]
  call MPI_Bcast(MPI_BOTTOM, 1, column, 2, MPI_COMM_WORLD, ierr)
  call MPI_Type_free(column, ierr)
  if (rank == 0) print *, 'types', others, n, combiner == MPI_COMBINER_VECTOR, matrix(2, :), sums, &
    column == MPI_DATATYPE_NULL

  ! Topologies, files.
  neighbours = [mod(rank + 3, nranks), mod(rank + 1, nranks)]
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, neighbours(1:1), MPI_UNWEIGHTED, 1, neighbours(2:2), &
    MPI_UNWEIGHTED, MPI_INFO_NULL, .false., half, ierr)
  call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, i, 1, MPI_INTEGER, half, ierr)
  call MPI_Topo_test(half, count, ierr)
  call MPI_Comm_free(half, ierr)
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [4], [.false.], .false., half, ierr)
  call MPI_Cart_shift(half, 0, 1, ranks(1), ranks(2), ierr)
  call MPI_Comm_free(half, ierr)
  if (rank == 0) print *, 'topologies', i, count == MPI_DIST_GRAPH, ranks(1) == none, ranks(2)
  call MPI_File_open(MPI_COMM_WORLD, 'portable.data', ior(ior(MPI_MODE_CREATE, MPI_MODE_RDWR), &
    MPI_MODE_DELETE_ON_CLOSE), MPI_INFO_NULL, file, ierr)
  offset = 4 * rank
  call MPI_File_write_at_all(file, offset, rank + 30, 1, MPI_INTEGER, status, ierr)
  call MPI_Get_count(status, MPI_INTEGER, count, ierr)
  call MPI_File_seek(file, 8_MPI_OFFSET_KIND, MPI_SEEK_SET, ierr)
  call MPI_File_get_position(file, offset, ierr)
  call MPI_File_get_amode(file, i, ierr)
  call MPI_File_close(file, ierr)
  if (rank == 0) print *, 'file', count, offset, iand(i, MPI_MODE_RDWR) /= 0, file == MPI_FILE_NULL

  call MPI_Reduce(rank, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print *, 'passed', total
  call MPI_Finalize(ierr)
end program
