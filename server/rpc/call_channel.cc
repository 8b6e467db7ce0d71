#include "server/rpc/call_channel.h"

#include <future>
#include <utility>

namespace tesela::rpc {

struct CallChannel::Calls {
  ~Calls() { ended.set_value(); }
  Calls() = default;
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  std::promise<void> ended;
};

CallChannel::CallChannel(std::shared_ptr<grpc::Channel> channel)
    : stub_(std::move(channel)), calls_(std::make_shared<Calls>()) {}

CallChannel::~CallChannel() {
  const std::future<void> ended = calls_->ended.get_future();
  calls_.reset();
  ended.wait();
}

}  // namespace tesela::rpc
