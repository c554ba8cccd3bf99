! SPDX-License-Identifier: MIT
! The module mpi: derived types at MPI_BOTTOM, operators, topologies, lists of handles, strings, memory, sizes.
! ranks: 4
module numbers
  implicit none
  type :: pair
    integer :: n
    double precision :: x
  end type
contains
  subroutine add_pairs(in, inout, length, datatype)
    integer :: length, datatype, i
    type(pair) :: in(length), inout(length)
    do i = 1, length
      inout(i)%n = inout(i)%n + in(i)%n
      inout(i)%x = inout(i)%x + in(i)%x
    end do
    if (datatype == 0) error stop 'no datatype'
  end subroutine
end module

program main
  use mpi
  use numbers
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: rank, nranks, ierr, grid, cart, row, op, kind_of_pair, info, length, request, i, size_of
  integer :: types(4), counts(4), places(4), sent(4), got(4), requests(8), coords(2), dims(2), handles(2)
  integer(MPI_ADDRESS_KIND) :: displacements(2), lower, extent, base
  logical :: periods(2), remain(2), flag
  type(pair) :: mine(2), total(2)
  character(len=12) :: name
  character(len=30) :: value
  integer, pointer :: memory(:)
  type(c_ptr) :: pointer_to_memory
  complex(8) :: z
  call MPI_Init_thread(MPI_THREAD_FUNNELED, i, ierr)
  call require(i >= MPI_THREAD_FUNNELED, 1)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)

  call MPI_Get_address(mine(1)%n, displacements(1), ierr)
  call MPI_Get_address(mine(1)%x, displacements(2), ierr)
  base = displacements(1)
  call MPI_Type_create_struct(2, [1, 1], displacements - base, [MPI_INTEGER, MPI_DOUBLE_PRECISION], i, ierr)
  extent = storage_size(mine(1)) / 8
  call MPI_Type_create_resized(i, 0_MPI_ADDRESS_KIND, extent, kind_of_pair, ierr)
  call MPI_Type_free(i, ierr)
  call MPI_Type_commit(kind_of_pair, ierr)
  call MPI_Type_get_extent(kind_of_pair, lower, extent, ierr)
  call require(lower == 0 .and. extent == 16, 2)
  call MPI_Op_create(add_pairs, .true., op, ierr)
  mine%n = [rank, 1]
  mine%x = [0.5d0, 1d0 * rank]
  call MPI_Allreduce(mine, total, 2, kind_of_pair, op, MPI_COMM_WORLD, ierr)
  call require(total(1)%n == 6 .and. total(2)%n == 4 .and. total(1)%x == 2d0 .and. total(2)%x == 6d0, 3)
  call MPI_Op_free(op, ierr)
  call MPI_Type_free(kind_of_pair, ierr)

  call MPI_Type_create_struct(1, [1], [base], [MPI_INTEGER], i, ierr)
  call MPI_Type_commit(i, ierr)
  mine(1)%n = 10 * rank
  call MPI_Bcast(MPI_BOTTOM, 1, i, 2, MPI_COMM_WORLD, ierr)
  call require(mine(1)%n == 20, 4)
  call MPI_Type_free(i, ierr)

  dims = 0
  call MPI_Dims_create(nranks, 2, dims, ierr)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], .false., cart, ierr)
  call MPI_Cart_get(cart, 2, dims, periods, coords, ierr)
  call require(all(dims == 2) .and. periods(1) .and. .not. periods(2), 5)
  remain = [.false., .true.]
  call MPI_Cart_sub(cart, remain, row, ierr)
  call MPI_Comm_size(row, grid, ierr)
  call require(grid == 2, 6)
  call MPI_Comm_set_name(row, 'a row', ierr)
  name = 'xxxxxxxxxxxx'
  call MPI_Comm_get_name(row, name, length, ierr)
  call require(name == 'a row' .and. length == 5, 7)
  call MPI_Comm_free(row, ierr)
  call MPI_Comm_free(cart, ierr)

  types = MPI_INTEGER
  counts = 1
  places = [0, 4, 8, 12]
  sent = 10 * rank + [0, 1, 2, 3]
  call MPI_Alltoallw(sent, counts, places, types, got, counts, places, types, MPI_COMM_WORLD, ierr)
  call require(all(got == [0, 10, 20, 30] + rank), 8)
  do i = 0, nranks - 1
    call MPI_Irecv(got(i + 1), 1, MPI_INTEGER, i, 0, MPI_COMM_WORLD, requests(i + 1), ierr)
  end do
  do i = 0, nranks - 1
    call MPI_Isend(rank, 1, MPI_INTEGER, i, 0, MPI_COMM_WORLD, requests(nranks + i + 1), ierr)
  end do
  call MPI_Waitall(2 * nranks, requests, MPI_STATUSES_IGNORE, ierr)
  call require(all(requests == MPI_REQUEST_NULL) .and. all(got == [0, 1, 2, 3]), 9)

  call MPI_Info_create(info, ierr)
  call MPI_Info_set(info, ' key ', '  a value ', ierr)
  value = 'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy'
  call MPI_Info_get(info, 'key', 30, value, flag, ierr)
  call require(flag .and. value == 'a value', 10)
  length = 30
  value = ' '
  call MPI_Info_get_string(info, 'key  ', length, value, flag, ierr)
  call require(flag .and. value == 'a value' .and. length == 7, 11)
  call MPI_Info_get(info, 'none', 30, value, flag, ierr)
  call require(.not. flag, 12)
  call MPI_Info_free(info, ierr)

  call MPI_Alloc_mem(40_MPI_ADDRESS_KIND, MPI_INFO_NULL, pointer_to_memory, ierr)
  call c_f_pointer(pointer_to_memory, memory, [10])
  memory = rank
  call require(sum(memory) == 10 * rank, 13)
  call MPI_Free_mem(memory, ierr)
  call MPI_Sizeof(z, size_of, ierr)
  call require(size_of == 16, 14)
  call MPI_Sizeof(got, size_of, ierr)
  call require(size_of == 4, 15)

  call MPI_Send_init(rank, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_SELF, request, ierr)
  call MPI_Start(request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call require(request /= MPI_REQUEST_NULL, 16)
  call MPI_Request_free(request, ierr)
  call MPI_Comm_group(MPI_COMM_WORLD, handles(1), ierr)
  call MPI_Group_incl(handles(1), 2, [2, 0], handles(2), ierr)
  call MPI_Group_rank(handles(2), i, ierr)
  call require(i == merge(0, merge(1, MPI_UNDEFINED, rank == 0), rank == 2), 17)
  call MPI_Group_free(handles(1), ierr)
  call MPI_Group_free(handles(2), ierr)
  if (rank == 0) print *, 'passed'
  call MPI_Finalize(ierr)
contains
  subroutine require(is_right, number)
    logical, intent(in) :: is_right
    integer, intent(in) :: number
    if (is_right) return
    print *, 'failed', number, 'on', rank
    error stop
  end subroutine
end program
