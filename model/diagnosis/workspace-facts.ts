import type { Transaction } from '../../infra/postgres/port.ts'
import { type Fault, type JobKind, SIGNAL_STATES } from '../../schemas/domain/vocabulary.ts'
import { WAITING_DEAD_LETTERS } from '../dead-letters/selection.ts'
import { happenedAt, NEWEST_FIRST } from '../signals/happened.ts'
import { MISPLACED, STRANDED } from './stranded-evidence.ts'

/** The only row of a statement without a from clause. */
const oneRow = async <Row extends object>(
  transaction: Transaction,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Row> => {
  const [row] = await transaction.query<Row>(statement, values)
  if (row === undefined) throw new Error('A statement without a from clause answered no row.')
  return row
}

/** Facts of the Signals and of the map. */
export interface EvidenceFacts {
  readonly signals: number
  readonly last_signal_at: Date | null
  /** True when Signals came from imported files. */
  readonly has_imports: boolean
  readonly triage_signals: number
  readonly oldest_triage_days: number | null
  readonly map_nodes: number
  /** Nodes without a vector of the embedder's model. No signal is anchored to them. */
  readonly nodes_without_vector: number
  /**
   * Signals without a vector of the embedder's model, unless a running re_embed job will add them. Repeats of such
   * signals are not found by meaning.
   */
  readonly signals_without_vector: number
  readonly other_models: readonly { readonly model: string; readonly vectors: number }[]
  /**
   * The newest Signals: their number, how many are anchored, the best score, and the insertion of the oldest of them.
   */
  readonly newest: {
    readonly signals: number
    readonly anchored: number
    readonly best_score: number | null
    readonly days: number | null
  }
  readonly workspace_days: number
  /** Evidence on claims that were merged into others. */
  readonly misplaced_evidence: number
  /** Newest Signals that should be evidence of a claim and are not: their number, the first one, and since when. */
  readonly stranded: {
    readonly signals: number
    readonly numbers: readonly number[]
    readonly days: number | null
  }
}

/** Newest Signals that show whether anchoring works now. */
const NEWEST = 200
/** Newest Signals among which those without a claim are looked for; the ledger looks at all. */
const LOOKED_AT = 2000
/** Signals in Triage that happened first: the one that waits longest is among them, whatever was imported since. */
const FIRST = 1000

// Reads the ends of indexes, so the cost does not grow with the Signals. Only a Signal that was embedded again,
// imported or scrubbed again can lack a vector; such Signals are counted once no job embeds them. The last job of a
// kind is kept. Ages of rows that the database dates use its own clock.
const EVIDENCE = `
  select
    (select coalesce(sum(signals), 0)::integer from signal_counts) as signals,
    greatest(
      (select max(received_at) from (select received_at from signals order by number desc limit ${NEWEST}) stored_last),
      (select max(happened_last.received_at) from unnest($2::text[]) as requested (state) cross join lateral (
        select received_at from signals where signals.state = requested.state order by ${NEWEST_FIRST} limit 1
      ) happened_last)) as last_signal_at,
    exists (select from imported_rows) as has_imports,
    (select coalesce(sum(signals), 0)::integer from signal_counts where state = 'triage') as triage_signals,
    (select extract(epoch from now() - min(inserted_at))::float8 / 86400 from (
      select inserted_at from signals where state = 'triage' order by ${happenedAt()}, number limit ${FIRST}) waiting) as oldest_triage_days,
    (select count(*)::integer from map_nodes) as map_nodes,
    (select count(*)::integer from map_nodes where not exists (
      select from map_node_vectors where node_id = map_nodes.id and model = $1)) as nodes_without_vector,
    case when exists (select from jobs where kind in ('re_embed', 're_scrub'))
      and not exists (select from jobs where kind = 're_embed' and state = 'running')
      then (select count(*)::integer from signals where not exists (
        select from signal_vectors where signal_id = signals.id and model = $1))
    else 0 end as signals_without_vector,
    (select coalesce(jsonb_agg(to_jsonb(other) order by model), '[]') from (
      select model, count(*)::integer as vectors from signal_vectors where model < $1 or model > $1 group by model
    ) other) as other_models,
    (select jsonb_build_object('signals', count(*), 'anchored', count(node_id), 'best_score', max(node_score),
      'days', extract(epoch from now() - min(inserted_at))::float8 / 86400) from (
      select node_id, node_score, inserted_at from signals order by number desc limit ${NEWEST}) newest) as newest,
    (select extract(epoch from now() - created_at)::float8 / 86400 from workspaces) as workspace_days,
    (select count(*)::integer from workspaces as requested cross join lateral (${MISPLACED}) as misplaced) as misplaced_evidence,
    (select jsonb_build_object('signals', count(*), 'numbers', coalesce(jsonb_agg(number order by number), '[]'),
      'days', extract(epoch from now() - min(inserted_at))::float8 / 86400)
      from (
        select number, inserted_at from workspaces as requested cross join lateral (
          ${STRANDED} and stranded.number > (
            select coalesce(max(number), 0) - ${LOOKED_AT} from signals where signals.workspace_id = requested.id)
        ) as stranded
      ) as lost) as stranded`

export const evidenceFacts = (transaction: Transaction, embeddingModel: string): Promise<EvidenceFacts> =>
  oneRow<EvidenceFacts>(transaction, EVIDENCE, [embeddingModel, SIGNAL_STATES])

interface DeadLetters {
  readonly step: string
  readonly fault: Fault
  readonly error_class: string
  readonly waiting: number
  readonly dead_lettered_again: number
  /** Days since the first of them failed. */
  readonly days: number
  /** Message of the newest; null while it is sealed. */
  readonly message: string | null
  readonly signal_id: string
}

interface TroubledJob {
  readonly id: string
  readonly kind: JobKind
  readonly trouble: 'failed' | 'standing_still' | 'waiting'
  readonly message: string | null
  readonly done: number
  readonly total: number | null
  readonly minutes: number
}

/** Background work, and work that waits for people. */
export interface WorkFacts {
  readonly dead_letters: readonly DeadLetters[]
  readonly jobs: readonly TroubledJob[]
  /** Minutes for which the oldest activity has waited in the outbox; null when none waits. */
  readonly relay_minutes: number | null
  /** True when the map has changed since all Signals were anchored, and no job follows. */
  readonly map_unfollowed: boolean
  readonly waiting_proposals: number
  readonly set_aside_proposals: number
  readonly oldest_proposal_days: number | null
  /** Waiting pairs older than an hour that no judge was asked about. */
  readonly unjudged_proposals: number
  /** Numbers of Solutions in progress whose pull request is merged. */
  readonly merged_solutions: readonly number[]
  /** Days since the first of these merges was seen; null without one. */
  readonly merged_days: number | null
}

/** Time without an update after which a running job stands still. */
const STANDING_STILL = `interval '10 minutes'`

// The last job of each kind: an earlier failure no longer matters.
const WORK = `
  select
    (select coalesce(jsonb_agg(to_jsonb(dead)), '[]') from (
      select step, fault, error_class, count(*)::integer as waiting,
        (count(*) filter (where deaths > 1))::integer as dead_lettered_again,
        extract(epoch from now() - min(first_failed_at))::float8 / 86400 as days,
        (array_agg(case when sealed then null else message end order by last_failed_at desc, signal_id))[1] as message,
        (array_agg(signal_id order by last_failed_at desc, signal_id))[1] as signal_id
      from ${WAITING_DEAD_LETTERS}
      group by step, fault, error_class order by waiting desc, step, fault, error_class
    ) dead) as dead_letters,
    (select coalesce(jsonb_agg(to_jsonb(troubled) order by kind, id), '[]') from (
      select id, kind, message, done, total, (extract(epoch from now() - updated_at) / 60)::integer as minutes,
        case when state = 'failed' then 'failed' when waits > 0 then 'waiting' else 'standing_still' end as trouble
      from (select distinct on (kind) * from jobs order by kind, created_at desc, id) last
      where state = 'failed' or (state = 'running' and (
        waits > 0 or greatest(updated_at, not_before, leased_until) < now() - ${STANDING_STILL}))
    ) troubled) as jobs,
    (select extract(epoch from now() - min(created_at))::float8 / 60 from outbox) as relay_minutes,
    exists (select from map_revisions where revision <> anchored)
      and not exists (select from jobs where kind = 're_anchor' and state = 'running') as map_unfollowed,
    (select count(*)::integer from merge_proposals where state = 'waiting') as waiting_proposals,
    (select count(*)::integer from merge_proposals where state = 'set_aside') as set_aside_proposals,
    (select extract(epoch from now() - min(proposed_at))::float8 / 86400 from merge_proposals where state = 'waiting') as oldest_proposal_days,
    (select count(*)::integer from merge_proposals
      where state = 'waiting' and judged_by is null and proposed_at < now() - interval '1 hour') as unjudged_proposals,
    (select coalesce(jsonb_agg(number order by number), '[]') from solutions
      where state in ('Planned', 'In Progress') and exists (
        select from handoff_proposals where solution_id = solutions.id and state = 'merged')) as merged_solutions,
    (select extract(epoch from now() - min(occurred_at))::float8 / 86400 from handoff_proposals
      where state = 'merged' and solution_id in (
        select id from solutions where state in ('Planned', 'In Progress'))) as merged_days`

export const workFacts = (transaction: Transaction): Promise<WorkFacts> => oneRow<WorkFacts>(transaction, WORK)

const NEWEST_TEXT = `select coalesce((select left(text, 200) from signals order by number desc limit 1), '') as text`

/** Beginning of the newest Signal's text; empty without Signals. */
export const newestSignalText = async (transaction: Transaction): Promise<string> =>
  (await oneRow<{ text: string }>(transaction, NEWEST_TEXT)).text
