import assert from 'node:assert/strict'
import type { Database, Transaction } from '../../../../infra/postgres/port.ts'
import { isAssayError } from '../../../../infra/runtime/errors.ts'
import { eraseHistory, eraseSignals } from '../../../../model/erasures/erase-signals.ts'
import { findPromotedRepeats, promoteRepeats } from '../../../../model/erasures/promoted-repeats.ts'
import { lockWorkspaces } from '../../../../model/signals/scope.ts'
import { newId, type SignalId } from '../../../../schemas/domain/ids.ts'
import type { Workspace } from '../../testing.ts'
import { brokenFact, type Differences, type Facts, isForeseen, Model } from './model.testing.ts'
import { type Answered, type Change, MOVES, type Move, NothingThere, type Plan, type Walk } from './moves.testing.ts'

/** Start of every walk. */
export type Start = Pick<Walk, 'signals' | 'solution'> & { readonly claims: readonly string[] }

/**
 * A claim of two signals, one attached by a judge, with a Solution; another claim of two; a claim of one; a signal
 * without a claim; and a repeat of the first signal.
 */
export const makeStart = async (
  workspace: Workspace,
  sql: (statement: string, values: readonly unknown[]) => Promise<unknown>,
): Promise<Start> => {
  const signals = []
  for (const said of ['Export hangs.', 'The export stops.', 'Slow search.', 'Search is slow.', 'Dark mode, please.'])
    signals.push(await workspace.signal({ text: said }))
  signals.push(await workspace.signal({ text: 'How do I export?', classification: 'question' }))
  const [one, two, three, four, five] = signals
  assert.ok(one && two && three && four && five)
  const claims = [
    await workspace.claim('Exports hang', [one, two]),
    await workspace.claim('Search is slow', [three, four]),
    await workspace.claim('Dark mode', [five]),
  ]
  const [first] = claims
  await sql(`update claim_evidence set attached_by = 'judge' where signal_id = any ($1::uuid[])`, [[two.id, four.id]])
  await workspace.occurrence(one.id)
  const { data } = await workspace.run('create_solution', {
    title: 'Export in parts',
    claim_ids: [first?.id],
    comment: 'The team agreed on it.',
  })
  // Answers have any shape.
  const { solution } = data as { readonly solution: { readonly id: string } }
  return {
    signals: signals.map(({ id }) => id),
    claims: claims.map(({ id }) => id),
    solution: solution.id,
  }
}

/** A walk's access to a workspace. */
export interface Means {
  readonly workspace: Workspace
  /** The operations' database. */
  readonly database: Database
  readonly facts: () => Promise<Facts>
}

export const beginWalk = async (start: Start, { facts }: Pick<Means, 'facts'>): Promise<Walk> => ({
  ...start,
  claims: [...start.claims],
  model: new Model(await facts()),
  changes: [],
  isUndisturbed: false,
})

/** A copy of the walk, to continue in another way. */
export const copyOf = ({ model, claims, changes, ...rest }: Walk): Walk => ({
  ...rest,
  model: new Model(model.facts),
  claims: [...claims],
  changes: changes.map(change => ({ ...change })),
})

/** Null for a refusal. */
export type Answer = { readonly data: Answered; readonly changeId: string | null } | null

/** Result of a step, for counting. */
export type Outcome = 'accepted' | 'refused'

const REFUSALS: ReadonlySet<string> = new Set(['conflict', 'not_found', 'invalid_input'])

/** Makes a move; a repetition under the same key gets the first answer. */
export const carryOut = async (
  { workspace, database }: Means,
  { operation, input }: Plan,
  key?: string,
): Promise<Answer> => {
  try {
    if (operation === null) {
      const erased = await erase(database, workspace, String(input.signal_id))
      return erased && { data: erased, changeId: null }
    }
    const { data, meta } = await workspace.run(operation, { ...input }, key)
    return { data: JSON.parse(JSON.stringify(data)), changeId: meta.change_id ?? null }
  } catch (error) {
    // A constraint violation of the database is no refusal.
    if (isAssayError(error) && REFUSALS.has(error.code) && !/conflicts with what is stored/.test(error.message))
      return null
    throw error
  }
}

/** Copies the facts that the model does not foresee. */
export const adopt = ({ model }: Walk, stored: Facts): void => {
  for (const [name, value] of stored) if (!isForeseen(name)) model.set(name, value)
}

/** Lets the model follow an accepted move. Throws `Impossible` when the model forbids it. */
export const follow = (walk: Walk, move: Move, plan: Plan, answer: NonNullable<Answer>, stored: Facts): void => {
  const { effects = [], merged = [], undoes = null } = MOVES[move.kind].follow(walk, plan.input, answer.data)
  adopt(walk, stored)
  const differences: Differences = walk.model.takeDifferences()
  walk.isUndisturbed = answer.changeId !== null
  if (answer.changeId === null) return
  const decision = answer.data.decision?.id ?? null
  const change: Change = { id: answer.changeId, differences, decision, effects, merged, undoes }
  walk.changes.push(change)
}

