#include "tests/server/net/echo_service.h"

#include <chrono>
#include <memory>
#include <string>

#include "server/base/text_encoding.h"

namespace tesela::test {
namespace {

using base::encode_base64;

// google.rpc.Status with one detail: Any{type_url: "type.googleapis.com/test.Detail", value:
// "\x08\x01"}.
std::string status_with_detail() {
  google::protobuf::Any detail;
  detail.set_type_url("type.googleapis.com/test.Detail");
  detail.set_value(std::string{"\x08\x01", 2});
  const std::string bytes = detail.SerializeAsString();
  return std::string{"\x1a"} + static_cast<char>(bytes.size()) + bytes;
}

grpc::Status failure(int code) {
  return {static_cast<grpc::StatusCode>(code), "a \"sentence\"", status_with_detail()};
}

class Hang final : public grpc::ServerUnaryReactor {
 public:
  explicit Hang(EchoService& service) : service_(service) { ++service_.hanging; }
  void OnCancel() override { Finish(grpc::Status::CANCELLED); }
  void OnDone() override {
    --service_.hanging;
    const std::unique_ptr<Hang> last{this};
  }

 private:
  EchoService& service_;
};

class Counting final : public grpc::ServerWriteReactor<v1::CountResponse> {
 public:
  Counting(EchoService& service, const v1::CountRequest& request)
      : service_(service), request_(request) {
    response_.set_text(std::string(request.text_size(), 'x'));
    go_on();
  }

  void OnWriteDone(bool ok) override {
    if (ok) {
      ++service_.written;
      go_on();
    } else {
      end(grpc::Status::CANCELLED);
    }
  }

  void OnCancel() override { end(grpc::Status::CANCELLED); }

  void OnDone() override {
    if (hangs_) --service_.hanging;
    const std::unique_ptr<Counting> last{this};
  }

 private:
  void go_on() {
    if (response_.number() < request_.messages()) {
      response_.set_number(response_.number() + 1);
      StartWrite(&response_);
    } else if (request_.hang()) {
      hangs_ = true;
      ++service_.hanging;
    } else {
      end(request_.fail_with() == 0 ? grpc::Status::OK : failure(request_.fail_with()));
    }
  }

  void end(const grpc::Status& status) {
    if (!ended_.exchange(true)) Finish(status);
  }

  EchoService& service_;
  const v1::CountRequest request_;
  v1::CountResponse response_;
  bool hangs_ = false;
  std::atomic<bool> ended_{false};
};

std::int64_t time_left_ms(const grpc::CallbackServerContext& context) {
  using namespace std::chrono;
  if (context.deadline() == system_clock::time_point::max()) return -1;
  return duration_cast<milliseconds>(context.deadline() - system_clock::now()).count();
}

}  // namespace

grpc::ServerUnaryReactor* EchoService::Say(grpc::CallbackServerContext* context,
                                           const v1::SayRequest* request,
                                           v1::SayResponse* response) {
  if (request->hang()) return std::make_unique<Hang>(*this).release();
  for (const auto& [name, value] : context->client_metadata()) {
    const std::string text{value.data(), value.size()};
    response->add_metadata(std::string{name.data(), name.size()} + "=" +
                           (name.ends_with("-bin") ? encode_base64(text) : text));
  }
  response->set_text(request->text());
  response->set_timeout_ms(time_left_ms(*context));
  if (request->has_extra()) *response->mutable_extra() = request->extra();
  context->AddInitialMetadata("x-lead", "first");
  context->AddTrailingMetadata("x-cost", "7");
  context->AddTrailingMetadata("x-raw-bin", std::string{"\x00\xff", 2});
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  reactor->Finish(request->fail_with() == 0 ? grpc::Status::OK : failure(request->fail_with()));
  return reactor;
}

grpc::ServerWriteReactor<v1::CountResponse>* EchoService::Count(
    grpc::CallbackServerContext* context, const v1::CountRequest* request) {
  context->AddInitialMetadata("x-lead", "first");
  context->AddTrailingMetadata("x-cost", "7");
  return std::make_unique<Counting>(*this, *request).release();
}

}  // namespace tesela::test
