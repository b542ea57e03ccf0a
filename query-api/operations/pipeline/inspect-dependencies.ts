import { type Static, Type } from 'typebox'
import { withDeadline } from '../../../infra/runtime/deadline.ts'
import { asAssayError } from '../../../infra/runtime/errors.ts'
import type { Outage } from '../../../infra/runtime/reachability.ts'
import { type ReadReports, readReports } from '../../../model/pipeline/processor-report.ts'
import { readOperation, type Services } from '../define.ts'
import { inOneAnswer, instant, nullable, oneOf } from '../parts/fields.ts'

const DEPENDENCIES = ['database', 'analytics', 'log', 'processors', 'embedder', 'judge'] as const
type Dependency = (typeof DEPENDENCIES)[number]

const State = Type.Object({
  name: oneOf(DEPENDENCIES),
  state: oneOf(['answers', 'away', 'not_configured']),
  since: nullable(Type.With(instant, { description: 'Away since, where that is known.' })),
  reason: Type.String({ description: 'What it, or whoever asked it, said; empty while it answers.' }),
  effect: Type.String({ description: 'What does not work meanwhile, and what does; empty while it answers.' }),
})
type State = Static<typeof State>

const MEANS: Readonly<Record<Dependency, string>> = {
  database: 'Nothing can be read or decided until it is back. What senders send is kept on the log.',
  analytics: 'Figures and analysis are missing. Signals go on, and their activity is kept on the log.',
  log: 'Senders are told to come back, and nothing goes through the pipeline.',
  processors: 'What senders send is accepted and kept on the log. It goes on by itself.',
  embedder: 'Signals wait for it before they are stored, and go on by themselves. Nothing is found by meaning.',
  judge: 'Signals are in Triage as usual. What they have in common is found once it is back.',
}

/** A store that takes longer to say that it is there is of no use to anybody. */
const PATIENCE_MS = 2000

/** Why it does not answer; null when it does. */
const refusalOf = async (check: () => Promise<void>): Promise<string | null> => {
  try {
    await withDeadline(check(), PATIENCE_MS, 'An answer')
    return null
  } catch (error) {
    return asAssayError(error).publicMessage
  }
}

const stateOf = (name: Dependency, away: { readonly since: number | null; readonly reason: string } | null): State => ({
  name,
  state: away === null ? 'answers' : 'away',
  since: away?.since == null ? null : new Date(away.since).toISOString(),
  reason: away?.reason ?? '',
  effect: away === null ? '' : MEANS[name],
})

const known = (reason: string | null) => (reason === null ? null : { since: null, reason })

const processorsState = ({ reports, last_at }: ReadReports): State => {
  if (reports.length === 0) {
    return stateOf('processors', {
      since: last_at?.getTime() ?? null,
      reason: 'No processor has said anything lately.',
    })
  }
  const groups = reports.flatMap(({ segments, queues }) => [
    ...segments.flatMap(({ head, lanes }) => lanes.map(lane => ({ ...lane, name: head }))),
    ...queues.map(queue => ({ ...queue, name: queue.group })),
  ])
  const halted = groups.find(({ state }) => state === 'waiting') ?? groups.find(({ state }) => state === 'stuck')
  if (halted === undefined) return stateOf('processors', null)
  const { name, state, reason, oldest_at: since } = halted
  const stuck = `${name} stands still, and does not say what for.`
  return stateOf('processors', { since, reason: state === 'stuck' ? stuck : `${name} waits: ${reason}` })
}

const modelsStates = ({ reports }: ReadReports, embedderHere: string | null): readonly State[] => {
  const awayOf = (away: Outage | null | undefined) => away ?? null
  const embedder = reports.map(report => awayOf(report.embedder.away)).find(away => away !== null)
  const judge = reports.map(report => awayOf(report.judge?.away)).find(away => away !== null)
  const withJudge = reports.length === 0 || reports.some(report => report.judge !== null)
  return [
    stateOf('embedder', embedder ?? known(embedderHere)),
    withJudge ? stateOf('judge', judge ?? null) : { ...stateOf('judge', null), state: 'not_configured' },
  ]
}

/** Whether each store answers this process now, each within its time. */
const askStores = async ({ database, analytics, log, embedder }: Services['checks']) => {
  const [databaseSays, analyticsSays, logSays, embedderSays] = await Promise.all(
    [database, analytics, log, embedder].map(refusalOf),
  )
  return {
    stores: [
      stateOf('database', known(databaseSays ?? null)),
      stateOf('analytics', known(analyticsSays ?? null)),
      stateOf('log', known(logSays ?? null)),
    ],
    embedder: embedderSays ?? null,
  }
}

export const inspectDependencies = readOperation({
  name: 'inspect_dependencies',
  title: 'What the service depends on, and whether it answers',
  summary:
    'Answers whether the stores answer this process now, whether processors serve the pipeline, and whether the models answered them last; what does not, with what that means for people.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  worksAs: 'assay_accounts',
  input: Type.Object({}),
  output: Type.Object({ items: inOneAnswer('one for each dependency', State) }),
  run: async (_input, { read, services }) => {
    const { stores, embedder } = await askStores(services.checks)
    const reports = await read(readReports)
    const models = modelsStates(reports, embedder)
    const processors = processorsState(reports)
    // A segment that waits for a model which is known to be away says nothing more.
    const explained = [...stores, ...models].some(({ reason }) => reason !== '' && processors.reason.endsWith(reason))
    return { data: { items: [...stores, explained ? stateOf('processors', null) : processors, ...models] } }
  },
})
