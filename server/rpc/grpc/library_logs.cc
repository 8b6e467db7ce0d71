#include "server/rpc/grpc/library_logs.h"

#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>
#include <spdlog/spdlog.h>

#include <string>
#include <string_view>

#include "server/base/log/seldom_log.h"

namespace tesela::rpc {
namespace {

// A stranger's input can make the libraries log errors at any rate. For the operator of this server
// they are no errors.

void log_grpc(gpr_log_func_args* line) {
  // The last words before the library ends the process.
  if (std::string_view{line->message}.starts_with("assertion failed")) {
    spdlog::critical("gRPC: {}", line->message);
    return;
  }
  const auto level = line->severity == GPR_LOG_SEVERITY_ERROR  ? spdlog::level::warn
                     : line->severity == GPR_LOG_SEVERITY_INFO ? spdlog::level::info
                                                               : spdlog::level::debug;
  static base::SeldomLog lines;
  lines.log(level, "gRPC: {}", line->message);
}

void log_protobuf(google::protobuf::LogLevel severity, const char* /*file*/, int /*line*/,
                  const std::string& message) {
  if (severity == google::protobuf::LOGLEVEL_FATAL) {
    spdlog::critical("protobuf: {}", message);
    return;
  }
  static base::SeldomLog lines;
  const bool told = severity >= google::protobuf::LOGLEVEL_WARNING;
  lines.log(told ? spdlog::level::warn : spdlog::level::info, "protobuf: {}", message);
}

}  // namespace

void adopt_library_logs() {
  gpr_set_log_function(log_grpc);
  google::protobuf::SetLogHandler(log_protobuf);
}

}  // namespace tesela::rpc
