// Makes live tables of stored ones.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/base/loop.h"
#include "server/directory/directory.h"
#include "server/directory/loading.h"
#include "server/directory/table_claims.h"
#include "server/quota/admission_control.h"
#include "server/replay/aside.h"
#include "server/store/table_rows.h"
#include "server/tables/core/freeze.h"
#include "server/tables/table.h"

namespace tesela::directory {

/// Any thread; a table is loaded on its own context.
class TableLoader {
 public:
  struct Parts {
    const Directory::Parts& directory;
    TableClaims& claims;
    quota::TableQuotas& quotas;
    replay::Aside aside;
    /// Told each change of a live table's row.
    std::function<void(const store::TableRow& row)> changed;
  };

  /// Where a table lives.
  struct Place {
    base::Loop& loop;
    tables::Freeze& freeze;
  };

  /// What `parts` refers to outlives it and its tables.
  explicit TableLoader(Parts parts) : parts_(std::move(parts)) {}

  /// Claims a table and executes its log. `loading` must live until the coroutine ends, and says
  /// how urgent that is. The quota `from` is charged for it. If it fails, the table is given up
  /// again. Errors: those of Directory::open.
  boost::asio::awaitable<Expected<std::shared_ptr<tables::Table>>> load(Place place, TableId id,
                                                                        Loading& loading,
                                                                        quota::QuotaPtr from);

 private:
  using LoadedTable = Expected<std::shared_ptr<tables::Table>>;

  boost::asio::awaitable<LoadedTable> load_owned(Place place, TableId id, Epoch epoch,
                                                 Loading& loading, quota::QuotaPtr from);

  Parts parts_;
};

}  // namespace tesela::directory
