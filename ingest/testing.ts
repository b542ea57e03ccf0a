import { createHmac } from 'node:crypto'
import type { OutgoingRecord } from '../infra/log/port.ts'
import { createMemoryRegistry } from '../infra/log/testing-registry.ts'
import { parseConfig } from '../infra/runtime/config.ts'
import { AssayError } from '../infra/runtime/errors.ts'
import { createHealth } from '../infra/runtime/health.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { createMetrics } from '../infra/runtime/metrics.ts'
import { createCodecs } from '../model/codecs.ts'
import { newId, type SourceId, type TenantId, type WorkspaceId } from '../schemas/domain/ids.ts'
import { ACTIVITY_TOPIC, METRIC_POINTS_TOPIC } from '../schemas/events/topics.ts'
import { INGEST_CONFIG, type IngestSettings } from './config.ts'
import { type IngestPorts, startIngest } from './ingest.ts'
import type { Source, SourceLoader, SourceState } from './registry/source.ts'

/** A log that stores in memory, can be held back, and can be away. */
export const createFakeLog = () => {
  const appends: OutgoingRecord[][] = []
  let gate: PromiseWithResolvers<void> | null = null
  let away = false
  let offered = 0
  return {
    /** How many records it was asked to store, whatever became of them. */
    offered: () => offered,
    /** What became durable, an array for each append. */
    appends,
    records: () => appends.flat(),
    /** Appends wait from now on, until the function that is answered is called. */
    hold: () => {
      gate = Promise.withResolvers()
      return () => {
        gate?.resolve()
        gate = null
      }
    },
    setUnavailable: (value: boolean) => {
      away = value
    },
    append: async (records: readonly OutgoingRecord[]) => {
      offered += records.length
      await gate?.promise
      if (away) throw new AssayError('unavailable', 'The log is away.')
      appends.push([...records])
    },
    ping: async () => {
      if (away) throw new AssayError('unavailable', 'The log is away.')
    },
  }
}

/** Sources in memory, behind the loader's port; counts the questions it is asked. */
export const createFakeSources = () => {
  const states = new Map<SourceId, SourceState>()
  let clock = Date.now()
  let away = false
  const calls = { polls: 0, find: 0, within: 0, states: 0 }
  const answer = async (wanted: (state: SourceState) => boolean) => {
    if (away) throw new AssayError('unavailable', 'The store is away.')
    return [...states.values()].filter(wanted)
  }
  const loader: SourceLoader = {
    all: () => {
      calls.polls++
      return answer(state => state.source !== null)
    },
    changedWithin: async (milliseconds, isNews) => {
      calls.polls++
      calls.within = milliseconds
      const states = await answer(({ id, changedAt }) => isNews(id, changedAt))
      calls.states += states.length
      return states
    },
    find: ids => {
      calls.find++
      return answer(state => ids.includes(state.id))
    },
  }
  return {
    loader,
    calls,
    setUnavailable: (value: boolean) => {
      away = value
    },
    add: (over: Partial<Source> = {}): Source => {
      const source = testSource({ secrets: [{ value: 'a-shared-secret', until: null }], ...over })
      states.set(source.id, { id: source.id, changedAt: ++clock, source })
      return source
    },
    remove: (id: SourceId) => {
      states.set(id, { id, changedAt: ++clock, source: null })
    },
  }
}

/** Of every kind of record, over a registry in memory. */
export const testCodecs = createCodecs(createMemoryRegistry())
const { signalCodec, activityCodec, metricPointCodec } = testCodecs

export const settingsWith = (over: Partial<IngestSettings> = {}): IngestSettings => ({
  ...parseConfig(INGEST_CONFIG, {}),
  port: 0,
  registryPollMs: 50,
  ...over,
})

/** An edge on a free port, over fakes unless other ports are given. */
export const startTestEdge = async (settings: Partial<IngestSettings> = {}, ports: Partial<IngestPorts> = {}) => {
  const log = createFakeLog()
  const sources = createFakeSources()
  const edge = await startIngest({
    settings: settingsWith(settings),
    log,
    signalCodec,
    activityCodec,
    metricPointCodec,
    sources: sources.loader,
    logger: createLogger({ level: 'silent', program: 'ingest' }),
    metrics: createMetrics({ program: 'ingest' }),
    health: createHealth(),
    ...ports,
  })
  return {
    log,
    sources,
    port: edge.port,
    smtpPort: edge.smtpPort,
    url: `http://127.0.0.1:${edge.port}`,
    stop: edge.stop,
    signals: () => decoded(log.records(), record => record.topic.startsWith('signals.'), signalCodec),
    points: () => decoded(log.records(), record => record.topic === METRIC_POINTS_TOPIC, metricPointCodec),
    /** Of all that became durable, or of these records. */
    activities: (records: readonly OutgoingRecord[] = log.records()) =>
      decoded(records, record => record.topic === ACTIVITY_TOPIC, activityCodec),
  }
}

const decoded = <T>(
  records: readonly OutgoingRecord[],
  wanted: (record: OutgoingRecord) => boolean,
  codec: { decode(bytes: Uint8Array): Promise<T> },
): Promise<T[]> => Promise.all(records.filter(wanted).map(record => codec.decode(record.value)))

export const sign = (body: string | Uint8Array, secret = 'a-shared-secret'): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** Posts a signal body as a sender does. */
export const postSignal = (
  url: string,
  id: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(`${url}/api/webhooks/custom/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-signature': sign(text), ...headers },
    body: text,
  })
}

/** A source of signals without a secret, but for what is given. */
export const testSource = (over: Partial<Source> = {}): Source => ({
  id: newId<SourceId>(),
  workspaceId: newId<WorkspaceId>(),
  tenantId: newId<TenantId>(),
  kind: 'signal',
  codeHost: null,
  name: 'Test source',
  secrets: [],
  secretHashes: [],
  settings: {},
  paused: false,
  ...over,
})
