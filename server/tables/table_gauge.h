// A live table among those that metrics count by state.
#pragma once

#include "server/metrics/metrics.h"
#include "server/store/store.h"

namespace tesela::tables {

/// Counts one table in one gauge at a time; until its end.
class TableGauge {
 public:
  explicit TableGauge(metrics::Metrics& metrics) : metrics_(metrics) {}
  TableGauge(const TableGauge&) = delete;
  TableGauge& operator=(const TableGauge&) = delete;
  ~TableGauge() { leave(); }

  /// Among the tables of its game and state, and no others.
  void count(const store::TableRow& row) {
    const bool waits = row.state == store::TableState::kOpen;
    const bool plays = row.state == store::TableState::kInPlay;
    leave();
    gauge_ = &metrics_.tables(row.game, waits ? "waiting" : plays ? "playing" : "finished");
    gauge_->Increment();
  }
  void leave() {
    if (gauge_ != nullptr) gauge_->Decrement();
    gauge_ = nullptr;
  }

 private:
  metrics::Metrics& metrics_;
  prometheus::Gauge* gauge_ = nullptr;
};

}  // namespace tesela::tables
