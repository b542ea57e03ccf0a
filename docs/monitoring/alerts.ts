/**
 * What is worth waking somebody for, or a ticket. Each alert has its runbook: what it means, where to look, what to do.
 * `npm run docs` writes the rules and the page; a test holds that their metrics, labels and reasons are the code's.
 */
import { parseConfig } from '../../infra/runtime/config.ts'
import { INGEST_CONFIG } from '../../ingest/config.ts'

export interface Alert {
  readonly name: string
  /** `page`: people or senders are without something now. `ticket`: soon, or it can wait for the morning. */
  readonly severity: 'page' | 'ticket'
  readonly expr: string
  readonly for: string
  /** One sentence, with Prometheus' templates. */
  readonly summary: string
  /** What it means for people and senders. */
  readonly means: string
  readonly look: readonly string[]
  readonly do: readonly string[]
}

const { maxInFlightBytes } = parseConfig(INGEST_CONFIG, {})

/** Records wait on purpose in the delay queues, and the bulk lane may wait for hours. */
const LIVE_GROUPS = 'group!~"assay\\\\.retry\\\\..+|.+\\\\.bulk"'
const NO_DELAYS = 'group!~"assay\\\\.retry\\\\..+"'

/** Every replica of a group says the same of a partition. */
const lag = (matchers: string, range = ''): string =>
  `max by (group, topic, partition) (assay_consumer_lag_records{${matchers}}${range})`