/**
 * Makes one step and compares. A refusal changes nothing, an acceptance changes the model's facts; in both cases no
 * evidence may be lost.
 */
export const step = async (walk: Walk, means: Means, move: Move): Promise<Outcome> => {
  const last = walk.changes.at(-1)
  const plan = planned(walk, move)
  if (plan === null) return 'refused'
  const answer = await carryOut(means, plan)
  const stored = await means.facts()
  if (answer !== null) follow(walk, move, plan, answer, stored)
  assert.deepEqual(sortedFacts(stored), sortedFacts(walk.model.facts), 'The database says what the model says.')
  assert.equal(brokenFact(stored), null)
  if (answer === null && last !== undefined && walk.isUndisturbed && plan.input.change_id === last.id)
    assert.ok(isTakenOut(last), 'What was done last can be taken back.')
  return answer === null ? 'refused' : 'accepted'
}

/** Null when the workspace has no object for the move. */
export const planned = (walk: Walk, move: Move): Plan | null => {
  try {
    return MOVES[move.kind].plan(walk, move)
  } catch (error) {
    if (error instanceof NothingThere) return null
    throw error
  }
}

/** A repeat that went back to its original must be taken out by hand. */
const isTakenOut = ({ differences }: Change): boolean => [...differences.keys()].some(name => name.startsWith('taken '))

const sortedFacts = (facts: Facts) =>
  Object.fromEntries([...facts].toSorted(([one], [other]) => (one < other ? -1 : 1)))

/** True when the database agrees with the model, apart from facts that the model does not foresee. */
export const factsAreThoseOf = ({ facts }: Model, stored: Facts): boolean => {
  const foreseen = (all: Facts) => [...all].filter(([name]) => isForeseen(name))
  return (
    foreseen(facts).length === foreseen(stored).length &&
    foreseen(facts).every(([name, value]) => stored.get(name) === value)
  )
}

/** Effects of an erasure whose answer was lost; undefined for any other plan. */
export const missedErasure = ({ model }: Walk, { operation, input }: Plan, stored: Facts): Answer | undefined => {
  if (operation !== null) return undefined
  const repeats = model.under('repeat').flatMap(([repeat, of]) => (of === input.signal_id ? [repeat] : []))
  const isRow = (signal: string) => model.get(`state ${signal}`) !== undefined
  const heir = repeats.find(repeat => isRow(repeat) && stored.get(`repeat ${repeat}`) === undefined) ?? null
  const erased = [String(input.signal_id), ...repeats.filter(repeat => !isRow(repeat))]
  return { data: { erased, heir }, changeId: null }
}

const ITEMS = `insert into erasure_items (workspace_id, erasure_id, signal_id) select $1, $2, unnest($3::uuid[])`
const BEGIN = `
  insert into erasures (id, workspace_id, what, asked_by, asked_by_name) values ($1, $2, 'signal', $1, 'Owner')`

/** Erases a signal with the repeats that the pipeline found, like the job; null when the signal is gone. */
const erase = async (
  database: Database,
  { id: workspaceId }: Workspace,
  signal: string,
): Promise<{ readonly erased: readonly string[]; readonly heir: string | null } | null> =>
  database.transaction({ role: 'assay_erasure', workspaceId }, async transaction => {
    for (const what of ['signals', 'claims'] as const) await lockWorkspaces(transaction, [workspaceId], what)
    const erasureId = newId()
    const ids = await toErase(transaction, signal)
    if (ids.length === 0) return null
    await transaction.query(BEGIN, [erasureId, workspaceId])
    await transaction.query(ITEMS, [workspaceId, erasureId, ids])
    const erased = { workspaceId, erasureId, ids }
    const promoted = await findPromotedRepeats(transaction, erased)
    await promoteRepeats(transaction, erased, promoted, 'test', new Map())
    await eraseSignals(transaction, erased)
    await eraseHistory(transaction, erased, null, 10_000)
    await transaction.query('delete from erasure_items where erasure_id = $1', [erasureId])
    return { erased: ids, heir: promoted[0]?.id ?? null }
  })

const TO_ERASE = `
  select id from signals where id = $1
  union all select id from occurrences where signal_id = $1 and reason <> 'member'`

const toErase = async (transaction: Transaction, signal: string): Promise<readonly SignalId[]> => {
  const rows = await transaction.query<{ id: SignalId }>(TO_ERASE, [signal])
  return rows.some(({ id }) => id === signal) ? rows.map(({ id }) => id) : []
}
