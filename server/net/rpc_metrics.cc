#include "server/net/rpc_metrics.h"

#include <string>

#include "server/net/connect_error.h"

namespace tesela::net {
namespace {

using grpc::experimental::InterceptionHookPoints;

class Counter final : public grpc::experimental::Interceptor {
 public:
  Counter(ops::Metrics& metrics, const char* method) : metrics_(metrics), method_(method) {}

  void Intercept(grpc::experimental::InterceptorBatchMethods* methods) override {
    if (methods->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_SEND_STATUS)) {
      const grpc::StatusCode code = methods->GetSendStatus().error_code();
      metrics_.rpcs(method_, connect_code(code)).Increment();
    }
    methods->Proceed();
  }

 private:
  ops::Metrics& metrics_;
  const std::string method_;
};

class Factory final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  explicit Factory(ops::Metrics& metrics) : metrics_(metrics) {}

  grpc::experimental::Interceptor* CreateServerInterceptor(
      grpc::experimental::ServerRpcInfo* info) override {
    return std::make_unique<Counter>(metrics_, info->method()).release();
  }

 private:
  ops::Metrics& metrics_;
};

}  // namespace

std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface> count_rpcs(
    ops::Metrics& metrics) {
  return std::make_unique<Factory>(metrics);
}

}  // namespace tesela::net
