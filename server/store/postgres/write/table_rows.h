// The rows of a table: how they are inserted.
#pragma once

#include <optional>
#include <string>

#include "server/store/postgres/connection/pipeline.h"
#include "server/store/table_rows.h"

namespace tesela::store::postgres {

/// Inserts the first event of a table: its id, the epoch and the record.
inline constexpr const char* kAddFirstEvent =
    "INSERT INTO events (table_id, version, epoch, record) VALUES ($1, 1, $2, $3)";

/// Adds the statements that insert a table with epoch 1, its head, its first event and, with the
/// last statement, its seats.
void add_new_table(Pipeline& pipeline, const TableRow& table,
                   const std::optional<std::string>& first_record);
/// Adds the statement that inserts the seats of a table. It inserts no row for a seat whose player
/// does not exist or contradicts SeatRow::bot.
void add_seats(Pipeline& pipeline, const TableRow& table);
/// Adds the parameters result and ended_ms.
void add_ending(Query& query, const TableRow& table);

}  // namespace tesela::store::postgres
