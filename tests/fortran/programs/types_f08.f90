! SPDX-License-Identifier: MIT
! Datatypes that fit arrays of other declarations: pairs, complex numbers, logicals, bytes, characters, derived types.
! ranks: 2
program main
  use mpi_f08
  implicit none
  type :: point
    sequence
    real(8) :: x, y
    integer :: number
  end type
  integer :: rank, pairs(2, 3), blocks(2)
  integer(8) :: long(4)
  real(4) :: singles(2, 4)
  complex(8) :: spectrum(3, 2)
  logical :: flags(5)
  character(7) :: word
  type(point) :: points(2)
  type(MPI_Datatype) :: column, of_point
  integer(MPI_ADDRESS_KIND) :: places(2)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  pairs = rank
  call MPI_Bcast(pairs, 3, MPI_2INTEGER, 0, MPI_COMM_WORLD)
  call MPI_Bcast(pairs(1, :), 3, MPI_INTEGER, 0, MPI_COMM_WORLD)
  long = rank
  call MPI_Bcast(long, 4, MPI_INTEGER8, 0, MPI_COMM_WORLD)
  call MPI_Bcast(long, 4, MPI_LONG_LONG, 0, MPI_COMM_WORLD)
  call MPI_Bcast(long, 32, MPI_BYTE, 0, MPI_COMM_WORLD)
  singles = rank
  call MPI_Type_vector(4, 1, 2, MPI_REAL, column)
  call MPI_Type_commit(column)
  call MPI_Bcast(singles, 1, column, 0, MPI_COMM_WORLD)
  call MPI_Bcast(singles(2, 1), 1, MPI_REAL4, 0, MPI_COMM_WORLD)
  call MPI_Type_free(column)
  spectrum = rank
  call MPI_Bcast(spectrum, 6, MPI_DOUBLE_COMPLEX, 0, MPI_COMM_WORLD)
  call MPI_Bcast(spectrum(2, :), 4, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
  flags = rank == 0
  call MPI_Bcast(flags, 5, MPI_LOGICAL, 0, MPI_COMM_WORLD)
  word = 'rank'
  call MPI_Bcast(word, len(word), MPI_CHARACTER, 0, MPI_COMM_WORLD)
  points = point(rank, rank, rank)
  blocks = [2, 1]
  call MPI_Get_address(points(1)%x, places(1))
  call MPI_Get_address(points(1)%number, places(2))
  places = places - places(1)
  call MPI_Type_create_struct(2, blocks, places, [MPI_DOUBLE_PRECISION, MPI_INTEGER], of_point)
  call MPI_Type_commit(of_point)
  call MPI_Bcast(points, 1, of_point, 0, MPI_COMM_WORLD)
  call MPI_Type_free(of_point)
  if (all(pairs == 0) .and. all(long == 0) .and. all(singles(1, :) == 0) .and. all(spectrum == 0) .and. &
      all(flags) .and. points(1)%number == 0) then
    if (rank == 0) print *, 'passed'
  end if
  call MPI_Finalize()
end program
