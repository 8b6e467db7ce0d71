#include "server/store/sqlite/checkpointer.h"

#include <utility>

namespace tesela::store {

void checkpoint(Connection& connection) {
  sqlite3_wal_checkpoint_v2(connection.handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr,
                            nullptr);
}

Checkpointer::Checkpointer(Connection connection)
    : connection_(std::move(connection)), thread_(&Checkpointer::run, this) {}

Checkpointer::~Checkpointer() {
  close();
}

void Checkpointer::begin() {
  if (under_way_) return;
  under_way_ = true;
  ended_ = false;
  wake_.release();
}

bool Checkpointer::has_ended() {
  if (!under_way_ || !ended_) return false;
  under_way_ = false;
  return true;
}

void Checkpointer::close() {
  if (!thread_.joinable()) return;
  ended_.wait(false);
  closing_ = true;
  wake_.release();
  thread_.join();
}

void Checkpointer::run() {
  while (true) {
    wake_.acquire();
    if (closing_) return;
    checkpoint(connection_);
    ended_ = true;
    ended_.notify_one();
  }
}

}  // namespace tesela::store
