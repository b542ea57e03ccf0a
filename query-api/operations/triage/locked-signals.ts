import { type Static, Type } from 'typebox'
import type { DecisionObject } from '../../../model/decisions/log-decision.ts'
import { firstMarkedDuplicate } from '../../../model/duplicates/occurrences.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { readSignals } from '../../../model/signals/read-signals.ts'
import { type LockedSignal, lockSignals, type TriageChange } from '../../../model/triage/triage.ts'
import type { ClaimId, SignalId } from '../../../schemas/domain/ids.ts'
import { MAX_SNOOZED_UNTIL, MAX_TRIAGED } from '../../../schemas/domain/limits.ts'
import { CLAIM_KINDS, CLASSIFICATIONS, reference } from '../../../schemas/domain/vocabulary.ts'
import { AssayError, type Transaction, throwDeleted } from '../define.ts'
import { type ActionFields, comment, identifier, oneOf, requireActionFields, version } from '../parts/fields.ts'
import { type SignalShape, toSignal } from '../parts/signal-shape.ts'
import { title } from '../solutions/solution.ts'

/** Finds a Signal and holds it. Throws `not_found`, and `conflict` when another version was read. */
export const lockSignal = async (
  transaction: Transaction,
  identifier: string,
  version: number | undefined,
): Promise<LockedSignal> => {
  const { id } = await resolveOne(transaction, 'signal', identifier)
  const locked = (await lockSignals(transaction, [id])).get(id)
  if (locked === undefined) return throwDeleted('Signal')
  if (version === undefined || version === locked.version) return locked
  const { text: _, classification_version: __, ...current } = locked
  throw new AssayError(
    'conflict',
    `${locked.reference} has changed: you read version ${version}, it is at ${locked.version}. Nothing was written.`,
    { context: { current } },
  )
}

interface RequestedSignal {
  readonly signal_id: string
  /** What was read of it; any when it is not said. */
  readonly version?: number | undefined
}

/**
 * Holds the Signals in the order given, each once. Throws `not_found` for the first that is not there, and `conflict`
 * when another version of any was read.
 */
