import type { Embedder, Judge } from '../../../infra/models/port.ts'
import type { Database, Transaction } from '../../../infra/postgres/port.ts'
import { withinRemainingCpu } from '../../../infra/runtime/cpu-budget.ts'
import { READ_CHARACTERS, TITLE_CHARACTERS } from '../../../infra/word-index/terms.ts'
import { type Candidate, findCandidates } from '../../../model/claims/find-candidates.ts'
import { NEAREST } from '../../../model/claims/near-signals.ts'
import { CLAIM_KIND, claimKindOf, findClustered } from '../../../model/claims/start-claims.ts'
import { weighCandidates } from '../../../model/merges/propose-merges.ts'
import type { Neighbours } from '../../../model/neighbours/neighbours.ts'
import { readBitsOf, type VectorSpace } from '../../../model/neighbours/stored-bits.ts'
import { saysNothing } from '../../../model/signals/says-nothing.ts'
import { pipelineScope } from '../../../model/signals/scope.ts'
import type { Words } from '../../../model/words/words.ts'
import type { SignalId } from '../../../schemas/domain/ids.ts'
import type { ClaimKind } from '../../../schemas/domain/vocabulary.ts'
import { next, retry, type StepDefinition, type WithParts } from '../../framework/step.ts'
import { deliberateAll, type Undecided } from './deliberate.ts'
import { storeSettlement } from './settle.ts'

const VERSION = '6'

type Needs = WithParts<'content' | 'classification' | 'insertion'>
/** A signal with everything that is read from its text before the step awaits: later reading would need a watchdog. */
interface Clusterable extends Omit<Needs, 'content'> {
  /** Null for a signal that starts no claim by itself. */
  readonly kind: ClaimKind | null
  readonly text: string
  readonly occurredAt: Date
}

/**
 * Gives a problem or an idea its claim: the claim that a judge confirms, or a new one. Another signal gets a claim when
 * people are asked about it.
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
    const clusterable = withinRemainingCpu(() => clusterableOf(batch))
    if (clusterable.length === 0) return batch.map(() => next({}))
    const { model } = embedder
    const spaces = clusterable.map(signal => ({ workspaceId: signal.workspace_id, model }))
    await neighbours.warm(database, spaces)
    await words.warm(
      database,
      clusterable.map(signal => signal.workspace_id),
    )
    const candidates = await database.transaction(scope, transaction =>
      readCandidates(transaction, { neighbours, words, model, judge }, clusterable),
    )
    const open = clusterable.filter(signal => candidates.has(signal.signal_id))
    if (open.length === 0) return batch.map(() => next({}))
    const undecidedSignals = open.map(signal => undecided(signal, candidates.get(signal.signal_id) ?? [], model))
    const deliberated = await deliberateAll(judge, undecidedSignals)
    const { retries, evidence } = await database.transaction(scope, transaction =>
      storeSettlement(transaction, deliberated, words, `cluster ${VERSION}`),
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

const asksForNothing = ({ classification: { label, confidence, version } }: Needs): boolean =>
  saysNothing({ classification: label, classification_confidence: confidence, classification_version: version })

/**
 * Leaves out signals that people are never asked about: work on the product from a code host that is neither problem
 * nor idea, greetings and thanks.
 */
const clusterableOf = (batch: readonly Needs[]): readonly Clusterable[] => {
  const found = new Map<SignalId, Clusterable>()
  for (const signal of batch) {
    const kind = claimKindOf(signal.classification)
    if (kind === null && (signal.channel === 'code_host' || asksForNothing(signal))) continue
    const { content, ...rest } = signal
    const occurredAt = new Date(content.occurred_at ?? signal.received_at)
    found.set(signal.signal_id, { ...rest, kind, text: content.text, occurredAt })
  }
  return [...found.values()]
}

/** Candidates of each signal that was not clustered before. */
const readCandidates = async (
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
  const [{ clustered }, bits] = await Promise.all([
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
    if (clustered.has(signal.signal_id)) return []
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
  // A judge reads whole texts; people see titles.
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

/** Claims of both kinds are candidates, because a problem is easily taken for an idea. */
const isInClaim = ({ standing, kind: said }: Candidate): boolean =>
  standing === 'claimed' || (standing === 'ahead' && CLAIM_KIND[said] !== null)

/**
 * A problem or an idea is also compared with questions and unclassified signals. Two of the latter are not compared.
 */
const mayBeSame =
  (kind: ClaimKind | null) =>
  (candidate: Candidate): boolean =>
    isInClaim(candidate) || (kind !== null && candidate.mayStartClaim)
