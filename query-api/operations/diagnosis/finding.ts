import { isAssayError } from '../../../infra/runtime/errors.ts'
import {
  type MetricFacts,
  metricFacts,
  type StepFacts,
  type StoredSource,
  stepFacts,
  storedSources,
} from '../../../model/diagnosis/pipeline-facts.ts'
import {
  type EvidenceFacts,
  evidenceFacts,
  newestSignalText,
  type WorkFacts,
  workFacts,
} from '../../../model/diagnosis/workspace-facts.ts'
import { type UnusedKey, unusedKeys } from '../../../model/keys/keys.ts'
import { type LearningProgress, readLearningProgress } from '../../../model/learning/lessons.ts'
import { type PausedStep, pausedSteps } from '../../../model/pipeline/paused-steps.ts'
import { SEARCHED } from '../../../model/search/searched.ts'
import { codeHostEvents } from '../../../model/sources/source-requests.ts'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import type { SourceId } from '../../../schemas/domain/ids.ts'
import { OWN_WORDS, ownText } from '../../../schemas/domain/strangers.ts'
import { type ReadContext, type Static, type Transaction, Type } from '../define.ts'
import { instant, NextCall, oneOf } from '../parts/fields.ts'
import type { DependencyState } from '../pipeline/dependencies.ts'
import { type LastDay, refusalsOfDay } from '../sources/source.ts'

/** Worst first. */
export const SEVERITIES = ['broken', 'degraded', 'waiting', 'note'] as const

/** People who can end a finding. An agent can do what a member can. */
export const MENDERS = ['operator', 'owner', 'member', 'sender'] as const

/** A reason why the workspace does not work as expected. */
export const Finding = Type.Object({
  finding: Type.String({ description: 'Its name, the same in every answer.' }),
  severity: oneOf(SEVERITIES, {
    description:
      'broken: evidence is lost or stopped. degraded: works, less well. waiting: for a person. note: good to know.',
  }),
  cause: ownText(),
  evidence: ownText({ description: 'The figures that it was found by.' }),
  since: Type.With(instant, { description: 'Since when it is so, or as far back as that can be told. ISO 8601, UTC.' }),
  mended_by: oneOf(MENDERS, {
    description:
      'Who can end it. operator: who runs the installation. owner, member: of this workspace, an agent as its member. sender: who runs what sends.',
  }),
  next: Type.Object({
    ...NextCall.properties,
    arguments: Type.Record(Type.String(), Type.Unknown(), {
      $comment: OWN_WORDS,
      description: 'Beside mode; to be sent as they are.',
    }),
  }),
  remedy: Type.String({ description: 'What ends it.' }),
})
export type Finding = Static<typeof Finding>

/** A rule over the facts; null when they do not show the finding. */
export type Check = (facts: Facts) => Finding | null

/** The time this many days before. */
export const daysBefore = (now: Date, days: number): string => new Date(now.getTime() - days * DAY_MS).toISOString()

/** Names for people, as many as a line holds. */
export const named = (items: readonly { readonly name: string }[]): string => {
  const shown = items.slice(0, 3).map(({ name }) => `"${Array.from(name).slice(0, 60).join('')}"`)
  return items.length > shown.length ? `${shown.join(', ')} and ${items.length - shown.length} more` : shown.join(', ')
}

interface SourceRequests {
  readonly lastDay: LastDay
  /** Time of the first refusal for each reason, milliseconds since the epoch. */
  readonly firstRefusals: ReadonlyMap<string, number>
  /** Events of a code host in the last 30 days, by name. */
  readonly events: Readonly<Record<string, number>>
}

export type SourceFacts = StoredSource & Partial<SourceRequests>

/** Result of a search for the words of the newest signal. */
interface SearchFacts {
  readonly failed: boolean
  readonly texts: number
  /** Number of texts that are not indexed with all of their words. */
  readonly cut: number
}

/** Facts about a workspace for `diagnose`. */
export interface Facts {
  readonly now: Date
  /** The configuration has been the same at least since then. */
  readonly started_at: Date
  /** Unavailable dependencies, as in the app's banner. */
  readonly away: readonly DependencyState[]
  readonly takes_mail: boolean
  readonly embedder: { readonly model: string; readonly limitation: string | null }
  readonly sources: readonly SourceFacts[]
  readonly evidence: EvidenceFacts
  readonly learning: LearningProgress
  readonly work: WorkFacts
  readonly metrics: readonly MetricFacts[]
  readonly unused_keys: readonly UnusedKey[]
  /** Steps that people have paused in the whole installation. */
  readonly paused: readonly PausedStep[]
  readonly search: SearchFacts
  /** Null while the analytics are away; the sources then have no requests either. */
  readonly steps: StepFacts | null
}