export const lockRequestedSignals = async (
  transaction: Transaction,
  requestedSignals: readonly RequestedSignal[],
): Promise<readonly LockedSignal[]> => {
  const versions = new Map<string, number | undefined>()
  for (const { signal_id, version } of requestedSignals) versions.set(await idOf(transaction, signal_id), version)
  const locked = await lockSignals(transaction, [...versions.keys()])
  for (const id of versions.keys()) if (!locked.has(id)) throw await missing(transaction, id)
  const signals = [...versions.keys()].flatMap(id => locked.get(id) ?? [])
  refuseStale(signals.filter(({ id, version }) => (versions.get(id) ?? version) !== version))
  return signals
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Ids are looked up all at once when they are held; references one by one. */
const idOf = async (transaction: Transaction, given: string): Promise<string> =>
  UUID.test(given) ? given.toLowerCase() : (await resolveOne(transaction, 'signal', given)).id

/** A repeat that came in as one has no row of its own; the id of anything else is unknown. */
const missing = async (transaction: Transaction, id: string): Promise<AssayError> => {
  const { reference: original } = await resolveOne(transaction, 'signal', id)
  return new AssayError('conflict', `${id} is counted as a repeat of ${original}: decide on that. Nothing was written.`)
}

const MAX_NAMED = 5

const refuseStale = (stale: readonly LockedSignal[]): void => {
  if (stale.length === 0) return
  throw new AssayError(
    'conflict',
    `${namesOf(stale)} ${stale.length === 1 ? 'has' : 'have'} changed since you read the list. Nothing was written: look again, then decide.`,
    {
      context: {
        changed: stale.map(({ id, reference: name, state, classification, version }) => ({
          id,
          reference: name,
          state,
          classification,
          version,
        })),
      },
    },
  )
}

/** `SIG-7`, `SIG-7 and SIG-9`, `SIG-1, SIG-2, SIG-3, SIG-4, SIG-5 and 7 others`. */
export const namesOf = (signals: readonly Pick<LockedSignal, 'reference'>[]): string => {
  const names = signals.slice(0, MAX_NAMED).map(signal => signal.reference)
  const others = signals.length - names.length
  const last = others > 0 ? `${others} ${others === 1 ? 'other' : 'others'}` : names.pop()
  return names.length === 0 ? String(last) : `${names.join(', ')} and ${last}`
}

/** The Signals as answers show them, in the order given. */
export const shownSignals = async (transaction: Transaction, ids: readonly SignalId[]): Promise<SignalShape[]> => {
  const shown = new Map((await readSignals(transaction, ids)).map(row => [row.id, toSignal(row, 'summary')]))
  return ids.flatMap(id => shown.get(id) ?? [])
}

/** The Signal as answers show it. */
export const shownSignal = async (transaction: Transaction, id: SignalId): Promise<SignalShape> =>
  (await shownSignals(transaction, [id]))[0] ?? throwDeleted('Signal')

/** Refuses, with `conflict`, Signals that a person said repeat another: they count there, and would count twice. */
export const refuseDuplicates = async (transaction: Transaction, signals: readonly LockedSignal[]): Promise<void> => {
  const row = await firstMarkedDuplicate(
    transaction,
    signals.map(({ id }) => id),
  )
  if (row === undefined) return
  const name = reference('signal', row.number)
  throw new AssayError(
    'conflict',
    `${name} counts as a repeat of ${reference('signal', row.of)}. Nothing was written. Undo that first (action undo, signal_id ${name}).`,
  )
}

const ACTIONS = ['accept', 'dismiss', 'reclassify', 'promote', 'duplicate', 'snooze', 'wake'] as const
type Action = (typeof ACTIONS)[number]

export const batchTriageInput = Type.Object({
  action: oneOf(ACTIONS, {
    description:
      'accept, dismiss, reclassify, promote (kind or claim_id), duplicate (original_signal_id), snooze (until, more_signals), wake. A snooze puts them out of Triage until a time, or until so many more Signals say it.',
  }),
  signal_ids: Type.Optional(
    Type.Array(identifier, {
      minItems: 1,
      maxItems: MAX_TRIAGED,
      uniqueItems: true,
      description: 'The Signals. All of them are decided on as one, or none is.',
    }),
  ),
  signals: Type.Optional(
    Type.Array(
      Type.Object({
        signal_id: Type.With(identifier, { description: 'The Signal. A UUID or reference such as SIG-7.' }),
        version,
      }),
      {
        minItems: 1,
        maxItems: MAX_TRIAGED,
        description: 'The same with the version of each that was read, instead of signal_ids.',
      },
    ),
  ),
  comment,
  classification: Type.Optional(oneOf(CLASSIFICATIONS, { description: 'The new classification.' })),
  kind: Type.Optional(
    oneOf(CLAIM_KINDS, { description: 'Which kind. With promote, of the new claim: all of them are evidence of it.' }),
  ),
  title: Type.Optional(
    Type.With(title, { description: 'Its title. Of the claim, with kind; default its first sentence.' }),
  ),
  claim_id: Type.Optional(Type.With(identifier, { description: 'The claim. With promote, one that there is.' })),
  original_signal_id: Type.Optional(
    Type.With(identifier, { description: 'The original Signal. What they repeat, with duplicate.' }),
  ),
  until: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601 with its time zone. When a snooze ends.' })),
  more_signals: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_SNOOZED_UNTIL,
      description:
        'So many more Signals. A snooze ends once so many more Signals or repeats are at their claim; of one without a claim, once it was repeated so often.',
    }),
  ),
})
export type BatchTriageInput = Static<typeof batchTriageInput>

/** Which Signals are meant, each with the version that was read where that was said. */
export const requestedSignals = ({ signal_ids: ids = [], signals }: BatchTriageInput): readonly RequestedSignal[] =>
  signals ?? ids.map(signal_id => ({ signal_id }))

const TAKES: Readonly<Record<Action, ActionFields>> = {
  accept: { needs: ['signals'], may: ['comment'] },
  dismiss: { needs: ['signals'], may: ['comment'] },
  reclassify: { needs: ['signals', 'classification'], may: ['comment'] },
  promote: { needs: ['signals'], may: ['kind', 'title', 'claim_id', 'comment'] },
  duplicate: { needs: ['signals', 'original_signal_id'], may: ['comment'] },
  snooze: { needs: ['signals'], may: ['until', 'more_signals', 'comment'] },
  wake: { needs: ['signals'], may: ['comment'] },
}

/**
 * Refuses, by name, a field that the action does not read and one that it lacks; and Signals that are named in two
 * fields.
 */
export const requireBatchFields = (given: BatchTriageInput): void => {
  const { needs, may } = TAKES[given.action]
  const named = given.signals === undefined ? 'signal_ids' : 'signals'
  requireActionFields(given, { needs: needs.map(field => (field === 'signals' ? named : field)), may })
}

/** What one Decision changed of several Signals: enough to log it, and to take it back. */
export interface BatchChange {
  /** For a Decision without a comment: `SIG-7 and SIG-9 are accepted.` Where nothing changes, why that is. */
  readonly statement: string
  readonly changes: readonly { readonly id: SignalId; readonly change: TriageChange }[]
  /** The claim that they became evidence of. */
  readonly claim?: { readonly id: ClaimId; readonly reference: string; readonly is_new: boolean }
  /** What else it is about. */
  readonly objects?: readonly DecisionObject[]
}

export const verbFor = (several: readonly unknown[]): 'are' | 'is' => (several.length === 1 ? 'is' : 'are')
