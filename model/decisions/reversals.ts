import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, DecisionId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { RoadmapPosition } from '../roadmap/roadmap.ts'
import type { FieldChange, SolutionFields } from '../solutions/change-solution.ts'

/** Condition: an undo took back the change that a row of `decision_objects` describes. */
const takenBack = (row: string): string => `exists (
  select from changed_rows as kept join changes on changes.id = kept.change_id
  where kept.workspace_id = ${row}.workspace_id and kept.table_name = 'decision_objects'
    and kept.key = jsonb_build_object('id', ${row}.id)::text and changes.undone_by is not null)`

const CHANGES = `
  select object_id as id, change from decision_objects
  where decision_id = $1 and object_kind = $2 and change <> '{}' and not ${takenBack('decision_objects')}
  order by decision_objects.id desc`

interface MadeChange {
  readonly id: string
  readonly change: Readonly<Record<string, unknown>>
}

/** A Decision's changes of objects of a kind, without those that were taken back, last first. */
export const changesMade = (
  transaction: Transaction,
  decisionId: string,
  kind: 'solution' | 'strategy_element',
): Promise<MadeChange[]> => transaction.query<MadeChange>(CHANGES, [decisionId, kind])

const DECIDED_SINCE = `
  with own as (
    select object_kind, object_id, min(id) as first from decision_objects
    where not ${takenBack('decision_objects')} and decision_id = $1 and object_kind = $2 and object_id = $3
    group by object_kind, object_id
  )
  select max(decisions.number) as number
  from own
    join decision_objects later using (object_kind, object_id)
    join decisions on decisions.id = later.decision_id
  where later.id > own.first and later.decision_id <> $1 and later.change <> '{}'
    and not later.change ? 'undoes' and not ${takenBack('later')}
    and ($4::text is null or later.change ? $4)
    and not exists (
      select from decision_reversals where decision_reversals.decision_id = decisions.id or reversal_id = decisions.id)`

/**
 * Number of the last Decision that changed an object, or one of its fields, after another Decision did, without changes
 * that were taken back; null without one.
 */
export const decidedSince = async (
  transaction: Transaction,
  decisionId: string,
  { kind, id, field = null }: { readonly kind: string; readonly id: string; readonly field?: string | null },
): Promise<number | null> =>
  (await transaction.query<{ number: number | null }>(DECIDED_SINCE, [decisionId, kind, id, field]))[0]?.number ?? null

const WITHDRAW = `update handoffs set withdrawn_at = $2 where decision_id = $1 and withdrawn_at is null`
const HAND_OFF_AGAIN = `update handoffs set withdrawn_at = null where decision_id = $1`

const MARK = `
  insert into decision_reversals (workspace_id, decision_id, reversal_id, reversed_at) values ($1, $2, $3, $4)`

const UNMARK = `delete from decision_reversals where reversal_id = $1 returning decision_id`

/**
 * Marks a Decision as reversed by another one and withdraws its handoffs. When it was a reversal itself, the Decision
 * that it had reversed stands again. Rejects with `conflict` when another call has just reversed it.
 */
export const markReversed = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  { decisionId, reversalId, at }: { readonly decisionId: string; readonly reversalId: DecisionId; readonly at: Date },
): Promise<void> => {
  for (const restored of await transaction.query<{ decision_id: DecisionId }>(UNMARK, [decisionId])) {
    await transaction.query(HAND_OFF_AGAIN, [restored.decision_id])
  }
  await transaction.query(WITHDRAW, [decisionId, at])
  await transaction.query(MARK, [workspaceId, decisionId, reversalId, at])
}

/** Decisions of `$1` that changed nothing beside signals and claims, and of whose changes in Triage none stands. */
const UNDONE_IN_TRIAGE = `
  select id from decisions where id = any ($1::uuid[])
    and not exists (select from decision_reversals where decision_reversals.decision_id = decisions.id)
    and not exists (select from merges where merges.decision_id = decisions.id and undone_at is null)
    and not exists (
      select from merge_proposals
      where merge_proposals.decision_id = decisions.id and state = 'refused' and not implied)
    and not exists (
      select from decision_objects as made where made.decision_id = decisions.id and made.change <> '{}' and case
        when made.object_kind not in ('signal', 'claim') then true
        when made.object_kind = 'claim' or not made.change ? 'triage' or made.change ->> 'triage' = 'pull_out' then false
        else not exists (
          select from decision_objects as undoing
          where undoing.object_kind = 'signal' and undoing.object_id = made.object_id
            and undoing.change ->> 'undoes' = made.decision_id::text)
        end)`

/**
 * Marks the Decisions of which an undo in Triage left nothing. A Decision that such an undo reversed stays reversed
 * when the undo is undone: its merges are proposed again, and not made again.
 */
export const markUndoneInTriage = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  {
    decisionIds,
    reversalId,
    at,
  }: { readonly decisionIds: readonly string[]; readonly reversalId: DecisionId; readonly at: Date },
): Promise<void> => {
  for (const { id } of await transaction.query<{ id: DecisionId }>(UNDONE_IN_TRIAGE, [decisionIds]))
    await transaction.query(MARK, [workspaceId, id, reversalId, at])
}

const SETTLED_BY = `
  select decision_id from merges where id = any ($1::uuid[]) and decision_id is not null
  union select decision_id from merge_proposals where id = any ($2::uuid[]) and decision_id is not null`

