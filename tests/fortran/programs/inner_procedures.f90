! SPDX-License-Identifier: MIT
! Procedures inside of the program as callbacks, which need executable stacks; units, namelists and random numbers.
! ranks: 2
program main
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: rank, calls, sums(2), unit, n, ios
  type(MPI_Op) :: op
  namelist /settings/ n
  real :: r
  character(len=40) :: line
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  calls = 0
  call MPI_Op_create(add, .true., op)
  sums = [1, rank]
  call MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INTEGER, op, MPI_COMM_WORLD)
  call MPI_Op_free(op)
  if (any(sums /= [2, 1])) error stop 'sums'
  call apply(twice)
  if (n /= 2 * rank) error stop 'inner procedure'
  open(newunit=unit, status='scratch')
  n = 42 + rank
  write(unit, nml=settings)
  rewind(unit)
  n = 0
  read(unit, nml=settings, iostat=ios)
  if (ios /= 0 .or. n /= 42 + rank) error stop 'namelist'
  close(unit)
  call random_number(r)
  write(line, '(f6.3, i4)') r, rank
  if (rank == 0) print *, 'passed'
  call MPI_Finalize()
contains
  subroutine add(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    b = a + b
    calls = calls + 1
  end subroutine
  subroutine twice(x)
    integer, intent(out) :: x
    x = 2 * rank
  end subroutine
  subroutine apply(f)
    interface
      subroutine f(x)
        integer, intent(out) :: x
      end subroutine
    end interface
    call f(n)
  end subroutine
end program
