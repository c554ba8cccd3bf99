! SPDX-License-Identifier: MIT
!
! The part of the module mpi that omp_kernels.f90 needs, for one process without an MPI library: nothing is sent.
module mpi
  implicit none
  integer, parameter :: MPI_COMM_WORLD = 1, MPI_SUM = 1, MPI_INTEGER8 = 8, MPI_DOUBLE_PRECISION = 8
  integer, parameter :: MPI_DATATYPE_NULL = 0, MPI_PROC_NULL = -1, MPI_THREAD_FUNNELED = 1
  integer, parameter :: MPI_IN_PLACE = 0, MPI_STATUS_IGNORE = 0
  interface MPI_Allreduce
    module procedure add_counts, add_number
  end interface
contains
  subroutine MPI_Init_thread(wanted, provided, ierror)
    integer, intent(in) :: wanted
    integer, intent(out) :: provided, ierror
    provided = wanted
    ierror = 0
  end subroutine

  subroutine MPI_Finalize(ierror)
    integer, intent(out) :: ierror
    ierror = 0
  end subroutine

  subroutine MPI_Comm_rank(comm, rank, ierror)
    integer, intent(in) :: comm
    integer, intent(out) :: rank, ierror
    rank = 0
    ierror = merge(0, 1, comm == MPI_COMM_WORLD)
  end subroutine

  subroutine MPI_Comm_size(comm, ranks, ierror)
    integer, intent(in) :: comm
    integer, intent(out) :: ranks, ierror
    ranks = 1
    ierror = merge(0, 1, comm == MPI_COMM_WORLD)
  end subroutine

  subroutine add_counts(from, to, count, datatype, op, comm, ierror)
    integer, intent(in) :: count, datatype, op, comm
    integer(8), intent(in) :: from(count)
    integer(8), intent(out) :: to(count)
    integer, intent(out) :: ierror
    to = from
    ierror = merge(0, 1, datatype == MPI_INTEGER8 .and. op == MPI_SUM .and. comm == MPI_COMM_WORLD)
  end subroutine

  subroutine add_number(from, to, count, datatype, op, comm, ierror)
    integer, intent(in) :: count, datatype, op, comm
    real(8), intent(in) :: from
    real(8), intent(out) :: to
    integer, intent(out) :: ierror
    to = from
    ierror = merge(0, 1, count == 1 .and. datatype == MPI_DOUBLE_PRECISION .and. op == MPI_SUM .and. comm == MPI_COMM_WORLD)
  end subroutine

  ! In place, so that nothing is to be done.
  subroutine MPI_Allgather(from, from_count, from_type, to, to_count, to_type, comm, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: from, to
    integer :: from(*), to(*)
    integer, intent(in) :: from_count, from_type, to_count, to_type, comm
    integer, intent(out) :: ierror
    ierror = merge(0, 1, from_count == 0 .and. from_type == MPI_DATATYPE_NULL .and. to_count > 0 .and. &
                   to_type == MPI_DOUBLE_PRECISION .and. comm == MPI_COMM_WORLD)
  end subroutine

  ! There is no neighbour.
  subroutine MPI_Sendrecv(from, from_count, from_type, destination, from_tag, to, to_count, to_type, source, to_tag, &
                          comm, status, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: from, to
    integer :: from(*), to(*)
    integer, intent(in) :: from_count, from_type, destination, from_tag, to_count, to_type, source, to_tag, comm, status
    integer, intent(out) :: ierror
    ierror = merge(0, 1, destination == MPI_PROC_NULL .and. source == MPI_PROC_NULL)
  end subroutine
end module
