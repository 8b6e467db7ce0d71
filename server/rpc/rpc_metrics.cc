#include "server/rpc/rpc_metrics.h"

#include <string>

#include "server/rpc/connect_error.h"
#include "server/rpc/rpc_methods.h"

namespace tesela::rpc {
namespace {

using grpc::experimental::InterceptionHookPoints;

class Counter final : public grpc::experimental::Interceptor {
 public:
  Counter(metrics::Metrics& metrics, const char* path)
      : metrics_(metrics), method_(rpc_label(path)) {}

  void Intercept(grpc::experimental::InterceptorBatchMethods* methods) override {
    if (methods->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_SEND_STATUS)) {
      grpc::Status status = methods->GetSendStatus();
      // Every method that exists is there: gRPC says this when it cannot read the message.
      if (method_ != kUnknownRpc && status.error_code() == grpc::StatusCode::UNIMPLEMENTED &&
          status.error_message().empty()) {
        status = {grpc::StatusCode::INVALID_ARGUMENT,
                  "The message is not what " + method_ + " takes, in protobuf."};
        methods->ModifySendStatus(status);
      }
      metrics_.rpcs(method_, connect_code(status.error_code())).Increment();
    }
    methods->Proceed();
  }

 private:
  metrics::Metrics& metrics_;
  const std::string method_;
};

class Factory final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  explicit Factory(metrics::Metrics& metrics) : metrics_(metrics) {}

  grpc::experimental::Interceptor* CreateServerInterceptor(
      grpc::experimental::ServerRpcInfo* info) override {
    return std::make_unique<Counter>(metrics_, info->method()).release();
  }

 private:
  metrics::Metrics& metrics_;
};

}  // namespace

std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface> count_rpcs(
    metrics::Metrics& metrics) {
  return std::make_unique<Factory>(metrics);
}

}  // namespace tesela::rpc
