// SPDX-License-Identifier: MIT
//
// Handles of every kind as integers and back: predefined ones keep their values, others get a number of their own.
// ranks: 1
#include <assert.h>
#include <mpi.h>

#define FIXED(X, handle, value) \
  assert(MPI_##X##_toint(handle) == (value) && MPI_##X##_fromint(value) == (handle) && \
         MPI_##X##_c2f(handle) == (value) && MPI_##X##_f2c(value) == (handle))
#define MADE(X, handle) \
  assert(MPI_##X##_toint(handle) >= 0x1000 && MPI_##X##_fromint(MPI_##X##_toint(handle)) == (handle) && \
         MPI_##X##_f2c(MPI_##X##_c2f(handle)) == (handle))

static void predefined(void) {
  FIXED(Comm, MPI_COMM_NULL, 0x100);
  FIXED(Comm, MPI_COMM_WORLD, 0x101);
  FIXED(Errhandler, MPI_ERRORS_RETURN, MPI_Errhandler_toint(MPI_ERRORS_RETURN));
  FIXED(File, MPI_FILE_NULL, 0x118);
  FIXED(Group, MPI_GROUP_EMPTY, 0x109);
  FIXED(Info, MPI_INFO_ENV, 0x131);
  FIXED(Message, MPI_MESSAGE_NO_PROC, 0x129);
  FIXED(Op, MPI_SUM, 0x21);
  FIXED(Request, MPI_REQUEST_NULL, 0x180);
  FIXED(Session, MPI_SESSION_NULL, 0x120);
  FIXED(Type, MPI_INT, 0x209);
  FIXED(Win, MPI_WIN_NULL, 0x110);
}

static void sum(void* in, void* out, int* n, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *n; ++i) ((int*)out)[i] += ((int*)in)[i];
}

static void made(void) {
  int data = 3;
  MPI_Comm comm;
  MPI_Errhandler handler;
  MPI_Group group;
  MPI_Info info;
  MPI_Message message;
  MPI_Op op;
  MPI_Request request;
  MPI_Session session;
  MPI_Datatype type;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_group(comm, &group);
  MPI_Info_create(&info);
  MPI_Op_create(sum, 1, &op);
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Session_get_errhandler(session, &handler);
  assert(handler == MPI_ERRORS_RETURN);
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Isend(&data, 1, MPI_INT, 0, 0, comm, &request);
  MPI_Mprobe(0, 0, comm, &message, MPI_STATUS_IGNORE);
  MADE(Comm, comm);
  MADE(Group, group);
  MADE(Info, info);
  MADE(Message, message);
  MADE(Op, op);
  MADE(Request, request);
  MADE(Session, session);
  MADE(Type, type);
  int received;
  MPI_Mrecv(&received, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&type);
  MPI_Session_finalize(&session);
  MPI_Op_free(&op);
  MPI_Info_free(&info);
  MPI_Group_free(&group);
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  predefined();
  made();
  MPI_Finalize();
  return 0;
}
