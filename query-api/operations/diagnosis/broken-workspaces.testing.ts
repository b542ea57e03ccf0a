import { DAY_MS } from '../../../schemas/domain/durations.ts'
import { newId } from '../../../schemas/domain/ids.ts'
import { REFUSED_BY_MODEL } from '../../../schemas/domain/vocabulary.ts'
import { walked } from '../testing-activity.ts'
import { type WellWorkspace, WITH_JUDGE } from './well-workspace.testing.ts'

/** A realistic cause of each finding: a change to a healthy workspace, and the evidence it must produce. */
export interface Break {
  readonly finding: string
  readonly evidence: RegExp
  readonly happens: (well: WellWorkspace) => Promise<unknown>
  /** Further findings that always accompany this one. */
  readonly besides?: readonly string[]
}

const refused =
  (reason: string, times = 5) =>
  ({ record, sourceId }: WellWorkspace) =>
    record({ kind: 'source.refused', source_id: sourceId, reason, times })

const job = (kind: string, state: string, set: string) => (well: WellWorkspace) =>
  well.sql(
    `insert into jobs (id, workspace_id, kind, state, started_by, message, done, total, created_at, updated_at, not_before, waits)
     select gen_random_uuid(), $1, $2, $3, 'Owner', 'The model is away.', 3, 9, moment, moment, moment, ${set}
     from (select now() - interval '1 hour' as moment) past`,
    well.id,
    kind,
    state,
  )

const daysBefore = (well: WellWorkspace, days: number): Date => new Date(well.minutesAgo(0) - days * DAY_MS)

const proposal = async (well: WellWorkspace, age: string) => {
  const id = await well.proposal(await well.claim('One'), await well.claim('Another'))
  await well.sql(
    `update merge_proposals set proposed_at = now() - $2::interval, judged_by = 'judge-1' where id = $1`,
    id,
    age,
  )
  return id
}

/** Signals without distinct words. */
const manySignals = (well: WellWorkspace, count: number) =>
  well.sql(
    `insert into signals (id, workspace_id, number, channel, text, text_hash, signal_origin, actor_role, occurred_at, received_at,
       classification, classification_confidence, classification_version, node_score)
     select gen_random_uuid(), $1, 100 + place, 'webhook', 'x', '\\x00', 'customer', 'user', $3, $3, 'problem', 1, 'test', 0.5
     from generate_series(1, $2::integer) as place`,
    well.id,
    count,
    daysBefore(well, 0),
  )

