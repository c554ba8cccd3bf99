// SPDX-License-Identifier: MIT
//
// Data traffic on a graph, with the sizes of the benchmark DT of the NAS Parallel Benchmarks. Each rank is a node. A
// source makes an array of features. Other nodes add up the arrays that they receive. Sinks add up the values.
//
// WH (white hole): a tree from one source to many sinks.
// BH (black hole): the same tree, from many sources to one sink.
// SH (shuffle):    layers of equal width; node j sends to nodes 2j and 2j+1 (modulo the width) of the next layer.
//
// Arrays of features are folded memory, so rehearse run keeps one of them for all ranks.
//
//   rehearse run -n 21 ./dt WH A
#include <mpi.h>
#include <rehearse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_layers = 16, most_links = 4, values_per_feature = 4 };

typedef struct {
  const char* name;
  int width;     /* sources of BH and SH, sinks of WH */
  long features; /* of an array */
} Class;

static const Class classes[] = {
    {"S", 4, 1728}, {"W", 8, 1728 * 8}, {"A", 16, 1728 * 64}, {"B", 32, 1728 * 512}, {"C", 64, 1728 * 4096}};

typedef struct {
  int layers, width[most_layers], first[most_layers + 1]; /* first node of each layer */
} Graph;

typedef struct {
  int from[most_links], in, to[most_links], out;
} Node;

static Graph graph_of(const char* kind, int width) {
  Graph graph = {0, {0}, {0}};
  int layers = 1, widths[most_layers] = {width};
  if (strcmp(kind, "SH") == 0) {
    for (int w = width; w > 1; w /= 2) widths[layers++] = width;
  } else {
    for (int w = width; w > 1; ++layers) widths[layers] = w = (w + 3) / 4;
  }
  graph.layers = layers;
  for (int l = 0; l < layers; ++l) {
    graph.width[l] = strcmp(kind, "WH") == 0 ? widths[layers - 1 - l] : widths[l];
    graph.first[l + 1] = graph.first[l] + graph.width[l];
  }
  return graph;
}

/* Whether node a of a layer sends to node b of the next one. */
static int are_linked(const char* kind, const Graph* graph, int layer, int a, int b) {
  const int width = graph->width[layer];
  if (strcmp(kind, "SH") == 0) return b == 2 * a % width || b == (2 * a + 1) % width;
  return strcmp(kind, "BH") == 0 ? a / 4 == b : b / 4 == a;
}

static Node node_of(const char* kind, const Graph* graph, int rank) {
  Node node = {{0}, 0, {0}, 0};
  int layer = 0;
  while (rank >= graph->first[layer + 1]) ++layer;
  const int me = rank - graph->first[layer];
  if (layer > 0)
    for (int a = 0; a < graph->width[layer - 1]; ++a)
      if (are_linked(kind, graph, layer - 1, a, me)) node.from[node.in++] = graph->first[layer - 1] + a;
  if (layer + 1 < graph->layers)
    for (int b = 0; b < graph->width[layer + 1]; ++b)
      if (are_linked(kind, graph, layer, me, b)) node.to[node.out++] = graph->first[layer + 1] + b;
  return node;
}

static void work(const Node* node, int rank, long features) {
  const int values = (int)(features * values_per_feature);
  const size_t bytes = (size_t)values * sizeof(double);
  double* sum = rehearse_shared_alloc(bytes, "features");
  double* input = node->in > 0 ? rehearse_shared_alloc(bytes, "features") : NULL;
  if (sum == NULL || (node->in > 0 && input == NULL)) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < values; ++i) sum[i] = node->in > 0 ? 0 : (double)((rank + i) % 1000);
  for (int k = 0; k < node->in; ++k) {
    MPI_Recv(input, values, MPI_DOUBLE, node->from[k], 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < values; ++i) sum[i] += input[i];
  }
  for (int k = 0; k < node->out; ++k) MPI_Send(sum, values, MPI_DOUBLE, node->to[k], 0, MPI_COMM_WORLD);
  double local = 0, all = 0;
  for (int i = 0; node->out == 0 && i < values; ++i) local += sum[i];
  MPI_Reduce(&local, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("sum of the sinks: %.0f\n", all);
  rehearse_shared_free(sum);
  if (input != NULL) rehearse_shared_free(input);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* kind = argc > 1 ? argv[1] : "";
  const Class* class = NULL;
  for (size_t i = 0; argc > 2 && i < sizeof classes / sizeof classes[0]; ++i)
    if (strcmp(argv[2], classes[i].name) == 0) class = &classes[i];
  if (class == NULL || (strcmp(kind, "WH") != 0 && strcmp(kind, "BH") != 0 && strcmp(kind, "SH") != 0)) {
    if (rank == 0) fprintf(stderr, "usage: dt WH|BH|SH S|W|A|B|C [FEATURES]\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const Graph graph = graph_of(kind, class->width);
  const int nodes = graph.first[graph.layers];
  const long features = argc > 3 ? atol(argv[3]) : class->features;
  if (nodes != ranks || features < 1) {
    if (rank == 0)
      fprintf(stderr, "dt: graph %s of class %s has %d nodes, and there are %d ranks\n", kind, argv[2], nodes, ranks);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const Node node = node_of(kind, &graph, rank);
  work(&node, rank, features);
  MPI_Finalize();
  return 0;
}
