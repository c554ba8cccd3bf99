! SPDX-License-Identifier: MIT
! Names of services, in a program whose only names of functions are those of Fortran.
! ranks: 2
program services
  use mpi
  implicit none
  integer :: rank, ierr, got
  character(len=MPI_MAX_PORT_NAME) :: port, found
  integer :: other
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 0) then
    call MPI_Open_port(MPI_INFO_NULL, port, ierr)
    call MPI_Publish_name('a service', MPI_INFO_NULL, port, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, other, ierr)
    call MPI_Send(7, 1, MPI_INTEGER, 0, 0, other, ierr)
    call MPI_Unpublish_name('a service', MPI_INFO_NULL, port, ierr)
    call MPI_Close_port(port, ierr)
  else
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Lookup_name('a service', MPI_INFO_NULL, found, ierr)
    call MPI_Comm_connect(found, MPI_INFO_NULL, 0, MPI_COMM_SELF, other, ierr)
    call MPI_Recv(got, 1, MPI_INTEGER, 0, 0, other, MPI_STATUS_IGNORE, ierr)
    if (got /= 7) error stop 1
    print *, 'passed'
  end if
  call MPI_Comm_disconnect(other, ierr)
  call MPI_Finalize(ierr)
end program
