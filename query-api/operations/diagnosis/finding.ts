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

/** The worst first. */
export const SEVERITIES = ['broken', 'degraded', 'waiting', 'note'] as const

/** Who can end a finding. An agent does what a member can. */
export const MENDERS = ['operator', 'owner', 'member', 'sender'] as const

/** One thing that keeps the workspace from doing what is expected of it. */
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

/** Judges the facts by one rule: null while they show nothing of it. */
export type Check = (facts: Facts) => Finding | null

/** The instant so many days before. */
export const daysBefore = (now: Date, days: number): string => new Date(now.getTime() - days * DAY_MS).toISOString()

/** Names for people, as many as a line holds. */
export const named = (items: readonly { readonly name: string }[]): string => {
  const shown = items.slice(0, 3).map(({ name }) => `"${Array.from(name).slice(0, 60).join('')}"`)
  return items.length > shown.length ? `${shown.join(', ')} and ${items.length - shown.length} more` : shown.join(', ')
}

/** What came to a source. */
interface SourceRequests {
  readonly lastDay: LastDay
  /** When the first refusal for each reason came, milliseconds since the epoch. */
  readonly firstRefusals: ReadonlyMap<string, number>
  /** Events of a code host in the last 30 days, by their names. */
  readonly events: Readonly<Record<string, number>>
}

export type SourceFacts = StoredSource & Partial<SourceRequests>

/** How a search for the words of the newest Signal went. */
interface SearchFacts {
  readonly failed: boolean
  readonly texts: number
  /** How many of the texts are not found by all of their words. */
  readonly cut: number
}

/** What `diagnose` judges a workspace by. */
export interface Facts {
  readonly now: Date
  /** Since when what is configured has been so, at the least. */
  readonly started_at: Date
  /** What the service depends on and does not have, as the app's banner says it. */
  readonly away: readonly DependencyState[]
  readonly takes_mail: boolean
  readonly embedder: { readonly model: string; readonly limitation: string | null }
  readonly sources: readonly SourceFacts[]
  readonly evidence: EvidenceFacts
  readonly learning: LearningProgress
  readonly work: WorkFacts
  readonly metrics: readonly MetricFacts[]
  readonly unused_keys: readonly UnusedKey[]
  /** What people hold still in the whole installation. */
  readonly paused: readonly PausedStep[]
  readonly search: SearchFacts
  /** Null while the analytics are away; then the sources have no requests either. */
  readonly steps: StepFacts | null
}

/** What is away, which is found without any store. */
export const readAway = async ({ dependencies }: ReadContext['services']): Promise<readonly DependencyState[]> =>
  (await dependencies.read()).filter(({ state }) => state === 'away')

const EVENT_DAYS = 30

/** The service looks for what is away meanwhile, and says so beside the facts. */
export const readFacts = async ({ read, services, caller }: ReadContext): Promise<Omit<Facts, 'away'>> => {
  const { analytics, embedder, mailDomain, startedAt, unseal } = services
  const { model, limitation } = embedder
  const now = services.now()
  const [stored, sources, steps, search] = await Promise.all([
    read(readStored(model)),
    // Read by itself: what came to each is asked of the analytics while the database answers the rest.
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

/** A large workspace that nobody has searched yet is read in the background. */
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
    // Where the database is away, the other facts say so.
    return { failed: true, texts: 0, cut: 0 }
  }
}

type StoredFacts = Pick<Facts, 'evidence' | 'learning' | 'work' | 'metrics' | 'unused_keys' | 'paused'>

/** What the database has, in one round trip. */
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

/** The sources with what came to them, where the analytics say so. */
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
