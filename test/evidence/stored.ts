import type { WaitingPair } from '../../model/merges/group-pairs.ts'
import { BEST_FIRST } from '../../model/merges/list-proposals.ts'
import type { ClaimId, SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Classification } from '../../schemas/domain/vocabulary.ts'
import type { Pipeline } from './pipeline.ts'

export interface StoredSignal {
  readonly id: SignalId
  readonly number: number
  readonly label: Classification
  readonly confidence: number
}

interface Repeat {
  readonly id: SignalId
  readonly of: SignalId
  readonly reason: string
  readonly similarity: number
}

/** What a workspace holds when all is through, read from its tables. */
export interface Stored {
  readonly signals: readonly StoredSignal[]
  readonly repeats: readonly Repeat[]
  /** Each pair that waits for people, the likeliest first. */
  readonly proposals: readonly WaitingPair[]
  /** The claims' numbers: the lowest is the oldest. */
  readonly numbers: ReadonlyMap<ClaimId, number>
  /** What each claim stands on, repeats of it too. */
  readonly behind: ReadonlyMap<ClaimId, ReadonlySet<SignalId>>
}

export const readStored = async ({ pool }: Pipeline, workspaceId: WorkspaceId): Promise<Stored> => {
  const rowsOf = async <Row extends object>(statement: string): Promise<Row[]> =>
    (await pool.query(statement, [workspaceId])).rows
  const signals = await rowsOf<StoredSignal>(
    `select id, number, classification as label, classification_confidence as confidence from signals
     where workspace_id = $1 order by number`,
  )
  const repeats = await rowsOf<Repeat>(
    `select id, signal_id as of, reason, similarity from occurrences where workspace_id = $1 order by id`,
  )
  const proposals = await rowsOf<WaitingPair>(
    `select id, claim_id as one, candidate_claim_id as other from merge_proposals proposal
     where workspace_id = $1 and state = 'waiting' order by ${BEST_FIRST}`,
  )
  const claims = await rowsOf<{ id: ClaimId; number: number }>(`select id, number from claims where workspace_id = $1`)
  const evidence = await rowsOf<{ claim: ClaimId; id: SignalId }>(
    `select claim_id as claim, signal_id as id from claim_evidence where workspace_id = $1`,
  )
  const behind = new Map<ClaimId, Set<SignalId>>()
  const repeatsOf = Map.groupBy(repeats, repeat => repeat.of)
  for (const { claim, id } of evidence) {
    const known = behind.get(claim) ?? new Set()
    behind.set(claim, known.add(id))
    for (const repeat of repeatsOf.get(id) ?? []) known.add(repeat.id)
  }
  return {
    signals,
    repeats,
    proposals,
    numbers: new Map(claims.map(({ id, number }) => [id, number])),
    behind,
  }
}
