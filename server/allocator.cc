// How jemalloc, which the server is linked with, keeps memory; its manual's section TUNING has the
// options.

extern "C" {

extern const char* const malloc_conf;

/// One arena for each core: the threads that a move waits for share none with those that leave them
/// the first core. What is free goes back to the system after some seconds, by threads of
/// jemalloc's own: glibc's allocator gives back the end of a heap alone.
const char* const malloc_conf =
    "percpu_arena:percpu,background_thread:true,dirty_decay_ms:3000,muzzy_decay_ms:0";
}
