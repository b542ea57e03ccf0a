import type { Embedder, Judge } from '../../../infra/models/port.ts'
import type { Database, Transaction } from '../../../infra/postgres/port.ts'
import { withinRest } from '../../../infra/runtime/cpu-budget.ts'
import { READ_CHARACTERS, TITLE_CHARACTERS } from '../../../infra/word-index/terms.ts'
import { type Candidate, findCandidates } from '../../../model/claims/find-candidates.ts'
import { NEAREST } from '../../../model/claims/near-signals.ts'
import { CLAIM_KIND, findClustered } from '../../../model/claims/start-claims.ts'
import { weighCandidates } from '../../../model/merges/propose-merges.ts'
import type { Neighbours } from '../../../model/neighbours/neighbours.ts'
import { readBitsOf, type VectorSpace } from '../../../model/neighbours/stored-bits.ts'
import { pipelineScope } from '../../../model/signals/scope.ts'
import type { Words } from '../../../model/words/words.ts'
import type { SignalId } from '../../../schemas/domain/ids.ts'
import type { ClaimKind } from '../../../schemas/domain/vocabulary.ts'
import { next, retry, type StepDefinition, type WithParts } from '../../framework/step.ts'
import { deliberateAll, type Undecided } from './deliberate.ts'
import { write } from './settle.ts'

const VERSION = '5'

type Needs = WithParts<'content' | 'classification' | 'insertion'>
/** With what is read of a signal before the step waits: behind that, a watchdog would have to guard it. */
interface Clusterable extends Omit<Needs, 'content'> {
  /** Null of one that starts no claim by itself. */
  readonly kind: ClaimKind | null
  readonly text: string
  readonly occurredAt: Date
}

/**
 * Gives a problem or an idea its claim: one that a judge confirms to have the same root, or else a new one. Others get
 * one where people are asked about it.
 */
export const createCluster = ({
  database,
  embedder,
  neighbours,
  words,
  judge,
}: {
  readonly database: Database
  readonly embedder: Pick<Embedder, 'model'>
  readonly neighbours: Neighbours
  readonly words: Words
  readonly judge: Judge | null
}): StepDefinition<Needs, Record<never, never>> => ({
  name: 'cluster',
  summary:
    'Attaches a signal to the claim that a judge confirms; a problem or an idea that joins none starts an emerging claim. Other likely pairs wait as proposals, also with a question.',
  guarantee: 'Idempotent on the id of the signal: one that has a claim keeps it. Similarity alone merges nothing.',
  version: judge === null ? VERSION : `${VERSION} with ${judge.model}`,
  run: async batch => {
    const scope = pipelineScope(batch)
    const clusterable = withinRest(() => clusterableOf(batch))
    if (clusterable.length === 0) return batch.map(() => next({}))
    const { model } = embedder
    const spaces = clusterable.map(signal => ({ workspaceId: signal.workspace_id, model }))
    await neighbours.warm(database, spaces)
    await words.warm(
      database,
      clusterable.map(signal => signal.workspace_id),
    )
    const candidates = await database.transaction(scope, transaction =>
      look(transaction, { neighbours, words, model, judge }, clusterable),
    )
    const open = clusterable.filter(signal => candidates.has(signal.signal_id))
    if (open.length === 0) return batch.map(() => next({}))
    const undecidedSignals = open.map(signal => undecided(signal, candidates.get(signal.signal_id) ?? [], model))
    const deliberated = await deliberateAll(judge, undecidedSignals)
    const { retries, evidence } = await database.transaction(scope, transaction =>
      write(transaction, deliberated, words, `cluster ${VERSION}`),
    )
    const claimIds = new Map(evidence.map(({ signalId, claimId }) => [signalId, claimId]))
    return batch.map(({ signal_id }) => {
      const reason = retries.get(signal_id)
      if (reason !== undefined) return retry(reason)
      const claimId = claimIds.get(signal_id)
      return next({}, claimId === undefined ? {} : { claimId })
    })
  },
})

/** Nobody is asked about what a code host tells that is neither problem nor idea: it is work on the product. */
const clusterableOf = (batch: readonly Needs[]): readonly Clusterable[] => {
  const found = new Map<SignalId, Clusterable>()
  for (const signal of batch) {
    const kind = CLAIM_KIND[signal.classification.label]
    if (kind === null && signal.channel === 'code_host') continue
    const { content, ...rest } = signal
    const occurredAt = new Date(content.occurred_at ?? signal.received_at)
    found.set(signal.signal_id, { ...rest, kind, text: content.text, occurredAt })
  }
  return [...found.values()]
}

/** The candidates of each signal that was not clustered before. */
const look = async (
  transaction: Transaction,
  {
    neighbours,
    words,
    model,
    judge,
  }: {
    readonly neighbours: Neighbours
    readonly words: Words
    readonly model: string
    readonly judge: Judge | null
  },
  signals: readonly Clusterable[],
): Promise<ReadonlyMap<SignalId, readonly Candidate[]>> => {
  const ids = signals.map(signal => signal.signal_id)
  const vectorSpaceOf = (signal: Clusterable): VectorSpace => ({ workspaceId: signal.workspace_id, model })
  const [done, bits] = await Promise.all([
    findClustered(
      transaction,
      signals.map(signal => ({ workspaceId: signal.workspace_id, signalId: signal.signal_id })),
    ),
    readBitsOf(transaction, ids, model),
    neighbours.refresh(transaction, signals.map(vectorSpaceOf)),
    words.refresh(
      transaction,
      signals.map(signal => signal.workspace_id),
    ),
  ])
  const probes = signals.flatMap((signal, place) => {
    if (done.has(signal.signal_id)) return []
    const own = bits[place] ?? null
    return [
      {
        id: signal.signal_id,
        workspaceId: signal.workspace_id,
        number: signal.insertion.number,
        model,
        near: own === null ? [] : neighbours.nearest(vectorSpaceOf(signal), own, NEAREST),
      },
    ]
  })
  // A judge reads texts; people are shown them later.
  return findCandidates(transaction, words, probes, judge === null ? TITLE_CHARACTERS : READ_CHARACTERS)
}

const undecided = (
  { signal_id, workspace_id, kind, text, occurredAt }: Clusterable,
  candidates: readonly Candidate[],
  model: string,
): Undecided => ({
  signalId: signal_id,
  workspaceId: workspace_id,
  kind,
  text,
  candidates: weighCandidates({ occurredAt, model }, candidates, mayBeSame(kind)),
})

/** A problem is easily taken for an idea: claims of either kind are candidates of both. */
const isInClaim = ({ standing, kind: said }: Candidate): boolean =>
  standing === 'claimed' || (standing === 'ahead' && CLAIM_KIND[said] !== null)

/**
 * A problem or an idea may be what somebody asked about, or what nobody could classify; two of those are not compared.
 */
const mayBeSame =
  (kind: ClaimKind | null) =>
  (candidate: Candidate): boolean =>
    isInClaim(candidate) || (kind !== null && candidate.mayStartClaim)
