// What gRPC and protobuf have to say goes where our own lines go, at most at level warn and once
// each limits::kStrangerLogPause.
#pragma once

namespace tesela::rpc {

/// For the whole process, from now on. Call it before gRPC is used.
void adopt_library_logs();

}  // namespace tesela::rpc