export const BREAKS: readonly Break[] = [
  {
    finding: 'no_source',
    evidence: /^0 sources/,
    happens: ({ sql, sourceId }) => sql('update sources set deleted_at = now() where id = $1', sourceId),
  },
  {
    finding: 'imports_alone',
    evidence: /^0 sources, 1 Signal, the newest received 2/,
    happens: async well => {
      await well.sql('update sources set deleted_at = now() where id = $1', well.sourceId)
      await well.sql('insert into imported_rows (signal_id, workspace_id) values ($2, $1)', well.id, well.signalId)
    },
  },
  {
    finding: 'secret_unreadable',
    evidence: /1 of 1 source: "Desk"/,
    happens: ({ sql, sourceId }) => sql(`update sources set sealed_secret = 'torn' where id = $1`, sourceId),
  },
  {
    finding: 'no_recent_signal',
    evidence: /9 days ago/,
    happens: well => well.sql('update signals set received_at = $2 where id = $1', well.signalId, daysBefore(well, 9)),
  },
  {
    finding: 'source_silent',
    evidence: /never received/,
    happens: async ({ call, sql }) => {
      const { data } = await call('service_connect', 'create', { name: 'Other' })
      await sql(`update sources set created_at = now() - interval '2 days' where id = $1`, data.id)
    },
  },
  {
    finding: 'source_paused',
    evidence: /"Desk", the first for 0 days; 4 requests/,
    happens: async well => {
      await well.call('service_connect', 'update', { id: well.sourceId, paused: true })
      await refused('source_paused', 4)(well)
    },
  },
  {
    finding: 'signature_failures',
    evidence: /5 signature_differs, and accepted 1/,
    happens: refused('signature_differs'),
  },
  { finding: 'clock_skew', evidence: /1 timestamp_outside/, happens: refused('timestamp_outside', 1) },
  { finding: 'limit_hit', evidence: /5 rate_limited/, happens: refused('rate_limited') },
  { finding: 'refused_requests', evidence: /5 invalid_body/, happens: refused('invalid_body') },
  { finding: 'endpoint_failures', evidence: /1 log_unavailable/, happens: refused('log_unavailable', 1) },
  {
    finding: 'code_host_without_pull_requests',
    evidence: /12 push, 0 pull_request/,
    happens: async ({ source, record }) => {
      const source_id = await source('code_host')
      await record(
        ...Array.from({ length: 12 }, () => ({ kind: 'code_host.event', source_id, outcome: 'push' }) as const),
      )
    },
  },
  {
    finding: 'processors_silent',
    evidence: /waited 20 minutes/,
    happens: ({ sql, id }) =>
      sql(
        `insert into outbox (workspace_id, activity, created_at) values ($1, '{}', now() - interval '20 minutes 10 seconds')`,
        id,
      ),
  },
  {
    finding: 'segment_not_served',
    evidence: /2 before anchor/,
    happens: async ({ record, minutesAgo }) => {
      await record(...walked(newId(), 'embed', 'next', { occurred_at: minutesAgo(20) }))
      await record(...walked(newId(), 'embed', 'next', { occurred_at: minutesAgo(10) }))
    },
  },
  {
    finding: 'stuck_signals',
    evidence: /^1 of the last day/,
    happens: async ({ record, minutesAgo }) => {
      await record({ kind: 'signal.received', subject_id: newId(), occurred_at: minutesAgo(20) })
      await record(...walked(newId(), 'cluster', 'next', { occurred_at: minutesAgo(10), version: WITH_JUDGE }))
    },
  },
  {
    finding: 'retrying_signals',
    evidence: /failed last with: The model is away/,
    happens: ({ record, minutesAgo }) =>
      record(...walked(newId(), 'embed', 'retry', { occurred_at: minutesAgo(10), reason: 'The model is away.' })),
  },
  {
    finding: 'lag',
    evidence: /p95 120 s over 2 signals/,
    happens: ({ record }) =>
      record(...walked(newId(), 'cluster', 'next', { elapsed_ms: 120_000, version: WITH_JUDGE })),
  },
  {
    finding: 'dead_letters',
    evidence: /1 waiting: 1 at embed \(fault: ours\)/,
    happens: ({ deadLetter }) => deadLetter({ step: 'embed', sealed: false, message: 'No.', fault: 'ours' }),
  },
  {
    finding: 'evidence_on_merged_claims',
    evidence: /^1 row\./,
    happens: async well => {
      const survivor = await well.claim('Survivor')
      // The state before the database enforced the rule.
      await well.sql(
        `begin; set local session_replication_role = replica;
         update claims set merged_into = '${survivor.id}' where id = '${well.claimId}'; commit`,
      )
    },
  },
  {
    finding: 'signals_without_claim',
    evidence: /^1 of the newest Signals, .*: SIG-1\.$/,
    happens: async ({ sql, claimId, signalId }) => {
      await sql('delete from claim_evidence where claim_id = $1', claimId)
      await sql(`update signals set inserted_at = now() - interval '2 hours' where id = $1`, signalId)
    },
  },
  {
    finding: 'texts_refused_by_model',
    evidence: /^1 at embed\. The server of the model m answered with HTTP status 400/,
    happens: async ({ deadLetter, sql }) => {
      const message = 'The server of the model m answered with HTTP status 400.'
      const id = await deadLetter({ step: 'embed', sealed: false, message, fault: 'ours' })
      await sql('update dead_letters set error_class = $2 where signal_id = $1', id, REFUSED_BY_MODEL)
    },
  },
  {
    finding: 'replays_die_again',
    evidence: /1 at embed/,
    happens: async ({ deadLetter, sql }) => {
      const id = await deadLetter({ step: 'embed', sealed: false, message: 'No.' })
      await sql('update dead_letters set deaths = 2 where signal_id = $1', id)
    },
    besides: ['dead_letters'],
  },
  {
    finding: 'vectors_of_another_model',
    evidence: /1 vector of Signals is of another-model/,
    happens: ({ sql, id }) => sql(`update signal_vectors set model = 'another-model' where workspace_id = $1`, id),
  },
  {
    finding: 'signals_without_vector',
    evidence: /1 of 1 Signal has/,
    happens: async well => {
      // The embedder refuses the scrubbed rest of a text.
      await job('re_scrub', 'done', '0')(well)
      await well.sql('delete from signal_vectors where workspace_id = $1', well.id)
    },
  },
  {
    finding: 'classifier_taught',
    evidence: /^Learned from 212 lessons; right in 81 % of the last 100, .* 90 % of the weight\.$/,
    happens: ({ sql, id }) =>
      sql(
        `insert into learned_classifiers (workspace_id, learned_at, lessons, corrections, asked, answered_right, weight)
         values ($1, now(), 212, 200, 100, 81, 0.9)`,
        id,
      ),
  },
  {
    finding: 'judge_missing',
    evidence: /0 pairs .* cluster works as cluster 1$|0 pairs .* cluster works as cluster 1\./,
    happens: ({ record }) => record(...walked(newId(), 'cluster', 'next', { version: 'cluster 1' })),
  },
  {
    finding: 'empty_map',
    evidence: /0 nodes for 1 Signal\./,
    happens: ({ sql, id }) => sql('delete from map_nodes where workspace_id = $1', id),
  },
  {
    finding: 'anchors_never_reached',
    evidence: /0 of the newest 21 Signals .* best score is 0.9/,
    happens: async well => {
      await well.sql('update signals set node_id = null where id = $1', well.signalId)
      for (let number = 0; number < 20; number += 1) await well.signal({ text: `Something else, ${number}.` })
    },
  },
  {
    finding: 'map_not_followed',
    evidence: /0 running jobs of kind re_anchor/,
    happens: ({ sql, id }) => sql('update map_revisions set revision = revision + 1 where workspace_id = $1', id),
  },
  {
    finding: 'metric_silent',
    evidence: /1: "Other"; the first had its last point received/,
    happens: async well => well.metricPoint(await boundMetric(well), daysBefore(well, 8)),
  },
  {
    finding: 'metric_without_points',
    evidence: /made 3 days ago and has 0 points/,
    happens: ({ source }) => source('metric', 3),
  },
  {
    finding: 'metric_unbound',
    evidence: /with 0 bindings/,
    happens: async well => well.metricPoint(await well.source('metric'), daysBefore(well, 0)),
  },
  {
    finding: 'metric_deleted',
    evidence: /1: "Other"/,
    happens: async well => well.sql('update sources set deleted_at = now() where id = $1', await boundMetric(well)),
  },
  {
    finding: 'job_failed',
    evidence: /re_scrub at 3 of 9, 60 minutes ago: The model is away/,
    happens: job('re_scrub', 'failed', '0'),
  },
  { finding: 'job_standing_still', evidence: /re_judge at 3 of 9/, happens: job('re_judge', 'running', '0') },
  { finding: 'job_waiting', evidence: /re_judge at 3 of 9/, happens: job('re_judge', 'running', '4') },
  {
    finding: 'waiting_proposals',
    evidence: /1 waiting, the oldest for 1 day\./,
    happens: well => proposal(well, '1 day'),
  },
  { finding: 'old_proposals', evidence: /1 waiting, the oldest for 8 days/, happens: well => proposal(well, '8 days') },
  {
    finding: 'old_triage',
    evidence: /1 in Triage, the oldest for 8 days/,
    happens: ({ sql, signalId }) =>
      sql(`update signals set inserted_at = now() - interval '8 days' where id = $1`, signalId),
  },
  {
    finding: 'triage_piles_up',
    evidence: /201 of 201/,
    happens: async well => {
      await manySignals(well, 200)
      await well.sql(
        `insert into signal_vectors (signal_id, workspace_id, model, place, embedding)
         select missing.id, missing.workspace_id, model, missing.number, embedding
         from signal_vectors join signals missing using (workspace_id)
         where workspace_id = $1 and missing.id <> signal_id`,
        well.id,
      )
      await well.sql('update signals set node_id = $2 where workspace_id = $1', well.id, well.nodeId)
    },
  },
  {
    finding: 'merged_pull_requests',
    evidence: /1 Solution .*: SOL-1/,
    happens: async ({ call, sql, id, signalId }) => {
      const input = { title: 'Mend it', comment: 'Mend it.' }
      const { data } = await call('service_decide', 'create_solution', input)
      await sql(`update solutions set state = 'In Progress' where id = $1`, data.solution.id)
      await sql(
        `insert into handoff_proposals (workspace_id, solution_id, repository, number, title, branch, state, signal_id, occurred_at)
         values ($1, $2, 'github:acme/app', 1, 'Mend it', 'mend', 'merged', $3, now())`,
        id,
        data.solution.id,
        signalId,
      )
    },
  },
  {
    finding: 'search_reads_beginnings',
    evidence: /^1 of \d+ texts are cut\.$/,
    // One character that stands for four words, 43,692 in all.
    happens: ({ signal }) => signal({ text: '\uFDFA'.repeat(10_923) }),
  },
  {
    finding: 'unused_keys',
    evidence: /1: "Old agent" \(…abcd\) made and never used 30 days ago/,
    happens: async ({ sql, id }) => {
      const owner = newId()
      await sql(`insert into account_users (id, name, email) values ($1, 'Owner', $2)`, owner, `${owner}@example.com`)
      await sql(`insert into members (workspace_id, user_id, role) values ($1, $2, 'owner')`, id, owner)
      await sql(
        `insert into mcp_keys (id, workspace_id, owner_id, label, hash, last_four, scope, created_at)
         select gen_random_uuid(), workspace_id, user_id, 'Old agent', sha256(user_id::text::bytea), 'abcd', 'workspace', now() - interval '30 days'
         from members where workspace_id = $1 and user_id = $2`,
        id,
        owner,
      )
    },
  },
]

const boundMetric = async (well: WellWorkspace): Promise<string> => {
  const metric_id = await well.source('metric')
  await well.call('service_map', 'bind_metric', { id: well.nodeId, metric_id, direction: 'up_is_good' })
  return metric_id
}
