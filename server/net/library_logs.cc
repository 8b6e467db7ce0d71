#include "server/net/library_logs.h"

#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <string>

#include "server/net/limits.h"
#include "server/net/rate.h"

namespace tesela::net {
namespace {

void log_grpc(gpr_log_func_args* line) {
  const auto level = line->severity == GPR_LOG_SEVERITY_ERROR  ? spdlog::level::err
                     : line->severity == GPR_LOG_SEVERITY_INFO ? spdlog::level::info
                                                               : spdlog::level::debug;
  // What a stranger sends may make it say something, as often as they like.
  static Budget lines;
  if (!lines.take({.interval = limits::kStrangerLogPause}, std::chrono::steady_clock::now())) {
    return;
  }
  spdlog::log(level, "gRPC: {}", line->message);
}

void log_protobuf(google::protobuf::LogLevel severity, const char* /*file*/, int /*line*/,
                  const std::string& message) {
  const auto level = severity >= google::protobuf::LOGLEVEL_ERROR     ? spdlog::level::err
                     : severity == google::protobuf::LOGLEVEL_WARNING ? spdlog::level::warn
                                                                      : spdlog::level::info;
  spdlog::log(level, "protobuf: {}", message);
}

}  // namespace

void adopt_library_logs() {
  gpr_set_log_function(log_grpc);
  google::protobuf::SetLogHandler(log_protobuf);
}

}  // namespace tesela::net
