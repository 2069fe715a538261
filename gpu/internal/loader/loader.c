// The OpenCL calls of go-opencl, found when the first of them is made instead of
// when the program starts, so that one binary computes on devices where OpenCL is
// installed and starts, and computes on cores, where it is not.
//
// `make loader` builds this as a static libOpenCL.a with an OpenCL.pc, and
// release builds link it through PKG_CONFIG_PATH. Every call is a jump through a
// slot. clGetPlatformIDs, without which nothing else has anything to work on,
// opens libOpenCL.so.1 and fills the slots; a library that lacks one of the calls
// is not taken. Nothing is closed again: drivers do not all survive that.
//
// Tested by .ci/release, with a loader and without.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// NO_LOADER is what clGetPlatformIDs answers when there is no libOpenCL.so.1:
// out of the range of OpenCL's own codes. gpu/opencl.go knows it by this number.
#define NO_LOADER (-2001)

// CALLS are what go-opencl refers to; one that is missing fails to link.
#define CALLS(CALL) \
	CALL(clBuildProgram) CALL(clCreateBuffer) CALL(clCreateCommandQueue) CALL(clCreateContext) \
	CALL(clCreateImage) CALL(clCreateKernel) CALL(clCreateProgramWithSource) CALL(clCreateUserEvent) \
	CALL(clEnqueueBarrierWithWaitList) CALL(clEnqueueCopyBuffer) CALL(clEnqueueFillBuffer) \
	CALL(clEnqueueMapBuffer) CALL(clEnqueueMapImage) CALL(clEnqueueMarkerWithWaitList) \
	CALL(clEnqueueNDRangeKernel) CALL(clEnqueueReadBuffer) CALL(clEnqueueReadImage) CALL(clEnqueueTask) \
	CALL(clEnqueueUnmapMemObject) CALL(clEnqueueWriteBuffer) CALL(clEnqueueWriteImage) CALL(clFinish) \
	CALL(clGetDeviceIDs) CALL(clGetDeviceInfo) CALL(clGetEventProfilingInfo) CALL(clGetKernelArgInfo) \
	CALL(clGetKernelInfo) CALL(clGetKernelWorkGroupInfo) CALL(clGetPlatformInfo) CALL(clGetProgramBuildInfo) \
	CALL(clGetSupportedImageFormats) CALL(clReleaseCommandQueue) CALL(clReleaseContext) CALL(clReleaseEvent) \
	CALL(clReleaseKernel) CALL(clReleaseMemObject) CALL(clReleaseProgram) CALL(clSetKernelArg) \
	CALL(clSetUserEventStatus) CALL(clWaitForEvents)

// A jump leaves the arguments and the way back as they are, so none has to be
// spelled out, whatever the call's signature.
#if defined(__x86_64__)
#define JUMP(name) "jmp *slot_" #name "(%rip)\n"
#elif defined(__aarch64__)
#define JUMP(name) "adrp x16, slot_" #name "\nldr x16, [x16, #:lo12:slot_" #name "]\nbr x16\n"
#else
#error "no jump is written for this architecture: link the system's libOpenCL"
#endif

#define CALL(name) \
	__attribute__((visibility("hidden"), used)) void *slot_##name; \
	__asm__(".text\n.globl " #name "\n.type " #name ", %function\n" #name ":\n" JUMP(name));
CALLS(CALL)
#undef CALL

static const struct { const char *name; void **slot; } calls[] = {
#define CALL(name) {#name, &slot_##name},
	CALLS(CALL)
#undef CALL
};

typedef int (*platform_ids)(unsigned, void *, unsigned *);
static platform_ids get_platform_ids;

// take fills the slots from a library, all or none.
static void take(const char *path) {
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (library == NULL)
		return;
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if ((*calls[i].slot = dlsym(library, calls[i].name)) == NULL)
			return;
	get_platform_ids = (platform_ids)dlsym(library, "clGetPlatformIDs");
}

// find takes the system's loader; else one beside the executable, or where a
// Python wheel puts it, below the folder that holds bin.
static void find(void) {
	static const char *const places[] = {"libOpenCL.so.1", "../lib/bcstage/libOpenCL.so.1"};
	char executable[PATH_MAX], path[PATH_MAX + 64];
	take("libOpenCL.so.1");
	ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
	if (length <= 0)
		return;
	executable[length] = '\0';
	*strrchr(executable, '/') = '\0';
	for (size_t i = 0; i < sizeof places / sizeof *places && get_platform_ids == NULL; i++) {
		snprintf(path, sizeof path, "%s/%s", executable, places[i]);
		take(path);
	}
}

int clGetPlatformIDs(unsigned entries, void *platforms, unsigned *count) {
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, find);
	return get_platform_ids == NULL ? NO_LOADER : get_platform_ids(entries, platforms, count);
}
