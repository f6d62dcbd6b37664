/*
 * One embedding model in LiteRT's native runtime (XNNPACK), as a process of its own: a crash in it ends this process and
 * no payment.
 *
 *   look LIBRARY MODEL THREADS
 *
 * It writes one line, `ready DTYPE SIZES DTYPE SIZES` (input, output; sizes as 1x224x224x3) or `failed WHAT`, and then, for
 * each picture on its input (the bytes of the input tensor), the bytes of the output tensor. It ends when its input ends.
 *
 * The library is `libLiteRt.so` 2.3.0 of the wheel `ai-edge-litert`. Its C interface is that of the headers under `litert/c`
 * of LiteRT (Apache-2.0); the names, numbers and layouts below are taken from there. Handles are pointers, a status of 0 is
 * success, and the layout of a tensor's type is called stable there.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_RANK 8
#define CPU 1
#define FLOAT32 1
#define INT32 2
#define UINT8 3

typedef void *Handle;
typedef int Status;

struct tensor_type {
  int32_t element;
  uint32_t rank : 7, has_strides : 1;
  int32_t sizes[MAX_RANK];
  uint32_t strides[MAX_RANK];
};
_Static_assert(sizeof(struct tensor_type) == 72, "the layout of LiteRtRankedTensorType");

/* The functions of the library that are called, by their names there. */
#define FUNCTIONS(F)                                                                                                    \
  F(LiteRtCreateEnvironment, int, const void *, Handle *)                                                               \
  F(LiteRtCreateModelFromFile, Handle, const char *, Handle *)                                                          \
  F(LiteRtCreateOptions, Handle *)                                                                                      \
  F(LiteRtSetOptionsHardwareAccelerators, Handle, int)                                                                  \
  F(LiteRtCreateOpaqueOptions, const char *, void *, void (*)(void *), Handle *)                                        \
  F(LiteRtAddOpaqueOptions, Handle, Handle)                                                                             \
  F(LiteRtCreateCompiledModel, Handle, Handle, Handle, Handle *)                                                        \
  F(LiteRtGetModelSubgraph, Handle, size_t, Handle *)                                                                   \
  F(LiteRtGetNumSubgraphInputs, Handle, size_t *)                                                                       \
  F(LiteRtGetNumSubgraphOutputs, Handle, size_t *)                                                                      \
  F(LiteRtGetSubgraphInput, Handle, size_t, Handle *)                                                                   \
  F(LiteRtGetSubgraphOutput, Handle, size_t, Handle *)                                                                  \
  F(LiteRtGetRankedTensorType, Handle, struct tensor_type *)                                                            \
  F(LiteRtGetCompiledModelInputBufferRequirements, Handle, size_t, size_t, Handle *)                                    \
  F(LiteRtGetCompiledModelOutputBufferRequirements, Handle, size_t, size_t, Handle *)                                   \
  F(LiteRtCreateManagedTensorBufferFromRequirements, Handle, const struct tensor_type *, Handle, Handle *)              \
  F(LiteRtGetTensorBufferHostMemory, Handle, void **)                                                                   \
  F(LiteRtRunCompiledModel, Handle, size_t, size_t, Handle *, size_t, Handle *)

#define DECLARE(name, ...) static Status (*name)(__VA_ARGS__);
FUNCTIONS(DECLARE)

/* Where answers go: what the library prints to the standard output must not come between them. */
static FILE *answers;

static void fail(const char *what, const char *why) {
  fprintf(answers, "failed %s: %s\n", what, why);
  fflush(answers);
  exit(1);
}

