/**
 * Grafana's dashboards, as what each panel asks. `npm run docs` writes their JSON; a test holds that what they ask for
 * exists. What the engines say of themselves is for their own exporters' dashboards.
 */

/** Units as Grafana names them. */
type Unit = 'reqps' | 's' | 'short' | 'bytes' | 'percentunit' | 'cps'

export interface Panel {
  readonly title: string
  readonly unit: Unit
  /** A name for each series, with Grafana's `{{label}}`, and what is asked for it. */
  readonly queries: Readonly<Record<string, string>>
  /** What to look for, where the title does not say it. */
  readonly note?: string
  readonly kind?: 'timeseries' | 'stat' | 'table'
}

export interface Dashboard {
  /** Of its file and its address in Grafana. */
  readonly name: string
  readonly title: string
  readonly panels: readonly Panel[]
}

const RATE = '[$__rate_interval]'

const rate = (metric: string, by = ''): string => `sum${by === '' ? '' : ` by (${by})`} (rate(${metric}${RATE}))`

const quantile = (share: number, histogram: string, matchers = '', by = ''): string =>
  `histogram_quantile(${share}, sum by (le${by === '' ? '' : `, ${by}`}) (rate(${histogram}_bucket${matchers}${RATE})))`

const spread = (histogram: string, matchers = ''): Readonly<Record<string, string>> => ({
  median: quantile(0.5, histogram, matchers),
  '95th': quantile(0.95, histogram, matchers),
  '99th': quantile(0.99, histogram, matchers),
})

const lagBy = (by: string, matchers = ''): string =>
  `sum by (${by}) (max by (group, topic, partition) (assay_consumer_lag_records${matchers}))`

const processPanels = (program: string): readonly Panel[] => [
  {
    title: 'CPU, in cores',
    unit: 'short',
    queries: { '{{instance}}': `sum by (instance) (rate(process_cpu_seconds_total{program="${program}"}${RATE}))` },
  },
  {
    title: 'Memory',
    unit: 'bytes',
    queries: { '{{instance}}': `max by (instance) (process_resident_memory_bytes{program="${program}"})` },
  },
  {
    title: 'Event loop, 99th percentile',
    unit: 's',
    queries: { '{{instance}}': `max by (instance) (nodejs_eventloop_lag_p99_seconds{program="${program}"})` },
  },
]

const FAILED = 'outcome=~"internal|unavailable|timeout|damaged"'

