import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { newId, type SolutionId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { reference, type SolutionState } from '../../schemas/domain/vocabulary.ts'
import { dismissSilentClaims } from '../claims/follow-evidence.ts'
import { nextNumber } from '../references/next-numbers.ts'

const INSERT_SOLUTION = `
  insert into solutions (id, workspace_id, number, title, summary, priority_boost, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $7)`

const LINK_CLAIMS = `
  insert into solution_claims (workspace_id, solution_id, claim_id)
  select $1, $2, claim_id from unnest($3::uuid[]) as claim_id
  on conflict do nothing`

const UNLINK_CLAIMS = `delete from solution_claims where solution_id = $1 and claim_id = any ($2::uuid[])`

/** Puts a new Solution on the Backlog with the claims of `claimIds`. The caller logs its Decision. */
export const insertSolution = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  solution: {
    readonly title: string
    readonly summary: string
    readonly priorityBoost: number
    readonly claimIds: readonly string[]
    readonly at: Date
  },
): Promise<{ readonly id: SolutionId; readonly number: number }> => {
  const id = newId<SolutionId>()
  const number = await nextNumber(transaction, 'solution', workspaceId)
  const { title, summary, priorityBoost, at } = solution
  await transaction.query(INSERT_SOLUTION, [id, workspaceId, number, title, summary, priorityBoost, at])
  await linkClaims(transaction, workspaceId, id, solution.claimIds)
  return { id, number }
}

/** Adds claims to a Solution. */
export const linkClaims = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  solutionId: string,
  claimIds: readonly string[],
): Promise<void> => {
  if (claimIds.length > 0) await transaction.query(LINK_CLAIMS, [workspaceId, solutionId, claimIds])
}

/** Removes claims from a Solution, and dismisses those that have dismissed signals alone. */
export const unlinkClaims = async (
  transaction: Transaction,
  solutionId: string,
  claimIds: readonly string[],
): Promise<void> => {
  if (claimIds.length === 0) return
  await transaction.query(UNLINK_CLAIMS, [solutionId, claimIds])
  await dismissSilentClaims(transaction, claimIds)
}

/** Fields of a Solution that a Decision changes. */
export interface SolutionFields {
  readonly title: string
  readonly summary: string
  readonly state: SolutionState
  readonly manual_rank: number | null
  readonly priority_boost: number
}

export interface SolutionRow extends SolutionFields {
  readonly id: SolutionId
  readonly number: number
  readonly version: number
}

const LOCK_SOLUTION = `
  select id, number, title, summary, state, manual_rank, priority_boost, version
  from solutions where id = $1 for update`

/**
 * Reads a Solution and locks it until the transaction ends. Throws `not_found`, and `conflict` with the current
 * Solution when the caller has read another version.
 */
export const lockSolution = async (
  transaction: Transaction,
  id: string,
  readVersion: number | undefined,
): Promise<SolutionRow> => {
  const [solution] = await transaction.query<SolutionRow>(LOCK_SOLUTION, [id])
  if (solution === undefined) throw new AssayError('not_found', 'The Solution is not there any more.')
  if (readVersion !== undefined && readVersion !== solution.version) {
    const name = reference('solution', solution.number)
    throw new AssayError(
      'conflict',
      `${name} has changed: you read version ${readVersion}, it is at ${solution.version}. Nothing was written. Decide again on what it is now.`,
      { context: { current: { ...solution, reference: name } } },
    )
  }
  return solution
}

export interface FieldChange {
  readonly from: unknown
  readonly to: unknown
}

/** The fields in which `wanted` differs from the Solution. */
export const changesOf = (
  solution: SolutionRow,
  wanted: Partial<SolutionFields>,
): Readonly<Record<string, FieldChange>> =>
  Object.fromEntries(
    Object.entries(wanted)
      .map(([field, to]) => [field, { from: solution[field as keyof SolutionFields], to }] as const)
      .filter(([, change]) => change.to !== undefined && change.from !== change.to),
  )

const UPDATE_SOLUTION = `
  update solutions
  set title = $2, summary = $3, state = $4, manual_rank = $5, priority_boost = $6, version = version + 1, updated_at = $7
  where id = $1`

/** Stores a locked Solution's new fields as its next version. The caller has checked the move and logs the Decision. */
export const storeSolution = async (
  transaction: Transaction,
  solution: SolutionRow,
  wanted: Partial<SolutionFields>,
  at: Date,
): Promise<void> => {
  const { title, summary, state, manual_rank, priority_boost } = { ...solution, ...wanted }
  await transaction.query(UPDATE_SOLUTION, [solution.id, title, summary, state, manual_rank, priority_boost, at])
}

const MAKE_ROOM = `
  update solutions
  set manual_rank = manual_rank + cardinality($1::uuid[]), version = version + 1, updated_at = $3
  where manual_rank >= $2 and id <> all ($1)
    and exists (
      select from solutions
      where manual_rank >= $2 and manual_rank < $2 + cardinality($1::uuid[]) and id <> all ($1))
  returning id, manual_rank`

/**
 * Frees the ranks from `rank` on: when one is taken, its Solution and all behind it move back. Answers the moved
 * Solutions.
 */
export const shiftRanksFrom = (
  transaction: Transaction,
  solutionIds: readonly string[],
  rank: number,
  at: Date,
): Promise<{ id: SolutionId; manual_rank: number }[]> => transaction.query(MAKE_ROOM, [solutionIds, rank, at])

/** RICE figures of an earlier prioritization, kept for audits and for estimates of effort. No order uses them. */
interface Rice {
  readonly reach: number | null
  readonly impact: number | null
  readonly confidence: number | null
  readonly effort: number | null
}

const READ = `select reach, impact, confidence, effort from solutions where id = $1`
const WRITE = `update solutions set reach = $2, impact = $3, confidence = $4, effort = $5 where id = $1`

const NONE: Rice = { reach: null, impact: null, confidence: null, effort: null }

export const readRice = async (transaction: Transaction, solutionId: string): Promise<Rice> =>
  (await transaction.query<Rice>(READ, [solutionId]))[0] ?? NONE

/** Sets the given figures of a locked Solution. Answers the old and new values, or null when nothing changes. */
export const setRice = async (
  transaction: Transaction,
  solutionId: string,
  given: Partial<Rice>,
): Promise<{ readonly from: Rice; readonly to: Rice } | null> => {
  const from = await readRice(transaction, solutionId)
  const to = { ...from, ...given }
  if (JSON.stringify(from) === JSON.stringify(to)) return null
  await transaction.query(WRITE, [solutionId, to.reach, to.impact, to.confidence, to.effort])
  return { from, to }
}
