import type { Database, Transaction } from '../../../infra/postgres/port.ts'
import { withinRemainingCpu } from '../../../infra/runtime/cpu-budget.ts'
import { readCalibrations } from '../../../model/calibrations/calibrations.ts'
import { duplicateProbesOf, findNearDuplicates, type NearDuplicate } from '../../../model/duplicates/near-duplicates.ts'
import { type Occurrence, recordOccurrences } from '../../../model/duplicates/occurrences.ts'
import {
  findStoredStates,
  hashedTextsOf,
  type StoredState,
  type StoredStates,
} from '../../../model/duplicates/stored-states.ts'
import { removeTakenOut } from '../../../model/duplicates/taken-out.ts'
import { findErased, type Pseudonym } from '../../../model/erasures/tombstones.ts'
import type { Neighbours } from '../../../model/neighbours/neighbours.ts'
import { nextNumbers } from '../../../model/references/next-numbers.ts'
import { lockWorkspaces, pipelineScope, vectorSpaceOf } from '../../../model/signals/scope.ts'
import { insertSignals, type NumberedSignal } from '../../../model/signals/store-signals.ts'
import { storeTests } from '../../../model/test-signals/test-signals.ts'
import type { SignalId } from '../../../schemas/domain/ids.ts'
import type { Insertion } from '../../../schemas/events/signal.ts'
import { erased, next, type StepDefinition, type StepResult, skip, type WithParts } from '../../framework/step.ts'
import { createBatchTwins } from './batch-twins.ts'

type Needs = WithParts<'content' | 'embedding' | 'anchor' | 'deduplication' | 'classification'>
interface Adds {
  readonly insertion: Insertion
  /** The row has the vector from here on. The record is a third as long without it. */
  readonly embedding: null
}
type Results = Map<SignalId, StepResult<Adds>>

const inserted = (number: number): StepResult<Adds> => next({ insertion: { number }, embedding: null })

/**
 * Stores the batch's signals, in Triage, in one transaction; twins that dedup could not see become occurrences here.
 */
export const createInsert = ({
  database,
  neighbours,
  actorKey,
}: {
  readonly database: Database
  readonly neighbours: Neighbours
  readonly actorKey: Pseudonym
}): StepDefinition<Needs, Adds> => ({
  name: 'insert',
  summary: 'Stores the signal with its vector, numbered, in Triage. A test is stored apart, and ends here.',
  guarantee:
    'Idempotent on the id of the signal: delivered again, it keeps its number and adds nothing. A repeat that was taken out leaves its original in the same transaction. What was received before an erasure of it is never stored.',
  version: '1',
  run: async batch => {
    const texts = withinRemainingCpu(() => hashedTextsOf(batch))
    await neighbours.warm(database, batch.map(vectorSpaceOf))
    return database.transaction(pipelineScope(batch), async transaction => {
      const spaces = batch.map(vectorSpaceOf)
      // Reads after the lock: an erasure takes the lock before it looks for stored rows.
      const [, erasedIds, stateOf, calibrationOf] = await Promise.all([
        lockWorkspaces(transaction, [...new Set(batch.map(signal => signal.workspace_id))], 'signals'),
        findErased(transaction, batch, actorKey),
        findStoredStates(transaction, texts),
        readCalibrations(transaction, spaces),
        neighbours.refresh(transaction, spaces),
      ])
      const kept = batch.filter(({ signal_id }) => !erasedIds.has(signal_id))
      await storeTests(
        transaction,
        kept.filter(({ is_test }) => is_test),
      )
      const signals = kept.filter(({ is_test }) => !is_test)
      const results =
        signals.length === 0 ? [] : await insert(transaction, neighbours, signals, { stateOf, calibrationOf })
      const resultAt = new Map(signals.map((signal, place) => [signal, results[place]]))
      return batch.map(signal => {
        if (erasedIds.has(signal.signal_id)) return erased
        return resultAt.get(signal) ?? skip('test', null)
      })
    })
  },
})