/** The Decisions that made these merges and refused these proposals. */
export const decisionsThatSettled = async (
  transaction: Transaction,
  merges: readonly string[],
  proposals: readonly string[],
): Promise<readonly string[]> =>
  (await transaction.query<{ decision_id: string }>(SETTLED_BY, [merges, proposals])).map(row => row.decision_id)

const RANK_TAKEN = `
  select number, manual_rank from solutions
  where manual_rank = any ($1::integer[]) and id <> all ($2::uuid[]) order by manual_rank limit 1`

/** A Solution outside of `except` with one of the ranks; undefined when they are free. */
export const rankTaken = async (
  transaction: Transaction,
  ranks: readonly number[],
  except: readonly string[],
): Promise<{ readonly number: number; readonly manual_rank: number } | undefined> =>
  (await transaction.query<{ number: number; manual_rank: number }>(RANK_TAKEN, [ranks, except]))[0]

/** A Solution as it is, with one Decision's changes of it, last first. */
interface Reversible {
  readonly fields: SolutionFields
  readonly claims: readonly ClaimId[]
  readonly changes: readonly Readonly<Record<string, unknown>>[]
  /** Reference of a later Decision that placed the Solution on the roadmap and stands. */
  readonly placedSince: string | null
}

export interface Reversal {
  /** Fields before the Decision, where they differ. */
  readonly wanted: Partial<SolutionFields>
  readonly link: readonly ClaimId[]
  readonly unlink: readonly ClaimId[]
  /** Earlier place on the roadmap, null for none; absent when the Decision did not change the place. */
  readonly place?: RoadmapPosition | null
  /** True when the Decision handed the Solution off; the handoff is withdrawn. */
  readonly withdraws: boolean
  /** Later changes, in sentences. With any of them nothing is undone. */
  readonly obstacles: readonly string[]
  /** Names of parts of the change that are not undone here. */
  readonly left: readonly string[]
}

const FIELDS = [
  'title',
  'summary',
  'state',
  'manual_rank',
  'priority_boost',
] as const satisfies readonly (keyof SolutionFields)[]
/** Keys of a change that need no undo, or have one of their own. */
const BESIDE = new Set<string>([
  ...FIELDS,
  'added_claim_ids',
  'removed_claim_ids',
  'handoff',
  'created',
  'claim_ids',
  'comment',
  'carried_out_by',
  'reverses',
  'undoes',
  'roadmap',
  // Changes of the strategy element, which are undone there.
  'linked_strategy',
  'unlinked_strategy',
])

/**
 * Computes the Solution before the changes, from the last to the first. A created Solution becomes dropped, and loses
 * the claims that it was created for.
 */
export const planReversal = ({ fields, claims, changes, placedSince }: Reversible): Reversal => {
  const now = new Map<string, unknown>(Object.entries(fields))
  const answered = new Set(claims)
  const obstacles: string[] = []
  const left = new Set<string>()
  let place: RoadmapPosition | null | undefined
  for (const change of changes) {
    for (const field of FIELDS) {
      const changed = fieldChange(change, field)
      if (changed === null) continue
      if (now.get(field) === changed.to) now.set(field, changed.from)
      else obstacles.push(`its ${field} was changed since, from ${shown(changed.to)} to ${shown(now.get(field))}`)
    }
    const placed = fieldChange(change, 'roadmap')
    // This service alone writes Decisions, with places.
    if (placed !== null) place = placed.from as RoadmapPosition | null
    for (const claim of idsOf(change.added_claim_ids)) {
      if (!answered.delete(claim)) obstacles.push('a claim that was added was taken off or merged since')
    }
    for (const claim of idsOf(change.removed_claim_ids)) {
      if (answered.has(claim)) obstacles.push('a claim that was taken off was added again since')
      answered.add(claim)
    }
    if (change.created === true) for (const claim of idsOf(change.claim_ids)) answered.delete(claim)
    for (const name of Object.keys(change)) if (!BESIDE.has(name)) left.add(name)
  }
  if (place !== undefined && placedSince !== null)
    obstacles.push(`it was placed on the roadmap by ${placedSince} since`)
  const state = now.get('state')
  if (place && (state === 'Done' || state === 'Dropped')) {
    obstacles.push(`it is ${state}, and the roadmap takes what is still to be done`)
  }
  return {
    wanted: Object.fromEntries(
      FIELDS.filter(field => now.get(field) !== fields[field]).map(field => [field, now.get(field)]),
    ),
    link: [...answered].filter(claim => !claims.includes(claim)),
    unlink: claims.filter(claim => !answered.has(claim)),
    ...(place !== undefined && { place }),
    withdraws: changes.some(change => 'handoff' in change),
    obstacles,
    left: [...left],
  }
}

const fieldChange = (change: Readonly<Record<string, unknown>>, field: string): FieldChange | null => {
  if (field === 'state' && change.created === true) return { from: 'Dropped', to: 'Backlog' }
  const changed = change[field]
  return typeof changed === 'object' && changed !== null && 'from' in changed && 'to' in changed ? changed : null
}

// This service alone writes Decisions, with ids of claims.
const idsOf = (ids: unknown): readonly ClaimId[] => (Array.isArray(ids) ? (ids as ClaimId[]) : [])

const MAX_SHOWN = 60

const shown = (value: unknown): string => JSON.stringify(value ?? null).slice(0, MAX_SHOWN)
