// One thread of `tesela load`: its own io_context, its own connections, its own counts.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "clients/cli/load/load_connection.h"
#include "clients/cli/load/load_run.h"
#include "clients/cli/load/table_pool.h"

namespace tesela::cli {

class LoadWorker {
 public:
  struct Share {
    std::size_t connections = 0;
    std::string token;  // of the player at every table
    Endpoints endpoints;
  };

  /// Starts the thread, which opens its connections and follows `phase`, which outlives it.
  LoadWorker(const LoadOptions& options, Share share, const std::atomic<LoadPhase>& phase);
  /// Waits for the thread.
  ~LoadWorker();
  LoadWorker(const LoadWorker&) = delete;
  LoadWorker& operator=(const LoadWorker&) = delete;

  /// Ends the thread and waits for it; the phase must be kStop. Any thread but its own.
  void join();

  [[nodiscard]] const LoadCounters& counters() const { return counters_; }

 private:
  Task<void> open_all();
  Task<void> run_one(LoadConnection& connection);
  std::unique_ptr<LoadDialogue> make_dialogue();
  void hang_up();

  LoadOptions options_;
  Share share_;
  const std::atomic<LoadPhase>& phase_;
  LoadCounters counters_;
  boost::asio::io_context io_{1};
  TablePool pool_;
  std::vector<std::unique_ptr<LoadConnection>> connections_;
  std::thread thread_;
};

}  // namespace tesela::cli