/** Unavailable dependencies, found without any store. */
export const readAway = async ({ dependencies }: ReadContext['services']): Promise<readonly DependencyState[]> =>
  (await dependencies.read()).filter(({ state }) => state === 'away')

const EVENT_DAYS = 30

/** The facts without the outages, which `readAway` finds in parallel. */
export const readFacts = async ({ read, services, caller }: ReadContext): Promise<Omit<Facts, 'away'>> => {
  const { analytics, embedder, mailDomain, startedAt, unseal } = services
  const { model, limitation } = embedder
  const now = services.now()
  const [stored, sources, steps, search] = await Promise.all([
    read(readStored(model)),
    // Separate, so that the analytics are queried while the database answers the rest.
    read(transaction => storedSources(transaction, unseal)).then(of => withRequests(services, caller, of, now)),
    unlessUnavailable(() => stepFacts(analytics, caller.workspaceId, now)),
    trySearch(read, services.texts, caller.workspaceId),
  ])
  return {
    ...stored,
    now,
    started_at: startedAt,
    takes_mail: mailDomain !== null,
    embedder: { model, limitation },
    sources,
    steps,
    search,
  }
}

/** A large workspace that nobody has searched yet is loaded in the background. */
const SEARCH_WAIT_MS = 50

const trySearch = async (
  read: ReadContext['read'],
  texts: ReadContext['services']['texts'],
  workspaceId: ReadContext['caller']['workspaceId'],
): Promise<SearchFacts> => {
  const text = await read(newestSignalText)
  try {
    const held = await texts.refresh(read, workspaceId, SEARCH_WAIT_MS)
    held.search(text, SEARCHED, 1)
    held.having(text, 'signal', 1)
    return { failed: false, texts: held.texts, cut: held.cut }
  } catch {
    // While the database is away, the other facts say so.
    return { failed: true, texts: 0, cut: 0 }
  }
}

type StoredFacts = Pick<Facts, 'evidence' | 'learning' | 'work' | 'metrics' | 'unused_keys' | 'paused'>

/** The database's facts, in one round trip. */
const readStored =
  (model: string) =>
  async (transaction: Transaction): Promise<StoredFacts> => {
    const [evidence, learning, work, metrics, unused, paused] = await Promise.all([
      evidenceFacts(transaction, model),
      readLearningProgress(transaction),
      workFacts(transaction),
      metricFacts(transaction),
      unusedKeys(transaction),
      pausedSteps(transaction),
    ])
    return { evidence, learning, work, metrics, unused_keys: unused, paused }
  }

/** The sources with their requests, when the analytics answer. */
const withRequests = async (
  { analytics }: Pick<ReadContext['services'], 'analytics'>,
  { workspaceId }: Pick<ReadContext['caller'], 'workspaceId'>,
  stored: readonly StoredSource[],
  now: Date,
): Promise<readonly SourceFacts[]> => {
  const sources = stored.map(({ id }) => id)
  const codeHosts = stored.flatMap(({ id, kind }) => (kind === 'code_host' ? [id] : []))
  const since = new Date(now.getTime() - EVENT_DAYS * DAY_MS)
  const [events, ofDay] = await Promise.all([
    unlessUnavailable(() => codeHostEvents({ analytics, workspaceId, sources: codeHosts }, since)),
    refusalsOfDay(analytics, workspaceId, { sources, now }),
  ])
  if (events === null) return stored
  const eventsOf = (source: SourceId) =>
    Object.fromEntries(
      events.filter(({ source_id }) => source_id === source).map(({ outcome, events: count }) => [outcome, count]),
    )
  return stored.map(source => ({ ...source, ...ofDay(source.id), events: eventsOf(source.id) }))
}

const unlessUnavailable = async <Value>(read: () => Promise<Value>): Promise<Value | null> => {
  try {
    return await read()
  } catch (error) {
    if (isAssayError(error) && error.retriable) return null
    throw error
  }
}
