import { STUCK_AFTER_MINUTES } from '../../../../model/diagnosis/pipeline-facts.ts'
import { counted, plural } from '../../../../schemas/domain/for-people.ts'
import type { DependencyName, DependencyState } from '../../pipeline/dependencies.ts'
import type { Facts, Finding } from '../finding.ts'

/** Missing dependencies, in the words of the app's banner. */

interface Known {
  readonly severity: Finding['severity']
  readonly cause: string
  readonly remedy: string
  readonly next: Finding['next']
}

const call = (tool: string, mode: string, reason: string): Finding['next'] => ({ tool, mode, arguments: {}, reason })
const PIPELINE = call('service_support', 'pipeline', 'Shows when each step last did something, and what waits.')

const KNOWN: Readonly<Record<DependencyName, Known>> = {
  database: {
    severity: 'broken',
    cause: 'PostgreSQL does not answer as it should.',
    remedy: 'An operator looks at PostgreSQL: that it runs, has room on its disk, and answers within 2 seconds.',
    next: call('service_support', 'diagnose', 'Says whether it is back.'),
  },
  analytics: {
    severity: 'degraded',
    cause: 'ClickHouse does not answer: what sources refused and what the steps did cannot be checked now.',
    remedy: 'An operator looks at ClickHouse; nothing is lost meanwhile, activity waits on the log.',
    next: call('service_support', 'jobs', 'Works without it.'),
  },
  log: {
    severity: 'broken',
    cause: 'The log does not take records, so senders are answered 503 and nothing goes through the pipeline.',
    remedy:
      'An operator looks at the log: the disk of the data directory, or the Kafka brokers. Senders that repeat lose nothing.',
    next: PIPELINE,
  },
  registry: {
    severity: 'degraded',
    cause: 'The schema registry does not answer.',
    remedy: 'An operator looks at the schema registry (SCHEMA_REGISTRY_URL) and its credentials.',
    next: PIPELINE,
  },
  processors: {
    severity: 'broken',
    cause: 'The pipeline stands still: its processors are down, or wait for something.',
    remedy: 'An operator looks at what the reason names, or starts the processors; Signals go on by themselves.',
    next: PIPELINE,
  },
  embedder: {
    severity: 'broken',
    cause: 'The embedding model does not answer as it should, so Signals wait before they are stored.',
    remedy: 'An operator looks at the model’s server (EMBEDDINGS_URL); Signals go on by themselves once it answers.',
    next: PIPELINE,
  },
  judge: {
    severity: 'degraded',
    cause: 'The judge does not answer as it should: pairs of claims that look alike wait.',
    remedy:
      'An operator looks at the judge’s server (JUDGE_URL). Signals that wait go on by themselves once it answers. Pairs whose answer could not be read wait for people, or for service_support mode start_job with re_judge.',
    next: call('service_lookup', 'proposals', 'Lists the pairs, which people can confirm or refuse meanwhile.'),
  },
  mail: {
    severity: 'degraded',
    cause: 'Mail cannot be sent.',
    remedy: 'An operator looks at the mail server and at SMTP_URL; the mails that wait are sent by themselves.',
    next: call('service_support', 'diagnose', 'Says whether it is back.'),
  },
}

/** Actions by the HTTP status of a model's server. */
const BY_STATUS: Readonly<Record<string, string>> = {
  401: 'An operator gives a key that is valid',
  403: 'An operator gives a key that may use this model',
  404: 'An operator corrects the model’s name or the address',
  429: 'An operator raises the limit or the budget at the model’s provider, or waits until it is over',
}

const SETTINGS: Readonly<Partial<Record<DependencyName, string>>> = {
  embedder: 'EMBEDDINGS_API_KEY, EMBEDDINGS_MODEL, EMBEDDINGS_URL',
  judge: 'JUDGE_API_KEY, JUDGE_MODEL, JUDGE_URL',
}

const remedyOf = ({ name, reason }: DependencyState): string => {
  const settings = SETTINGS[name]
  const status = /HTTP status (\d{3})/.exec(reason)?.[1]
  const known = status === undefined ? undefined : BY_STATUS[status]
  if (settings === undefined || known === undefined) return KNOWN[name].remedy
  return `${known} (${settings}). What waits goes on by itself; nothing is lost.`
}

export type AwayFacts = Pick<Facts, 'now' | 'away'> & Partial<Pick<Facts, 'steps'>>

/** One finding for each unavailable dependency. */
export const findingsOfAway = ({ now, away: seen, steps }: AwayFacts): readonly Finding[] => {
  const isMissed = steps === null && !seen.some(({ name }) => name === 'analytics')
  const away = isMissed ? [...seen, UNANSWERED] : seen
  return away.map(state => {
    const { name, reason, effect, since } = state
    const { severity, cause, next } = KNOWN[name]
    const waiting = steps?.stuck[0]?.total ?? 0
    const waited =
      waiting > 0 && severity === 'broken'
        ? ` ${counted(waiting, 'Signal')} ${plural(waiting, 'has', 'have')} waited over ${STUCK_AFTER_MINUTES} minutes.`
        : ''
    const withoutAnalytics = away.some(other => other.name === 'analytics') && next === PIPELINE
    return {
      finding: `${name}_away`,
      severity,
      cause: `${cause} ${effect}`.trim(),
      evidence: `${reason}${waited}`,
      since: new Date(since ?? now.getTime()).toISOString(),
      mended_by: 'operator',
      next: withoutAnalytics ? KNOWN.analytics.next : next,
      remedy: remedyOf(state),
    }
  })
}

/** The analytics after they reported to be available and then did not answer. */
const UNANSWERED: DependencyState = {
  name: 'analytics',
  state: 'away',
  since: null,
  reason: 'No answer to the questions about the last 24 hours.',
  effect: '',
}