#define MUST(name, ...)                                                                                                 \
  do {                                                                                                                  \
    Status status = name(__VA_ARGS__);                                                                                  \
    char number[32];                                                                                                    \
    snprintf(number, sizeof number, "status %d", status);                                                               \
    if (status != 0) fail(#name, number);                                                                               \
  } while (0)

static void load(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) fail("dlopen", dlerror());
#define FIND(name, ...)                                                                                                 \
  *(void **)&name = dlsym(library, #name);                                                                              \
  if (name == NULL) fail("dlsym", #name);
  FUNCTIONS(FIND)
}

struct tensor {
  struct tensor_type type;
  Handle buffer;
  char *memory;
  size_t bytes;
};

static void measure(struct tensor *tensor, Handle handle) {
  size_t width = 0, count = 1;
  MUST(LiteRtGetRankedTensorType, handle, &tensor->type);
  if (tensor->type.element == UINT8) width = 1;
  if (tensor->type.element == INT32 || tensor->type.element == FLOAT32) width = 4;
  if (width == 0) fail("model", "a tensor is neither uint8 nor int32 nor float32");
  if (tensor->type.rank > MAX_RANK) fail("model", "a tensor has too many axes");
  for (uint32_t axis = 0; axis < tensor->type.rank; axis++) {
    if (tensor->type.sizes[axis] < 1) fail("model", "the size of a tensor is not fixed");
    count *= (size_t)tensor->type.sizes[axis];
  }
  tensor->bytes = count * width;
}

static void allocate(struct tensor *tensor, Handle environment, Handle requirements) {
  void *memory;
  MUST(LiteRtCreateManagedTensorBufferFromRequirements, environment, &tensor->type, requirements, &tensor->buffer);
  MUST(LiteRtGetTensorBufferHostMemory, tensor->buffer, &memory);
  tensor->memory = memory;
}

static void describe(const struct tensor *tensor) {
  const char *names[] = {[FLOAT32] = "float32", [INT32] = "int32", [UINT8] = "uint8"};
  fprintf(answers, " %s", names[tensor->type.element]);
  for (uint32_t axis = 0; axis < tensor->type.rank; axis++)
    fprintf(answers, "%c%d", axis == 0 ? ' ' : 'x', tensor->type.sizes[axis]);
}

/* All of the bytes, or 0 where the input ends before the first of them. */
static int take(char *to, size_t bytes) {
  for (size_t had = 0; had < bytes;) {
    ssize_t more = read(STDIN_FILENO, to + had, bytes - had);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) return 0;
    had += (size_t)more;
  }
  return 1;
}

int main(int count, char **arguments) {
  struct tensor input = {0}, output = {0};
  Handle environment, model, options, threads, compiled, graph, tensor, requirements;
  size_t inputs, outputs;
  char *setting = malloc(32); /* freed by the library */

  answers = fdopen(dup(STDOUT_FILENO), "w");
  if (answers == NULL || setting == NULL || count != 4) return 2;
  dup2(STDERR_FILENO, STDOUT_FILENO);
  snprintf(setting, 32, "num_threads = %.9s", arguments[3]); /* atoi would ask for glibc 2.38 where that is built with */

  load(arguments[1]);
  MUST(LiteRtCreateEnvironment, 0, NULL, &environment);
  MUST(LiteRtCreateModelFromFile, environment, arguments[2], &model);
  MUST(LiteRtGetModelSubgraph, model, 0, &graph);
  MUST(LiteRtGetNumSubgraphInputs, graph, &inputs);
  MUST(LiteRtGetNumSubgraphOutputs, graph, &outputs);
  if (inputs != 1 || outputs != 1) fail("model", "it has not exactly one input and one output");
  MUST(LiteRtGetSubgraphInput, graph, 0, &tensor);
  measure(&input, tensor);
  MUST(LiteRtGetSubgraphOutput, graph, 0, &tensor);
  measure(&output, tensor);

  MUST(LiteRtCreateOptions, &options);
  MUST(LiteRtSetOptionsHardwareAccelerators, options, CPU);
  MUST(LiteRtCreateOpaqueOptions, "xnnpack", setting, free, &threads);
  MUST(LiteRtAddOpaqueOptions, options, threads);
  MUST(LiteRtCreateCompiledModel, environment, model, options, &compiled);
  MUST(LiteRtGetCompiledModelInputBufferRequirements, compiled, 0, 0, &requirements);
  allocate(&input, environment, requirements);
  MUST(LiteRtGetCompiledModelOutputBufferRequirements, compiled, 0, 0, &requirements);
  allocate(&output, environment, requirements);

  fputs("ready", answers);
  describe(&input);
  describe(&output);
  fputc('\n', answers);
  while (fflush(answers) == 0 && take(input.memory, input.bytes)) {
    if (LiteRtRunCompiledModel(compiled, 0, 1, &input.buffer, 1, &output.buffer) != 0) return 1;
    if (fwrite(output.memory, 1, output.bytes, answers) != output.bytes) return 1;
  }
  return 0;
}
