import type { Embedder } from '../../../infra/models/port.ts'
import type { Database, Transaction } from '../../../infra/postgres/port.ts'
import { withinRemainingCpu } from '../../../infra/runtime/cpu-budget.ts'
import { duplicateProbesOf, findNearDuplicates } from '../../../model/duplicates/near-duplicates.ts'
import { type Occurrence, recordOccurrences } from '../../../model/duplicates/occurrences.ts'
import { findStoredStates, hashedTextsOf, type StoredStates } from '../../../model/duplicates/stored-states.ts'
import { findErased, type Pseudonym } from '../../../model/erasures/tombstones.ts'
import { proposeHandoffs } from '../../../model/handoffs/propose-handoffs.ts'
import type { Neighbours } from '../../../model/neighbours/neighbours.ts'
import { lockWorkspaces, pipelineScope, vectorSpaceOf } from '../../../model/signals/scope.ts'
import type { Deduplication } from '../../../schemas/events/signal.ts'
import { erased, next, type StepDefinition, type StepResult, skip, type WithParts } from '../../framework/step.ts'

type Needs = WithParts<'content' | 'embedding'>
interface Adds {
  readonly deduplication: Deduplication
}

/**
 * Ends signals that repeat a stored one: they become its occurrences. Twins inside of the batch go on, and insert tells
 * them apart.
 */
export const createDedup = ({
  database,
  embedder,
  neighbours,
  actorKey,
}: {
  readonly database: Database
  readonly embedder: Embedder
  readonly neighbours: Neighbours
  readonly actorKey: Pseudonym
}): StepDefinition<Needs, Adds> => ({
  name: 'dedup',
  summary: 'Skips a signal that repeats a stored one to the letter or nearly, and counts it as an occurrence.',
  guarantee:
    'An occurrence has the id of its signal, so it is stored once; a stored signal never repeats itself, and one that was taken out of its original repeats nothing. A pull request that names a Solution is one proposal of a handoff. What was received before an erasure of it ends here.',
  version: embedder.model,
  run: async batch => {
    const texts = withinRemainingCpu(() => hashedTextsOf(batch))
    await neighbours.warm(database, batch.map(vectorSpaceOf))
    return database.transaction(pipelineScope(batch), async transaction => {
      const [erasedIds, stateOf] = await Promise.all([
        findErased(transaction, batch, actorKey),
        findStoredStates(transaction, texts),
        neighbours.refresh(transaction, batch.map(vectorSpaceOf)),
      ])
      const results = await deduplicate(
        transaction,
        neighbours,
        batch.filter(({ signal_id, is_test }) => !is_test && !erasedIds.has(signal_id)),
        stateOf,
      )
      // A test repeats nothing, and nothing repeats it.
      return batch.map(({ signal_id, is_test }) => {
        if (erasedIds.has(signal_id)) return erased
        return is_test ? TEST : (results.shift() ?? TEST)
      })
    })
  },
})

const TEST = next({ deduplication: { checked_through: 0 } })

const deduplicate = async (
  transaction: Transaction,
  neighbours: Neighbours,
  batch: readonly Needs[],
  stateOf: StoredStates,
): Promise<StepResult<Adds>[]> => {
  // Read before the first await: another batch may fill the space meanwhile with vectors that this one was not compared
  // with.
  const checkedThrough = batch.map(signal => neighbours.through(vectorSpaceOf(signal)))
  const repeats: Occurrence[] = []
  const unknown: Needs[] = []
  for (const signal of batch) {
    const facts = stateOf.get(signal.signal_id)
    if (facts === undefined || facts.storedNumber !== null || facts.occurrence !== null) continue
    if (facts.sameText === null) unknown.push(signal)
    else repeats.push({ signal, of: facts.sameText, reason: 'same_text', similarity: 1 })
  }
  const [near] = await Promise.all([
    nearRepeats(transaction, neighbours, unknown),
    // The last place that every signal passes: a merge often repeats the text of the opening, and a handoff waits for
    // it.
    proposeHandoffs(transaction, batch),
  ])
  repeats.push(...near)

  if (repeats.length > 0)
    await lockWorkspaces(transaction, [...new Set(repeats.map(({ signal }) => signal.workspace_id))], 'signals')
  const recorded = await recordOccurrences(transaction, repeats)
  return batch.map((signal, index) => {
    const stored = stateOf.get(signal.signal_id)?.occurrence
    const occurrence = stored ?? recorded.get(signal.signal_id)
    if (occurrence && !stored?.takenOut) return skip(occurrence.reason, occurrence.of)
    return next({ deduplication: { checked_through: checkedThrough[index] ?? 0 } })
  })
}

const nearRepeats = async (
  transaction: Transaction,
  neighbours: Neighbours,
  signals: readonly Needs[],
): Promise<Occurrence[]> => {
  const nearest = await findNearDuplicates(transaction, neighbours, duplicateProbesOf(signals))
  return signals.flatMap((signal, index) => {
    const found = nearest[index]
    return found
      ? [{ signal, of: found.signalId, reason: 'near_duplicate' as const, similarity: found.similarity }]
      : []
  })
}
