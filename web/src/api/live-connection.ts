import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { LiveTopic } from '../../../schemas/domain/vocabulary.ts'
import { workspaceHeaders } from './accounts.ts'
import { isAsking } from './http.ts'

/** One event of a stream: what it is called, and its data as it was written. */
interface LiveEvent {
  readonly event: string
  readonly data: string
}

/** Splits a `text/event-stream` as it comes into events. Comments, which keep the stream alive, are left out. */
export const createEventReader = () => {
  let rest = ''
  return (chunk: string): readonly LiveEvent[] => {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    return blocks.flatMap(block => {
      const fields = block.split('\n').map(line => /^(event|data): ?(.*)$/.exec(line))
      const fieldOf = (name: string) => fields.find(field => field?.[1] === name)?.[2]
      const data = fieldOf('data')
      return data === undefined ? [] : [{ event: fieldOf('event') ?? 'message', data }]
    })
  }
}

/** Null: the page may have missed something, so everything may have changed. */
type Tell = (topics: readonly LiveTopic[] | null) => void

const SOONEST_MS = 1000
const LATEST_MS = 30_000
/**
 * A stream on which nothing comes for so long is a dead one: the service says every few seconds that it is still there.
 */
const SILENT_MS = 20_000
/** So long after the first stream of a page is open, what was read meanwhile is read again. */
const FIRST_READ_MS = 3000

const watchers = new Set<Tell>()
const stateWatchers = new Set<() => void>()
let connection: AbortController | null = null
let isLive = false
/** Whether a stream of this page was open before. */
let wasOpen = false
let wait = SOONEST_MS

/** Whether changes are heard of at the moment. */
const liveNow = (): boolean => isLive

const setLive = (live: boolean): void => {
  if (live === isLive) return
  isLive = live
  for (const tell of stateWatchers) tell()
}

const notifyAll: Tell = topics => {
  for (const tell of watchers) tell(topics)
}

/** Reads one stream to its end. Answers whether it makes sense to open another. */
const readStream = async (signal: AbortSignal): Promise<boolean> => {
  const response = await fetch('/api/app/events', { headers: workspaceHeaders(), signal })
  // Signed out, or no member any more: the next read of an operation says so.
  if (response.status === 401 || response.status === 403) return false
  if (!response.ok || response.body === null) return true
  const read = createEventReader()
  const text = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const timer = setTimeout(() => void text.cancel(), SILENT_MS)
    const { done, value } = await text.read().finally(() => clearTimeout(timer))
    if (done) return true
    for (const { event, data } of read(value)) {
      if (event === 'end') return false
      if (event === 'open') {
        wait = SOONEST_MS
        setLive(true)
        if (wasOpen) notifyAll(null)
        else void afterFirstReads(signal).then(() => notifyAll(null))
        wasOpen = true
      }
      // The service’s own words; a topic that this page does not know concerns nobody.
      if (event === 'changed') notifyAll((JSON.parse(data) as { topics: LiveTopic[] }).topics)
    }
  }
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/**
 * The first stream opens while the page reads all that it shows: what is asked for is not asked for a second time
 * before that is there, as a slow line has better to do. That something has changed in between is the exception.
 */
const afterFirstReads = async (signal: AbortSignal): Promise<void> => {
  do await sleep(FIRST_READ_MS, signal)
  while (isAsking() && !signal.aborted)
}

const keepOpen = async (signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const again = await readStream(signal).catch(() => true)
    setLive(false)
    if (!again) return
    // Not all pages at once after a restart.
    await sleep(wait * (0.5 + Math.random()), signal)
    wait = Math.min(wait * 2, LATEST_MS)
  }
}

/** A page that nobody looks at holds no stream: a browser has six connections to a host for all its tabs together. */
const connect = (): void => {
  const wanted = watchers.size > 0 && document.visibilityState === 'visible'
  if (wanted === (connection !== null)) return
  connection?.abort()
  connection = wanted ? new AbortController() : null
  if (connection === null) setLive(false)
  else void keepOpen(connection.signal)
}

/**
 * The browser lost its network, or has one again: what is open may be dead without having ended, so it is opened anew
 * at once.
 */
const reconnect = (): void => {
  connection?.abort()
  connection = null
  wait = SOONEST_MS
  setLive(false)
  connect()
}

/** Listens, together with whoever else does in this page, until the function that it answers is called. */
const listen = (tell: Tell): (() => void) => {
  if (watchers.size === 0) {
    document.addEventListener('visibilitychange', connect)
    for (const change of ['offline', 'online']) addEventListener(change, reconnect)
  }
  watchers.add(tell)
  connect()
  return () => {
    watchers.delete(tell)
    // A screen that renders anew, or gives way to another one that listens, keeps the stream.
    setTimeout(connect)
    if (watchers.size > 0) return
    document.removeEventListener('visibilitychange', connect)
    for (const change of ['offline', 'online']) removeEventListener(change, reconnect)
  }
}

const onLiveChange = (tell: () => void): (() => void) => {
  stateWatchers.add(tell)
  return () => {
    stateWatchers.delete(tell)
  }
}

/**
 * Runs whenever something of the topics has changed, whoever changed it: a colleague, an agent, the pipeline; and when
 * the page may have missed that. Answers whether it hears of changes at the moment.
 */
export const useLiveChange = (topics: readonly LiveTopic[], run: () => void): boolean => {
  const newest = useRef({ topics, run })
  newest.current = { topics, run }
  useEffect(
    () =>
      listen(changed => {
        const wanted = newest.current
        if (changed === null || changed.some(topic => wanted.topics.includes(topic))) wanted.run()
      }),
    [],
  )
  return useSyncExternalStore(onLiveChange, liveNow)
}
