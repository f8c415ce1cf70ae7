// SPDX-License-Identifier: MIT
// The entry points of programs compiled with --default-stream per-thread: the plain function, with
// stream 0 meaning cudaStreamPerThread.
#include "cudart/calls/call.hpp"
#include "cudart/streams/stream.hpp"

using namespace emu::cudart;

// cudaGetDriverEntryPoint is deprecated, but programs still call it.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define PER_THREAD(name, suffix, parameters, arguments) \
  EMU_API cudaError_t name##_##suffix parameters {      \
    PerThreadDefault scope;                             \
    return name arguments;                              \
  }

PER_THREAD(cudaMemcpy2D, ptds,
           (void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
            cudaMemcpyKind kind),
           (dst, dpitch, src, spitch, width, height, kind))
PER_THREAD(cudaMemcpy3DPeer, ptds, (const cudaMemcpy3DPeerParms* p), (p))
PER_THREAD(cudaMemcpy3D, ptds, (const cudaMemcpy3DParms* p), (p))
PER_THREAD(cudaMemcpyFromSymbol, ptds,
           (void* dst, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind),
           (dst, symbol, count, offset, kind))
PER_THREAD(cudaMemcpyToSymbol, ptds,
           (const void* symbol, const void* src, size_t count, size_t offset, cudaMemcpyKind kind),
           (symbol, src, count, offset, kind))
PER_THREAD(cudaMemcpy, ptds, (void* dst, const void* src, size_t count, cudaMemcpyKind kind),
           (dst, src, count, kind))
PER_THREAD(cudaMemset2D, ptds, (void* devPtr, size_t pitch, int value, size_t width, size_t height),
           (devPtr, pitch, value, width, height))
PER_THREAD(cudaMemset3D, ptds, (cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent),
           (pitchedDevPtr, value, extent))
PER_THREAD(cudaMemset, ptds, (void* devPtr, int value, size_t count), (devPtr, value, count))

PER_THREAD(cudaEventRecordWithFlags, ptsz,
           (cudaEvent_t event, cudaStream_t stream, unsigned int flags), (event, stream, flags))
PER_THREAD(cudaEventRecord, ptsz, (cudaEvent_t event, cudaStream_t stream), (event, stream))
PER_THREAD(cudaFreeAsync, ptsz, (void* devPtr, cudaStream_t hStream), (devPtr, hStream))
PER_THREAD(cudaGetDriverEntryPointByVersion, ptsz,
           (const char* symbol, void** funcPtr, unsigned int cudaVersion, unsigned long long flags,
            cudaDriverEntryPointQueryResult* driverStatus),
           (symbol, funcPtr, cudaVersion, flags, driverStatus))
PER_THREAD(cudaGetDriverEntryPoint, ptsz,
           (const char* symbol, void** funcPtr, unsigned long long flags,
            cudaDriverEntryPointQueryResult* driverStatus),
           (symbol, funcPtr, flags, driverStatus))
PER_THREAD(cudaGraphInstantiateWithParams, ptsz,
           (cudaGraphExec_t * pGraphExec, cudaGraph_t graph,
            cudaGraphInstantiateParams* instantiateParams),
           (pGraphExec, graph, instantiateParams))
PER_THREAD(cudaGraphLaunch, ptsz, (cudaGraphExec_t graphExec, cudaStream_t stream),
           (graphExec, stream))
PER_THREAD(cudaGraphUpload, ptsz, (cudaGraphExec_t graphExec, cudaStream_t stream),
           (graphExec, stream))
PER_THREAD(cudaLaunchHostFunc, ptsz, (cudaStream_t stream, cudaHostFn_t fn, void* userData),
           (stream, fn, userData))
PER_THREAD(cudaMallocAsync, ptsz, (void** devPtr, size_t size, cudaStream_t hStream),
           (devPtr, size, hStream))
PER_THREAD(cudaMallocFromPoolAsync, ptsz,
           (void** ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream),
           (ptr, size, memPool, stream))
PER_THREAD(cudaMemPrefetchAsync, ptsz,
           (const void* devPtr, size_t count, cudaMemLocation location, unsigned int flags,
            cudaStream_t stream),
           (devPtr, count, location, flags, stream))
PER_THREAD(cudaMemcpy2DAsync, ptsz,
           (void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
            cudaMemcpyKind kind, cudaStream_t stream),
           (dst, dpitch, src, spitch, width, height, kind, stream))
PER_THREAD(cudaMemcpy3DAsync, ptsz, (const cudaMemcpy3DParms* p, cudaStream_t stream), (p, stream))
PER_THREAD(cudaMemcpy3DPeerAsync, ptsz, (const cudaMemcpy3DPeerParms* p, cudaStream_t stream),
           (p, stream))
