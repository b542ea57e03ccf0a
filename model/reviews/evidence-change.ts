import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimKind, ClaimState } from '../../schemas/domain/vocabulary.ts'
import type { Window } from '../changes/window.ts'
import { happenedAt } from '../signals/happened.ts'

/** The evidence of a claim in a period, against that of the period before. */
export interface EvidenceChange {
  readonly number: number
  readonly title: string
  readonly kind: ClaimKind
  readonly state: ClaimState
  /** Sum over the actors of the period of ln(1 + their signals in it): many people weigh more than one who repeats. */
  readonly evidence: number
  readonly previous_evidence: number
  readonly actors: number
  readonly previous_actors: number
  /** Signals and their repeats. */
  readonly signals: number
  readonly previous_signals: number
}

const selectColumns = (columns: string, from: string): string => `
    select ${columns}, ${happenedAt('part')} as at,
      evidence_actor(part.actor_key, part.source, part.source_id, part.channel, part.actor_name) as actor
    from ${from}
    where signals.state <> 'dismissed' and ${happenedAt('part')} >= $1
      and ${happenedAt('part')} < $3`

/** `$1` the beginning of the period before, `$2` that of the period, `$3` its end, `$4` how many of each direction. */
const COMPARED = `
  with parts as (
    ${selectColumns('part.id as signal_id', 'signals part join signals on signals.id = part.id')}
    union all
    ${selectColumns('part.signal_id', 'occurrences part join signals on signals.id = part.signal_id')}
  ),
  told as (
    select claim_id, parts.actor, count(*) filter (where at >= $2) as signals, count(*) filter (where at < $2) as previous_signals
    from parts join claim_evidence using (signal_id)
    group by claim_id, parts.actor
  ),
  compared as (
    select claim_id,
      sum(ln(1 + signals::double precision)) as evidence, sum(ln(1 + previous_signals::double precision)) as previous_evidence,
      (count(*) filter (where signals > 0))::integer as actors,
      (count(*) filter (where previous_signals > 0))::integer as previous_actors,
      sum(signals)::integer as signals, sum(previous_signals)::integer as previous_signals
    from told group by claim_id
  ),
  ranked as (
    select number, title, kind, state, evidence, previous_evidence, actors, previous_actors, signals, previous_signals,
      row_number() over (order by evidence - previous_evidence desc, number) as rise,
      row_number() over (order by evidence - previous_evidence, number) as fall
    from compared join claims on claims.id = claim_id
    where merged_into is null
  )
  select number, title, kind, state, evidence, previous_evidence, actors, previous_actors, signals, previous_signals
  from ranked
  where evidence > previous_evidence and rise <= $4 or evidence < previous_evidence and fall <= $4
  order by abs(evidence - previous_evidence) desc, number`

/** The claims whose evidence rose and fell the most, by when it happened, against the period of the same length before. */
export const evidenceChanges = async (
  transaction: Transaction,
  { from, to }: Window,
  before: Window,
  limit: number,
): Promise<{ readonly rose: EvidenceChange[]; readonly fell: EvidenceChange[] }> => {
  const changed = await transaction.query<EvidenceChange>(COMPARED, [before.from, from, to, limit])
  return {
    rose: changed.filter(claim => claim.evidence > claim.previous_evidence),
    fell: changed.filter(claim => claim.evidence < claim.previous_evidence),
  }
}
