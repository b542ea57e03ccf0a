/**
 * ClickHouse as the programs see it. Values travel as bound parameters (`{name: Type}` in the statement), never in the
 * text.
 */
export interface Analytics {
  query<Row extends object>(statement: string, parameters?: Readonly<Record<string, unknown>>): Promise<Row[]>
  /**
   * Inserts one block. The same `deduplicationToken` inserts once, however often it is sent; reaches materialized views
   * alike. Rejects with `unavailable` when ClickHouse is away.
   */
  insert(table: string, rows: readonly object[], deduplicationToken: string): Promise<void>
  /**
   * Removes the rows of a table that a condition holds for, whose values are bound as in `query`. Resolves once no
   * query sees them. Rejects with `unavailable` when ClickHouse is away.
   */
  remove(table: string, condition: string, parameters: Readonly<Record<string, unknown>>): Promise<void>
  /** Gives columns of these rows new values, each an expression over the row. Resolves and rejects as `remove`. */
  rewrite(
    table: string,
    values: Readonly<Record<string, string>>,
    condition: string,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<void>
  ping(): Promise<void>
  close(): Promise<void>
}
