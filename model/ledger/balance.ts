import type { WorkspaceLedger } from './ledger.ts'

/**
 * `balanced`: what was received is what ended, the same ids in both stores, nothing twice. `in_progress`: not yet, and some of it has
 * not ended. `unbalanced`: it never will by itself.
 */
export type Verdict = 'balanced' | 'in_progress' | 'unbalanced'

/** What no work that is still to be done can put right. */
const brokenIn = (ledger: WorkspaceLedger): readonly string[] => [
  ...(ledger.ended_twice > 0 ? [`${ledger.ended_twice} ids are a signal and an occurrence at once`] : []),
  ...(ledger.recorded_twice > 0 ? [`${ledger.recorded_twice} events are in ClickHouse more than once`] : []),
  ...(ledger.without_receipt > 0 ? [`${ledger.without_receipt} signals ended and have no receipt`] : []),
]

/** What is so while signals are on their way, and wrong when none is. */
const openIn = (ledger: WorkspaceLedger): readonly string[] => [
  ...(ledger.erasing > 0 ? [`${ledger.erasing} signals are being erased`] : []),
  ...(ledger.in_progress > 0 ? [`${ledger.in_progress} signals have come to no end`] : []),
  ...ledger.differences.map(({ end }) => {
    const { postgres, clickhouse } = ledger[end]
    return `${end}: ${postgres} in Postgres, ${clickhouse} in ClickHouse, not the same ids`
  }),
]

export interface Balance {
  readonly verdict: Verdict
  /** What keeps the ledgers from balancing, each with its workspace. */
  readonly reasons: readonly string[]
}

/**
 * Judges ledgers. `isQuiet` says whether nothing waits on the log: then nothing will still change, and open accounts are wrong too.
 * Null when nobody could look there: then open accounts count as on their way.
 */
export const balanceOf = (ledgers: readonly WorkspaceLedger[], isIdle: boolean | null): Balance => {
  const problems = (says: (ledger: WorkspaceLedger) => readonly string[]): readonly string[] =>
    ledgers.flatMap(ledger => says(ledger).map(what => `${ledger.workspace_id}: ${what}`))
  const broken = problems(brokenIn)
  const open = problems(openIn)
  const reasons = [...broken, ...open]
  if (reasons.length === 0) return { verdict: 'balanced', reasons }
  const isWorkedOn = isIdle !== true || ledgers.some(({ erasing }) => erasing > 0)
  return { verdict: broken.length === 0 && isWorkedOn ? 'in_progress' : 'unbalanced', reasons }
}
