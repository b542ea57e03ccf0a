import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { LiveTopic } from '../../../schemas/domain/vocabulary.ts'
import { workspaceHeaders } from './accounts.ts'
import { isAsking } from './http.ts'
import { noteSession } from './session.ts'

/** An event of a stream: its name, and its data as text. */
interface LiveEvent {
  readonly event: string
  readonly data: string
}

/** Splits a `text/event-stream` into events as it arrives. Comments, which keep the stream alive, are left out. */
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

/** Null when the page may have missed events, so everything may have changed. */
type Tell = (topics: readonly LiveTopic[] | null) => void

const SOONEST_MS = 1000
const LATEST_MS = 30_000
/** A stream without data for this long is dead: the service sends a comment every few seconds. */
const SILENT_MS = 20_000
/** Time after the page's first stream opened until its earlier reads are repeated. */
const FIRST_READ_MS = 3000

const watchers = new Set<Tell>()
const stateWatchers = new Set<() => void>()
let connection: AbortController | null = null
let isLive = false
/** True after a stream of this page was open. */
let wasOpen = false
let wait = SOONEST_MS

/** True while the page receives changes. */
const liveNow = (): boolean => isLive

const setLive = (live: boolean): void => {
  if (live === isLive) return
  isLive = live
  for (const tell of stateWatchers) tell()
}

const notifyAll: Tell = topics => {
  for (const tell of watchers) tell(topics)
}

/** Reads a stream to its end. Answers true when another stream makes sense. */
const readStream = async (signal: AbortSignal): Promise<boolean> => {
  const isSessionNew = noteSession()
  const response = await fetch('/api/app/events', { headers: workspaceHeaders(), signal })
  // The person is signed out or no member any more; the next operation shows it.
  if (response.status === 401) return isSessionNew()
  if (response.status === 403) return false
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
      // The service's own data; an unknown topic matches no watcher.
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
 * The first stream opens during the page's first reads. They are repeated only after all have answered, because a
 * change in between is rare and a slow line should not load twice.
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
    // Random pauses, so that not all pages come back at once after a restart.
    await sleep(wait * (0.5 + Math.random()), signal)
    wait = Math.min(wait * 2, LATEST_MS)
  }
}

/** A hidden page holds no stream: a browser allows six connections to a host for all its tabs. */
const connect = (): void => {
  const wanted = watchers.size > 0 && document.visibilityState === 'visible'
  if (wanted === (connection !== null)) return
  connection?.abort()
  connection = wanted ? new AbortController() : null
  if (connection === null) setLive(false)
  else void keepOpen(connection.signal)
}

/** After a change of the network a stream may be dead without an end, so a new one is opened at once. */
const reconnect = (): void => {
  connection?.abort()
  connection = null
  wait = SOONEST_MS
  setLive(false)
  connect()
}

/** Listens until the answered function is called; the page's listeners share a stream. */
const listen = (tell: Tell): (() => void) => {
  if (watchers.size === 0) {
    document.addEventListener('visibilitychange', connect)
    for (const change of ['offline', 'online']) addEventListener(change, reconnect)
  }
  watchers.add(tell)
  connect()
  return () => {
    watchers.delete(tell)
    // The stream survives a render, or a change to another listening screen.
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
 * Runs `run` after any change of the topics, by a colleague, an agent or the pipeline, and when the page may have
 * missed one. Answers true while the page receives changes.
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
