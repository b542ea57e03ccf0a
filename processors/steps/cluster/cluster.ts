import type { Embedder, Judge } from '../../../infra/models/port.ts'
import type { Database, Transaction } from '../../../infra/postgres/port.ts'
import { withinRest } from '../../../infra/runtime/cpu-budget.ts'
import { CLAIM_KIND } from '../../../model/claims/claim-kind.ts'
import { findClustered } from '../../../model/claims/clustered.ts'
import { type Candidate, findCandidates } from '../../../model/claims/find-candidates.ts'
import type { Neighbours } from '../../../model/neighbours/neighbours.ts'
import { readBitsOf, type VectorSpace } from '../../../model/neighbours/stored-bits.ts'
import { pipelineScope } from '../../../model/signals/scope.ts'
import type { SignalId } from '../../../schemas/domain/ids.ts'
import type { ClaimKind } from '../../../schemas/domain/vocabulary.ts'
import { next, retry } from '../../framework/results.ts'
import type { StepDefinition, WithParts } from '../../framework/step.ts'
import { MAX_CANDIDATES } from './deliberate.ts'
import { deliberateAll, type Undecided } from './deliberate-all.ts'
import { write } from './write.ts'

const VERSION = '1'
/** How many of the nearest signals are ranked with those that share words. */
const NEAREST = 20

type Needs = WithParts<'content' | 'classification' | 'insertion'>
type Clusterable = Needs & { readonly kind: ClaimKind }

/** Gives a problem or an idea its claim: one that a judge confirms to have the same root, or else a new one. */
export const createCluster = ({
  database,
  embedder,
  neighbours,
  judge,
}: {
  readonly database: Database
  readonly embedder: Pick<Embedder, 'model'>
  readonly neighbours: Neighbours
  readonly judge: Judge | null
}): StepDefinition<Needs, Record<never, never>> => ({
  name: 'cluster',
  summary:
    'Attaches a problem or an idea to the claim that a judge confirms, or starts an emerging claim; other pairs wait as proposals.',
  guarantee: 'Idempotent on the id of the signal: one that has a claim keeps it. Similarity alone merges nothing.',
  version: judge === null ? VERSION : `${VERSION} with ${judge.model}`,
  run: async batch => {
    const scope = pipelineScope(batch)
    const clusterable = clusterableOf(batch)
    if (clusterable.length === 0) return batch.map(() => next({}))
    const { model } = embedder
    const spaces = clusterable.map(signal => ({ workspaceId: signal.workspace_id, model }))
    await neighbours.warm(database, spaces)
    const candidates = await database.transaction(scope, transaction =>
      look(transaction, neighbours, model, clusterable),
    )
    const open = clusterable.filter(signal => candidates.has(signal.signal_id))
    if (open.length === 0) return batch.map(() => next({}))
    const asked = withinRest(() => open.map(signal => undecided(signal, candidates.get(signal.signal_id) ?? [])))
    const deliberated = await deliberateAll(judge, asked)
    const { retries, evidence } = await database.transaction(scope, transaction =>
      write(transaction, deliberated, `cluster ${VERSION}`),
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

const clusterableOf = (batch: readonly Needs[]): readonly Clusterable[] => {
  const found = new Map<SignalId, Clusterable>()
  for (const signal of batch) {
    const kind = CLAIM_KIND[signal.classification.label]
    if (kind !== null) found.set(signal.signal_id, { ...signal, kind })
  }
  return [...found.values()]
}

/** The candidates of each signal that was not clustered before. */
const look = async (
  transaction: Transaction,
  neighbours: Neighbours,
  model: string,
  signals: readonly Clusterable[],
): Promise<ReadonlyMap<SignalId, readonly Candidate[]>> => {
  const done = await findClustered(
    transaction,
    signals.map(signal => ({ workspaceId: signal.workspace_id, signalId: signal.signal_id })),
  )
  const open = signals.filter(signal => !done.has(signal.signal_id))
  if (open.length === 0) return new Map()
  const vectorSpaceOf = (signal: Clusterable): VectorSpace => ({ workspaceId: signal.workspace_id, model })
  await neighbours.refresh(transaction, open.map(vectorSpaceOf))
  const bits = await readBitsOf(
    transaction,
    open.map(signal => signal.signal_id),
    model,
  )
  const probes = open.map((signal, index) => {
    const own = bits[index] ?? null
    const near = own === null ? [] : neighbours.nearest(vectorSpaceOf(signal), own, NEAREST)
    const others = near.map(({ signalId }) => signalId).filter(signalId => signalId !== signal.signal_id)
    return { id: signal.signal_id, kind: signal.kind, model, near: others }
  })
  return findCandidates(transaction, probes, MAX_CANDIDATES)
}

const undecided = (
  { signal_id, workspace_id, kind, content }: Clusterable,
  candidates: readonly Candidate[],
): Undecided => ({ signalId: signal_id, workspaceId: workspace_id, kind, text: content.text, candidates })
