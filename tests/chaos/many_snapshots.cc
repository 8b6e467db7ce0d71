// tesela-server with a snapshot of every fourth version, so that the crash test meets many of them.
#include <csignal>
#include <exception>
#include <iostream>
#include <string>

#include "server/app/server.h"
#include "server/ops/config.h"
#include "server/ops/logging.h"

int main(int argc, char** argv) {
  // Before any thread starts, so that the signals wait for sigwait.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  auto config = tesela::ops::read_config(argc, argv);
  if (!config) {
    std::cerr << config.error().text;
    return config.error().code;
  }
  config->snapshot_events = 4;
  tesela::ops::start_logging(config->log_format, config->log_level);
  try {
    tesela::Server server(*config);
    int signal = 0;
    sigwait(&signals, &signal);
    server.stop();
  } catch (const std::exception& failure) {
    std::cerr << "cannot serve: " << failure.what() << '\n';
    return 1;
  }
  return 0;
}
