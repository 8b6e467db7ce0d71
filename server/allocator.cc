// The options of jemalloc, which the server is linked with (section TUNING of its manual).

extern "C" {

extern const char* const malloc_conf;
extern void (*const malloc_message)(void* opaque, const char* text);

/// One arena for each core, so that threads on the path of a move share none with those that avoid
/// the first core. Background threads return free memory to the system after some seconds; glibc's
/// allocator returns only the end of a heap.
const char* const malloc_conf =
    "percpu_arena:percpu,background_thread:true,dirty_decay_ms:3000,muzzy_decay_ms:0";

/// What jemalloc would print, past the log: that it could not start a background thread.
void (*const malloc_message)(void* opaque, const char* text) = [](void*, const char*) {};
}
