/** How long clients may keep the one session, in milliseconds. */
export const LIMITS = {
  /** One statement of a client that asks for no limit, and the longest that it may ask for. */
  statement: 30_000,
  longestStatement: 12 * 3_600_000,
  /** A statement of the server's own: a checkpoint, the vacuum of a table. */
  ownStatement: 600_000,
  /** A transaction that was begun, and in which nothing is asked. */
  idleInTransaction: 10_000,
  /** A transaction from its beginning to its end, while others wait. */
  transaction: 300_000,
} as const

/**
 * The limit of a client's statements, by the `statement_timeout` that its startup packet has: milliseconds, as `pg` writes them. As PostgreSQL has it, 0 is
 * none; here it is the longest.
 */
export const statementLimit = (requestedMs: string | undefined): number => {
  const limit = requestedMs !== undefined && /^\d+$/.test(requestedMs) ? Number(requestedMs) : LIMITS.statement
  return limit === 0 ? LIMITS.longestStatement : Math.min(limit, LIMITS.longestStatement)
}