export const DASHBOARDS: readonly Dashboard[] = [
  {
    name: 'assay-edge',
    title: 'Assay: edge',
    panels: [
      {
        title: 'Accepted',
        unit: 'reqps',
        queries: { '{{receiver}}': rate('assay_ingest_accepted_total', 'receiver') },
      },
      {
        title: 'Refused, by reason',
        unit: 'reqps',
        queries: { '{{reason}}': rate('assay_ingest_refused_total', 'reason') },
        note: '`overloaded` and `log_unavailable` are ours, `rate_limited` protects others, the rest is a sender’s.',
      },
      { title: 'Append to the log', unit: 's', queries: spread('assay_ingest_append_seconds') },
      {
        title: 'Records an append, median',
        unit: 'short',
        queries: { records: quantile(0.5, 'assay_ingest_append_records') },
      },
      {
        title: 'Bodies in memory',
        unit: 'bytes',
        queries: { '{{instance}}': 'max by (instance) (assay_ingest_in_flight_bytes)' },
        note: 'At `INGEST_IN_FLIGHT_BYTES` the edge answers 503.',
      },
      {
        title: 'Sources known',
        unit: 'short',
        queries: { '{{instance}}': 'max by (instance) (assay_ingest_sources)' },
        note: '-1: the list was never loaded.',
      },
      {
        title: 'Limits counted together',
        unit: 'short',
        queries: { '{{instance}}': 'max by (instance) (assay_ingest_limits_shared)' },
        note: '0 while Valkey is away.',
      },
      {
        title: 'Refusals that activity does not show',
        unit: 'reqps',
        queries: { refusals: rate('assay_ingest_refusals_unreported_total') },
      },
      ...processPanels('ingest'),
    ],
  },
  {
    name: 'assay-pipeline',
    title: 'Assay: pipeline',
    panels: [
      {
        title: 'Signals inserted',
        unit: 'cps',
        queries: { '{{lane}}': rate('assay_step_outcomes_total{step="insert"}', 'lane') },
      },
      {
        title: 'From receipt to visible, live',
        unit: 's',
        queries: spread('assay_signal_age_seconds', '{step="insert", lane="live"}'),
      },
      {
        title: 'Waiting, by group',
        unit: 'short',
        queries: { '{{group}}': lagBy('group') },
        note: 'Records in `assay.retry.…` wait on purpose.',
      },
      {
        title: 'Oldest that waits',
        unit: 's',
        queries: { '{{group}}': 'max by (group) (assay_consumer_oldest_age_seconds)' },
      },
      {
        title: 'Standing still',
        unit: 'short',
        queries: { '{{group}}': 'max by (group) (assay_group_waiting)' },
        note: '1 while a group waits for a dependency.',
      },
      {
        title: 'Pauses',
        unit: 'cps',
        queries: { '{{group}}': rate('assay_group_pauses_total', 'group') },
      },
      {
        title: 'Part of the time that groups stood still',
        unit: 'percentunit',
        queries: { '{{group}}': `max by (group) (rate(assay_group_paused_seconds_total${RATE}))` },
      },
      {
        title: 'A batch in each step, 95th percentile',
        unit: 's',
        queries: { '{{step}}': quantile(0.95, 'assay_step_duration_seconds', '', 'step') },
      },
      {
        title: 'A record in each step, mean',
        unit: 's',
        queries: {
          '{{step}}': `${rate('assay_step_record_seconds_sum', 'step')} / ${rate('assay_step_record_seconds_count', 'step')}`,
        },
      },
      {
        title: 'Records a batch, median',
        unit: 'short',
        queries: { '{{group}}': quantile(0.5, 'assay_batch_records', '', 'group') },
      },
      { title: 'Outcomes', unit: 'cps', queries: { '{{outcome}}': rate('assay_step_outcomes_total', 'outcome') } },
      { title: 'Retries', unit: 'cps', queries: { '{{step}}': rate('assay_retries_total', 'step') } },
      {
        title: 'Dead letters',
        unit: 'cps',
        queries: { '{{step}}, {{fault}}': rate('assay_dead_letters_total', 'step, fault') },
      },
      ...processPanels('processors'),
    ],
  },
  {
    name: 'assay-stores',
    title: 'Assay: stores and models',
    panels: [
      {
        title: 'Away, as the programs see it',
        unit: 'short',
        queries: { '{{program}}: {{check}}': 'max by (program, check) (assay_check_failing)' },
      },
      { title: 'Log: append', unit: 's', queries: spread('assay_ingest_append_seconds') },
      {
        title: 'PostgreSQL: steps that write and read it, a record',
        unit: 's',
        queries: {
          '{{step}}': `${rate('assay_step_record_seconds_sum{step=~"anchor|dedup|insert|cluster"}', 'step')} / ${rate('assay_step_record_seconds_count{step=~"anchor|dedup|insert|cluster"}', 'step')}`,
        },
      },
      {
        title: 'ClickHouse: activity that waits for it',
        unit: 'short',
        queries: { records: lagBy('group', '{group="assay.activity"}') },
      },
      { title: 'Embeddings: a request', unit: 's', queries: spread('assay_embed_request_seconds') },
      {
        title: 'Embeddings: requests, by outcome',
        unit: 'reqps',
        queries: { '{{outcome}}': rate('assay_embed_request_seconds_count', 'outcome') },
      },
      {
        title: 'Judge and classifier: requests, by outcome',
        unit: 'reqps',
        queries: {
          'judge {{outcome}}': rate('assay_judge_request_seconds_count', 'outcome'),
          'classifier {{outcome}}': rate('assay_classifier_request_seconds_count', 'outcome'),
        },
      },
      {
        title: 'Embeddings: vectors that were known',
        unit: 'percentunit',
        queries: {
          known: `${rate('assay_embed_cache_hits_total')} / (${rate('assay_embed_cache_hits_total')} + ${rate('assay_embed_cache_misses_total')})`,
        },
      },
      {
        title: 'Free on the disk of the data directory',
        unit: 'bytes',
        queries: { '{{instance}}': 'min by (instance) (assay_disk_free_bytes)' },
        note: 'Of one process. Engines have exporters of their own.',
      },
      {
        title: 'Age of the last backup',
        unit: 's',
        queries: { '{{instance}}': 'max by (instance) (assay_backup_age_seconds)' },
        note: 'By `assay backup` alone; nothing before the first one.',
      },
    ],
  },
  {
    name: 'assay-agents',
    title: 'Assay: agents and the app',
    panels: [
      { title: 'Calls', unit: 'reqps', queries: { '{{door}}': rate('assay_calls_total', 'door') } },
      {
        title: 'Agents: a call',
        unit: 's',
        queries: spread('assay_call_seconds', '{door="agent"}'),
      },
      { title: 'App: a call', unit: 's', queries: spread('assay_call_seconds', '{door="app"}') },
      {
        title: 'Part that fails',
        unit: 'percentunit',
        queries: {
          '{{door}}': `${rate(`assay_calls_total{${FAILED}}`, 'door')} / ${rate('assay_calls_total', 'door')}`,
        },
      },
      {
        title: 'Agents: refused, by error',
        unit: 'reqps',
        queries: { '{{outcome}}': rate('assay_calls_total{door="agent", outcome!="ok"}', 'outcome') },
        note: '`invalid_input` that grows: an agent does not understand a tool.',
      },
      {
        title: 'Agents: most called',
        unit: 'reqps',
        queries: { '{{operation}}': `topk(10, ${rate('assay_calls_total{door="agent"}', 'operation')})` },
      },
      { title: 'Work units', unit: 'cps', queries: { '{{door}}': rate('assay_work_units_total', 'door') } },
      {
        title: 'Mails and erasures that wait, or failed',
        unit: 'short',
        queries: {
          'mails that wait': 'max(assay_mails_waiting)',
          'mails that failed': 'max(assay_mails_failed)',
          'erasures that wait': 'max(assay_erasures_waiting)',
          'erasures that failed': 'max(assay_erasures_failed)',
        },
      },
      {
        title: 'Oldest mail, oldest erasure',
        unit: 's',
        queries: {
          mail: 'max(assay_mails_oldest_age_seconds)',
          erasure: 'max(assay_erasures_oldest_age_seconds)',
        },
      },
      {
        title: 'Versions',
        unit: 'short',
        queries: { '{{version}} {{program}}': 'count by (version, program) (assay_info)' },
      },
      ...processPanels('query-api'),
    ],
  },
  {
    name: 'assay-tenants',
    title: 'Assay: sources and tenants',
    panels: [
      {
        title: 'Busiest sources',
        unit: 'reqps',
        queries: { '{{source}}': `topk(10, ${rate('assay_ingest_source_requests_total', 'source')})` },
        note: 'A source is shown by its metrics label, which its page in the app has; it does not give its address away.',
      },
      {
        title: 'Most refused sources',
        unit: 'reqps',
        queries: {
          '{{source}}, {{outcome}}': `topk(10, ${rate('assay_ingest_source_requests_total{outcome!="accepted"}', 'source, outcome')})`,
        },
      },
      {
        title: 'Above a limit',
        unit: 'reqps',
        queries: {
          '{{source}}, {{outcome}}': `topk(10, ${rate('assay_ingest_source_requests_total{outcome=~"rate_limited|too_many_bytes"}', 'source, outcome')})`,
        },
      },
      {
        title: 'Silent for longest',
        unit: 's',
        kind: 'table',
        queries: { '{{source}}': 'topk(20, time() - max by (source) (assay_ingest_source_last_seen_seconds))' },
      },
      {
        title: 'Bulk lane: what is above a tenant’s share, and imports',
        unit: 'cps',
        queries: { '{{lane}}': rate('assay_step_outcomes_total{step="validate"}', 'lane') },
      },
      {
        title: 'Bulk lane: waiting',
        unit: 'short',
        queries: { '{{group}}': lagBy('group', '{group=~".+\\\\.bulk"}') },
      },
    ],
  },
]