export const ALERTS: readonly Alert[] = [
  {
    name: 'AssayProgramAway',
    severity: 'page',
    expr: 'up{job="assay"} == 0',
    for: '2m',
    summary: '{{ $labels.instance }} does not answer Prometheus',
    means: 'A program has ended, hangs, or cannot be reached. With replicas the others go on.',
    look: [
      'The state and the last lines of its container: a program that cannot start says why in one sentence.',
      '`/livez` of the program, from the machine that it runs on.',
    ],
    do: [
      'Mend what the sentence names, and start it again. Nothing that was answered 200 is lost.',
      'It was killed for its memory: see [sizes](../operations/kubernetes.md#sizes), and raise the limit or lower the caches.',
    ],
  },
  {
    name: 'AssayCheckFailing',
    severity: 'page',
    expr: 'max by (program, check) (assay_check_failing) == 1',
    for: '5m',
    summary: '{{ $labels.program }} waits for: {{ $labels.check }}',
    means: 'A store that the program needs does not answer. What comes in is kept and waits, or senders get 503.',
    look: [
      '`/readyz` of the program: it says in words what is away.',
      '[While an engine is away](../operations/watch.md#while-an-engine-is-away): who is without what meanwhile.',
    ],
    do: ['Bring the engine back. The programs go on by themselves; do not restart them.'],
  },
  {
    name: 'AssayEdgeRefuses',
    severity: 'page',
    expr: 'sum by (reason) (rate(assay_ingest_refused_total{reason=~"overloaded|log_unavailable|registry_unavailable|internal"}[5m])) > 0',
    for: '5m',
    summary: 'The edge answers senders 503: {{ $labels.reason }}',
    means: 'Senders are told to repeat. Those that do not repeat lose what they sent.',
    look: [
      '`log_unavailable`: the log does not confirm. `/readyz` of the edge, and the brokers.',
      '`registry_unavailable`: the edge has no list of sources, for the database was away when it began.',
      '`internal`: a defect; the log of the edge has the error.',
      '`overloaded`: bodies in memory are at `INGEST_IN_FLIGHT_BYTES`. See how long an append takes.',
    ],
    do: [
      'Bring the log back, or give it a faster disk.',
      'Add edges: they share nothing but the log. `INGEST_IN_FLIGHT_BYTES` bounds the memory of each.',
    ],
  },
  {
    name: 'AssaySignalsWait',
    severity: 'page',
    expr: `max by (group) (assay_consumer_oldest_age_seconds{${LIVE_GROUPS}}) > 60`,
    for: '5m',
    summary: 'The oldest record of {{ $labels.group }} waits {{ $value | humanizeDuration }}',
    means: 'What was sent is kept on the log and not yet shown. It is late, not lost.',
    look: [
      'The dashboard Pipeline: whether the group stands still (`assay_group_waiting`), is paused, or is only slow.',
      '**Pipeline** in the app: a step that somebody paused says who and why.',
    ],
    do: [
      'It waits: bring the dependency back that `/readyz` of the processors names.',
      'It is slow: add processors, as many as `SIGNAL_PARTITIONS` at most ([Scale](../operations/scale.md)).',
      'It is paused: resume the step.',
    ],
  },
  {
    name: 'AssayBacklogGrows',
    severity: 'ticket',
    expr: `sum by (group) (${lag(NO_DELAYS)}) > 1000 and sum by (group) (${lag(NO_DELAYS)} - ${lag(NO_DELAYS, ' offset 1h')}) > 0`,
    for: '1h',
    summary: '{{ $value | humanize }} records wait for {{ $labels.group }}, and they become more',
    means: 'More comes in than is worked off. The log keeps it for days; then the oldest is lost.',
    look: ['The dashboard Pipeline: which step takes the time, and whether one tenant sends all of it.'],
    do: [
      'Add processors, as many as `SIGNAL_PARTITIONS` at most ([Scale](../operations/scale.md)).',
      'Slow embeddings: a faster model server, or more of them.',
    ],
  },
  {
    name: 'AssayGroupWaits',
    severity: 'page',
    expr: 'max by (group) (assay_group_waiting) == 1',
    for: '5m',
    summary: '{{ $labels.group }} stands still until a dependency is back',
    means: 'A model or a store is away, and the pipeline waits for it instead of failing signals.',
    look: ['`/readyz` of the processors says which dependency, and what it answered.'],
    do: [
      'Bring it back. A model: see whether its key, its quota or its address changed.',
      'A judge that is away for long: unset `JUDGE_URL` and restart the processors; people confirm merges then.',
    ],
  },
  {
    name: 'AssayGroupPausesOften',
    severity: 'ticket',
    expr: 'max by (group) (rate(assay_group_paused_seconds_total[30m])) > 0.5',
    for: '30m',
    summary: '{{ $labels.group }} stood still {{ $value | humanizePercentage }} of the last half hour',
    means: 'A dependency comes and goes. Signals arrive, but slowly.',
    look: ['The log of the processors: `waiting for`, with the reason of each pause.'],
    do: ['Mend the dependency: a server that restarts, a limit of requests, a network between.'],
  },
  {
    name: 'AssayDeadLetters',
    severity: 'ticket',
    expr: 'sum by (step, fault) (increase(assay_dead_letters_total{fault!~"sender|automatic"}[15m])) > 0',
    for: '0m',
    summary: 'Signals died in {{ $labels.step }} ({{ $labels.fault }})',
    means: 'A step cannot work on a signal. It is kept as a dead letter until somebody replays or discards it.',
    look: [
      '**Pipeline** in the app, or `service_support` mode `dead_letter`: the cause of each.',
      '[Dead letters](../operations/recover.md#dead-letters): what each fault means.',
    ],
    do: [
      'Mend the cause (usually: upgrade), then replay. `too_costly`: raise `STEP_CPU_BUDGET_MS`, or discard.',
      '`transient`: mend the dependency. These are tried again by themselves for a day.',
    ],
  },
  {
    name: 'AssaySenderDeadLetters',
    severity: 'ticket',
    expr: 'sum by (step) (increase(assay_dead_letters_total{fault="sender"}[1h])) > 100',
    for: '0m',
    summary: '{{ $value | humanize }} signals of senders died in {{ $labels.step }} within an hour',
    means: 'A sender sends what cannot become a signal.',
    look: ['The dead letters of the step: which source they came from.'],
    do: ['Talk to the sender, then discard. A test request of the source shows the right form.'],
  },
  {
    name: 'AssayManyRetries',
    severity: 'ticket',
    expr: 'sum by (step) (rate(assay_retries_total[15m])) / sum by (step) (rate(assay_step_outcomes_total[15m])) > 0.05',
    for: '15m',
    summary: '{{ $value | humanizePercentage }} of the outcomes of {{ $labels.step }} are retries',
    means: 'A step fails in a way that may pass. After the last of `RETRY_DELAYS` these signals become dead letters.',
    look: ['The log of the processors at `LOG_LEVEL=info`: what the step was answered.'],
    do: ['Mend the dependency of that step before the retries are used up.'],
  },
  {
    name: 'AssaySignalsLate',
    severity: 'ticket',
    expr: 'histogram_quantile(0.95, sum by (le) (rate(assay_signal_age_seconds_bucket{step="insert", lane="live"}[10m]))) > 30',
    for: '10m',
    summary: 'One live signal in twenty takes {{ $value | humanizeDuration }} until people see it',
    means: 'Slower than people expect of a live product. Change the 30 seconds to what you promised.',
    look: ['The dashboard Pipeline: the step whose duration grew; embeddings and the database come first.'],
    do: ['Add processors, a faster embeddings server, or memory for PostgreSQL.'],
  },
  {
    name: 'AssayNothingInserted',
    severity: 'page',
    expr: 'sum(rate(assay_ingest_accepted_total{receiver!="metric"}[15m])) > 0.05 and (sum(rate(assay_step_outcomes_total{step="insert"}[15m])) or vector(0)) == 0',
    for: '15m',
    summary: 'Signals are accepted, and none arrives in the database',
    means: 'The pipeline stands still without saying so. What was accepted waits on the log.',
    look: [
      'Whether processors run at all, and whether every segment is served (`PIPELINE_SEGMENTS`).',
      '**Pipeline** in the app: a paused step.',
    ],
    do: ['Start processors, or resume the step. If a group is `stuck` on `/readyz`, restart its processor.'],
  },
  {
    name: 'AssayEmbeddingFails',
    severity: 'ticket',
    expr: 'sum(rate(assay_embed_request_seconds_count{outcome!="ok"}[10m])) / sum(rate(assay_embed_request_seconds_count[10m])) > 0.1',
    for: '10m',
    summary: '{{ $value | humanizePercentage }} of the requests to the embedding model fail',
    means: 'Signals wait before the step that embeds. Search by meaning fails with the same model.',
    look: ['`outcome` of `assay_embed_request_seconds`, and the log of the model’s server.'],
    do: ['Mend or restart the model’s server; look at its key and its quota.'],
  },
  {
    name: 'AssayEmbeddingSlow',
    severity: 'ticket',
    expr: 'histogram_quantile(0.95, sum by (le) (rate(assay_embed_request_seconds_bucket[10m]))) > 15',
    for: '10m',
    summary: 'The embedding model takes {{ $value | humanizeDuration }}',
    means: 'Half of the default `EMBEDDINGS_TIMEOUT`. Soon requests end unanswered.',
    look: ['The load of the model’s server.'],
    do: ['A smaller `EMBEDDINGS_BATCH`, a longer `EMBEDDINGS_TIMEOUT`, or a faster server.'],
  },
  {
    name: 'AssayLogSlow',
    severity: 'ticket',
    expr: 'histogram_quantile(0.99, sum by (le) (rate(assay_ingest_append_seconds_bucket[10m]))) > 1',
    for: '10m',
    summary: 'The log takes {{ $value | humanizeDuration }} to make an append durable',
    means: 'Senders wait as long for their answer. After `INGEST_APPEND_TIMEOUT` they get 503.',
    look: ['The brokers: their disk, their replicas in sync, their heap.'],
    do: ['Give the brokers a faster disk; bring replicas back in sync.'],
  },
  {
    name: 'AssayEdgeMemory',
    severity: 'ticket',
    expr: `max by (instance) (assay_ingest_in_flight_bytes) > ${Math.round(maxInFlightBytes * 0.8)}`,
    for: '5m',
    summary: '{{ $labels.instance }} holds {{ $value | humanize1024 }}B of bodies',
    means: 'Four fifths of `INGEST_IN_FLIGHT_BYTES` by default. At the whole the edge answers 503.',
    look: ['How long an append takes, and who sends (the dashboard Tenants).'],
    do: ['Add edges, or raise `INGEST_IN_FLIGHT_BYTES` with the memory of the container.'],
  },
  {
    name: 'AssaySourcesUnknown',
    severity: 'page',
    expr: 'max by (instance) (assay_ingest_sources) == -1',
    for: '5m',
    summary: '{{ $labels.instance }} has never loaded the list of sources',
    means: 'This edge is not ready and takes nothing. Others that loaded it go on.',
    look: ['`/readyz` of the edge: the database, its migrations, or another installation key.'],
    do: ['Bring the database back, or run `assay migrate`.'],
  },
  {
    name: 'AssayLimitsApart',
    severity: 'ticket',
    expr: 'max by (instance) (assay_ingest_limits_shared) == 0',
    for: '15m',
    summary: '{{ $labels.instance }} counts the requests of senders by itself',
    means: 'Valkey is away. Behind n edges a sender has up to n times its limit.',
    look: ['`/readyz` of the edge: `shared limits`.'],
    do: ['Bring Valkey back. Nothing has to be restored in it.'],
  },
  {
    name: 'AssayCallsFail',
    severity: 'page',
    expr: 'sum by (door) (rate(assay_calls_total{outcome=~"internal|unavailable|timeout|damaged"}[10m])) / sum by (door) (rate(assay_calls_total[10m])) > 0.05',
    for: '10m',
    summary: '{{ $value | humanizePercentage }} of the calls of the {{ $labels.door }} fail',
    means: 'People see errors in the app, or agents get them from their tools.',
    look: [
      'The dashboard Agents: which operations, and with which outcome.',
      '`internal`: the log of the query API has the error with its operation.',
    ],
    do: ['`unavailable`, `timeout`: look at the stores. `internal`: a defect; roll back if it came with an upgrade.'],
  },
  {
    name: 'AssayCallsSlow',
    severity: 'ticket',
    expr: 'histogram_quantile(0.95, sum by (le, door) (rate(assay_call_seconds_bucket[10m]))) > 5',
    for: '10m',
    summary: 'One call in twenty of the {{ $labels.door }} takes {{ $value | humanizeDuration }}',
    means: 'The app feels slow, or agents wait.',
    look: ['The dashboards Agents and Stores: one operation, or all; the CPU of PostgreSQL.'],
    do: ['Add a query API, memory for PostgreSQL, or `SEARCH_MEMORY_MB` where search is slow.'],
  },
  {
    name: 'AssayMailsWait',
    severity: 'ticket',
    expr: 'max(assay_mails_oldest_age_seconds) > 900',
    for: '5m',
    summary: 'The oldest mail waits {{ $value | humanizeDuration }}',
    means: 'People do not get their links: a new password, a confirmation, an invitation.',
    look: ['The log of the query API: `A mail waits.` with the reason.'],
    do: [
      'Mend the mail server or `SMTP_URL` ([Mail](../operations/mail.md#mail-does-not-arrive)). Mails go by themselves.',
    ],
  },
  {
    name: 'AssayMailsFail',
    severity: 'ticket',
    expr: 'max(assay_mails_failed) > 10',
    for: '5m',
    summary: '{{ $value | humanize }} mails of the last day were not sent and are given up',
    means: 'The mail server refuses them for good, or was away for longer than they are worth sending.',
    look: ['The log of the query API: `A mail cannot be sent.` with the reason.'],
    do: ['See whether the server lets `MAIL_FROM` send. People ask for their links again.'],
  },
  {
    name: 'AssayErasureLate',
    severity: 'ticket',
    expr: 'max(assay_erasures_oldest_age_seconds) > 6 * 3600',
    for: '15m',
    summary: 'An erasure takes {{ $value | humanizeDuration }} by now',
    means: 'Somebody who asked to be forgotten is not yet.',
    look: [
      '**Settings → Erase** in the workspace: what the job says that it waits for.',
      'Whether processors run, and whether a step is paused: what is on the log is waited for.',
    ],
    do: ['Start processors, resume the step, or bring the store back. The job goes on by itself.'],
  },
  {
    name: 'AssayErasureFails',
    severity: 'ticket',
    expr: 'max(assay_erasures_failed) > 0',
    for: '15m',
    summary: 'In {{ $value | humanize }} workspaces the last erasure has failed',
    means: 'A part of what was to be erased is still there.',
    look: ['**Settings → Erase** in the workspace: the message of the erasure.'],
    do: ['Mend what it names, then **Go on** in that list.'],
  },
  {
    name: 'AssayBackupOld',
    severity: 'ticket',
    expr: 'max by (instance) (assay_backup_age_seconds) > 2 * 86400',
    for: '15m',
    summary: 'The last backup is {{ $value | humanizeDuration }} old',
    means: 'What came in since then is lost if the disk is.',
    look: ['The output of the job that makes backups (cron keeps it in its mail or log).'],
    do: ['Make one by hand, `assay backup`, and see what it says ([Back up](../operations/back-up.md)).'],
  },
  {
    name: 'AssayDiskFull',
    severity: 'page',
    expr: 'min by (instance) (assay_disk_free_bytes) < 2e9',
    for: '10m',
    summary: '{{ $labels.instance }} has {{ $value | humanize1024 }}B left for its data',
    means: 'When the disk is full, senders are answered 503 until there is room. What was accepted is kept.',
    look: ['[A full disk](../operations/recover.md#a-full-disk): what grows.'],
    do: ['Make room or a larger disk; set [retention](../operations/erase.md#what-goes-by-its-age).'],
  },
  {
    name: 'AssayVersionsDiffer',
    severity: 'ticket',
    expr: 'count(count by (version) (assay_info)) > 1',
    for: '1h',
    summary: '{{ $value | humanize }} versions of Assay run side by side',
    means: 'An upgrade was begun and not finished. Two versions work together; a third may not start any more.',
    look: ['`assay_info` by `program` and `instance`: who has not been replaced.'],
    do: ['Finish it, or roll all programs back ([Upgrade](../operations/upgrade.md)).'],
  },
  {
    name: 'AssayEventLoopSlow',
    severity: 'ticket',
    expr: 'max by (program, instance) (nodejs_eventloop_lag_p99_seconds) > 0.5',
    for: '10m',
    summary: '{{ $labels.instance }} is {{ $value | humanizeDuration }} late with what it does',
    means: 'The program has more to do than one core gives it.',
    look: ['Its CPU, and whether its container is throttled.'],
    do: ['Add a replica, or raise the limit of CPU to at least one core.'],
  },
]