const insert = async (
  transaction: Transaction,
  neighbours: Neighbours,
  batch: readonly Needs[],
  { stateOf, calibrationOf }: Read,
): Promise<readonly StepResult<Adds>[]> => {
  const signals = [...new Map(batch.map(signal => [signal.signal_id, signal])).values()]
  const nearest = await findLateTwins(transaction, neighbours, signals, stateOf)

  const { results, added, takenOut, repeats } = withinRemainingCpu(() =>
    decide(signals, stateOf, nearest, createBatchTwins(calibrationOf)),
  )
  const [numbered] = await Promise.all([numberEach(transaction, added), removeTakenOut(transaction, takenOut)])
  await Promise.all([insertSignals(transaction, numbered), recordOccurrences(transaction, repeats)])
  for (const { signal, number } of numbered) results.set(signal.signal_id, inserted(number))
  return batch.map(({ signal_id }) => resultOf(results, signal_id))
}

/** Facts that were read under the lock. */
interface Read {
  readonly stateOf: StoredStates
  readonly calibrationOf: Awaited<ReturnType<typeof readCalibrations>>
}

interface Decided {
  readonly results: Results
  readonly added: readonly Needs[]
  /** Added signals that were occurrences until now. */
  readonly takenOut: readonly SignalId[]
  readonly repeats: readonly Occurrence[]
}

/** Decides on each signal: it has its result already, is added, or is a repeat. */
const decide = (
  signals: readonly Needs[],
  stateOf: Read['stateOf'],
  nearest: ReadonlyMap<SignalId, NearDuplicate>,
  twins: ReturnType<typeof createBatchTwins>,
): Decided => {
  const results: Results = new Map()
  const added: Needs[] = []
  const takenOut: SignalId[] = []
  const repeats: Occurrence[] = []
  for (const signal of signals) {
    const facts = stateOf.get(signal.signal_id)
    if (facts?.storedNumber) results.set(signal.signal_id, inserted(facts.storedNumber))
    else if (facts?.occurrence?.takenOut) {
      added.push(signal)
      takenOut.push(signal.signal_id)
    } else if (facts?.occurrence) results.set(signal.signal_id, skip(facts.occurrence.reason, facts.occurrence.of))
    else {
      const repeated = repeatedRow(signal, facts, nearest.get(signal.signal_id)) ?? repeatedInBatch(signal, twins)
      if (repeated === null) added.push(signal)
      else {
        repeats.push(repeated)
        results.set(signal.signal_id, skip(repeated.reason, repeated.of))
      }
    }
  }
  return { results, added, takenOut, repeats }
}

/** Near duplicates in spaces that have grown since dedup looked. Other spaces are not compared again. */
const findLateTwins = async (
  transaction: Transaction,
  neighbours: Neighbours,
  signals: readonly Needs[],
  stateOf: Read['stateOf'],
): Promise<ReadonlyMap<SignalId, NearDuplicate>> => {
  const unknown = signals.filter(({ signal_id }) => {
    const facts = stateOf.get(signal_id)
    return facts !== undefined && facts.storedNumber === null && !facts.occurrence && !facts.sameText
  })
  const late = unknown.filter(
    signal => neighbours.through(vectorSpaceOf(signal)) > signal.deduplication.checked_through,
  )
  if (late.length === 0) return new Map()
  const nearest = await findNearDuplicates(transaction, neighbours, duplicateProbesOf(late))
  return new Map(
    late.flatMap(({ signal_id }, index) => {
      const found = nearest[index]
      return found ? [[signal_id, found] as const] : []
    }),
  )
}

const repeatedRow = (
  signal: Needs,
  facts: StoredState | undefined,
  near: NearDuplicate | undefined,
): Occurrence | null => {
  if (facts?.sameText) return { signal, of: facts.sameText, reason: 'same_text', similarity: 1 }
  if (near) return { signal, of: near.signalId, reason: 'near_duplicate', similarity: near.similarity }
  return null
}

const repeatedInBatch = (signal: Needs, twins: ReturnType<typeof createBatchTwins>): Occurrence | null => {
  const twin = twins.findOrKeep(signal)
  return twin && { signal, of: twin.of.signal_id, reason: twin.reason, similarity: twin.similarity }
}

const numberEach = async (transaction: Transaction, added: readonly Needs[]): Promise<readonly NumberedSignal[]> => {
  const workspaceIds = added.map(signal => signal.workspace_id)
  const numbers = await nextNumbers(transaction, 'signal', workspaceIds)
  return numbers.flatMap((number, index) => {
    const signal = added[index]
    return signal === undefined ? [] : [{ signal, number }]
  })
}

const resultOf = (results: Results, id: SignalId): StepResult<Adds> => {
  const result = results.get(id)
  if (result === undefined) throw new Error(`Insert came to no result for the signal ${id}.`)
  return result
}
