/**
 * ClickHouse as the programs use it. Values are bound parameters (`{name: Type}` in the statement), never part of the
 * text.
 *
 * @example
 * const [row] = await analytics.query<{ events: number }>(
 *   "select count() as events from activity where workspace_id = {workspace: UUID}",
 *   { workspace: workspaceId },
 * )
 */
export interface Analytics {
  query<Row extends object>(statement: string, parameters?: Readonly<Record<string, unknown>>): Promise<Row[]>
  /**
   * Inserts one block. A repeated insert with the same `deduplicationToken` is ignored, in materialized views too.
   * Rejects with `unavailable` when ClickHouse is away.
   */
  insert(table: string, rows: readonly object[], deduplicationToken: string): Promise<void>
  /**
   * Removes the rows for which a condition holds; its values are bound as in `query`. Resolves once no query sees them.
   * Rejects with `unavailable` when ClickHouse is away.
   */
  remove(table: string, condition: string, parameters: Readonly<Record<string, unknown>>): Promise<void>
  /** Sets columns of these rows, each to an expression over the row. Resolves and rejects as `remove`. */
  rewrite(
    table: string,
    values: Readonly<Record<string, string>>,
    condition: string,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<void>
  ping(): Promise<void>
  close(): Promise<void>
}