PER_THREAD(cudaMemcpyAsync, ptsz,
           (void* dst, const void* src, size_t count, cudaMemcpyKind kind, cudaStream_t stream),
           (dst, src, count, kind, stream))
PER_THREAD(cudaMemcpyBatchAsync, ptsz,
           (void* const* dsts, const void* const* srcs, const size_t* sizes, size_t count,
            cudaMemcpyAttributes* attrs, size_t* attrsIdxs, size_t numAttrs, cudaStream_t stream),
           (dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, stream))
PER_THREAD(cudaMemcpyFromSymbolAsync, ptsz,
           (void* dst, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind,
            cudaStream_t stream),
           (dst, symbol, count, offset, kind, stream))
PER_THREAD(cudaMemcpyToSymbolAsync, ptsz,
           (const void* symbol, const void* src, size_t count, size_t offset, cudaMemcpyKind kind,
            cudaStream_t stream),
           (symbol, src, count, offset, kind, stream))
PER_THREAD(cudaMemset2DAsync, ptsz,
           (void* devPtr, size_t pitch, int value, size_t width, size_t height,
            cudaStream_t stream),
           (devPtr, pitch, value, width, height, stream))
PER_THREAD(cudaMemset3DAsync, ptsz,
           (cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent, cudaStream_t stream),
           (pitchedDevPtr, value, extent, stream))
PER_THREAD(cudaMemsetAsync, ptsz, (void* devPtr, int value, size_t count, cudaStream_t stream),
           (devPtr, value, count, stream))
PER_THREAD(cudaStreamAddCallback, ptsz,
           (cudaStream_t stream, cudaStreamCallback_t callback, void* userData, unsigned int flags),
           (stream, callback, userData, flags))
PER_THREAD(cudaStreamAttachMemAsync, ptsz,
           (cudaStream_t stream, void* devPtr, size_t length, unsigned int flags),
           (stream, devPtr, length, flags))
PER_THREAD(cudaStreamBeginCaptureToGraph, ptsz,
           (cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
            const cudaGraphEdgeData* dependencyData, size_t numDependencies,
            cudaStreamCaptureMode mode),
           (stream, graph, dependencies, dependencyData, numDependencies, mode))
PER_THREAD(cudaStreamBeginCapture, ptsz, (cudaStream_t stream, cudaStreamCaptureMode mode),
           (stream, mode))
PER_THREAD(cudaStreamCopyAttributes, ptsz, (cudaStream_t dst, cudaStream_t src), (dst, src))
PER_THREAD(cudaStreamEndCapture, ptsz, (cudaStream_t stream, cudaGraph_t* pGraph), (stream, pGraph))
PER_THREAD(cudaStreamGetAttribute, ptsz,
           (cudaStream_t hStream, cudaLaunchAttributeID attr, cudaLaunchAttributeValue* value_out),
           (hStream, attr, value_out))
PER_THREAD(cudaStreamGetCaptureInfo, ptsz,
           (cudaStream_t stream, cudaStreamCaptureStatus* captureStatus_out,
            unsigned long long* id_out, cudaGraph_t* graph_out,
            const cudaGraphNode_t** dependencies_out, const cudaGraphEdgeData** edgeData_out,
            size_t* numDependencies_out),
           (stream, captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out,
            numDependencies_out))
PER_THREAD(cudaStreamGetDevice, ptsz, (cudaStream_t hStream, int* device), (hStream, device))
PER_THREAD(cudaStreamGetFlags, ptsz, (cudaStream_t hStream, unsigned int* flags), (hStream, flags))
PER_THREAD(cudaStreamGetId, ptsz, (cudaStream_t hStream, unsigned long long* streamId),
           (hStream, streamId))
PER_THREAD(cudaStreamGetPriority, ptsz, (cudaStream_t hStream, int* priority), (hStream, priority))
PER_THREAD(cudaStreamIsCapturing, ptsz,
           (cudaStream_t stream, cudaStreamCaptureStatus* pCaptureStatus), (stream, pCaptureStatus))
PER_THREAD(cudaStreamQuery, ptsz, (cudaStream_t stream), (stream))
PER_THREAD(cudaStreamSetAttribute, ptsz,
           (cudaStream_t hStream, cudaLaunchAttributeID attr,
            const cudaLaunchAttributeValue* value),
           (hStream, attr, value))
PER_THREAD(cudaStreamSynchronize, ptsz, (cudaStream_t stream), (stream))
PER_THREAD(cudaStreamUpdateCaptureDependencies, ptsz,
           (cudaStream_t stream, cudaGraphNode_t* dependencies,
            const cudaGraphEdgeData* dependencyData, size_t numDependencies, unsigned int flags),
           (stream, dependencies, dependencyData, numDependencies, flags))
PER_THREAD(cudaStreamWaitEvent, ptsz, (cudaStream_t stream, cudaEvent_t event, unsigned int flags),
           (stream, event, flags))
