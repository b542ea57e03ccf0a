import { setTimeout as sleep } from 'node:timers/promises'
import { STEPS } from '../../../schemas/domain/vocabulary.ts'
import { type ActivityAnswer, type Agent, agentOf } from '../../../test/support/agent.ts'
import { type CreatedSource, createSignalSource, type Person } from '../../../test/support/person.ts'
import { sendSignal } from '../../../test/support/sender.ts'
import { quantilesOf } from '../../support/measuring.ts'

const SEND_EVERY_MS = 1000
const LOOK_EVERY_MS = 50
/** How long after the last signal it is waited for those that are not visible yet. */
const TIMEOUT_MS = 120_000

/** What is measured of the good tenant, each in milliseconds. */
export const MEASURED = {
  app: 'a list of the app',
  mcp: 'a search of an agent',
  webhook: 'a signal until it is answered',
  visible: 'from there until Triage shows it; of one that is still not there, how long it was waited for',
} as const

export type Took = Readonly<Record<keyof typeof MEASURED, number[]>>

interface Measured {
  readonly took: Took
  /** In words. */
  readonly summary: string
}

interface GoodTenant {
  /** For each step, how long after their receipt it was done with the signals that came since. */
  stepsSince(from: Date): Promise<string>
  /** Sends and reads for so long, and answers how long each took. */
  measure(seconds: number): Promise<Measured>
  close(): Promise<void>
}

/** A tenant that sends a signal a second, looks at its Triage as the app does, and has an agent that searches. */
export const createGoodTenant = async (person: Person, feedback: () => string): Promise<GoodTenant> => {
  const source = await createSignalSource(person)
  const agent = await agentOf(person)
  return {
    measure: seconds => measure({ person, source, agent, feedback }, seconds),
    stepsSince: from => stepsSince(person, from),
    close: () => agent.close(),
  }
}

const stepsSince = async (person: Person, from: Date): Promise<string> => {
  const { items } = await person.call<ActivityAnswer>('analyze_activity', {
    metrics: ['p50_elapsed_ms', 'p95_elapsed_ms'],
    group_by: ['step'],
    filters: [{ field: 'kind', op: 'in', values: ['signal.step'] }],
    time: { from: from.toISOString() },
  })
  const elapsed = new Map(items.map(({ group, metrics }) => [group.step, metrics]))
  const summary = (step: string) =>
    ['p50_elapsed_ms', 'p95_elapsed_ms'].map(name => elapsed.get(step)?.[name]?.toFixed(0)).join('/')
  return STEPS.map(step => `${step} ${summary(step)}`).join(', ')
}

interface Acting {
  readonly person: Person
  readonly source: CreatedSource
  readonly agent: Agent
  readonly feedback: () => string
}

const measure = async ({ person, source, agent, feedback }: Acting, seconds: number): Promise<Measured> => {
  const answeredAt = new Map<string, number>()
  const took: Took = { app: [], mcp: [], webhook: [], visible: [] }
  let refused = 0
  /** Notes how long something took; what fails counts as refused, with the time that it took. */
  const timed = async <Answer>(what: keyof Took, work: () => Promise<Answer>): Promise<Answer | null> => {
    const since = performance.now()
    const answer = await work().catch(() => null)
    took[what].push(performance.now() - since)
    if (answer === null) refused += 1
    return answer
  }
  const send = async () => {
    const answer = await timed('webhook', async () => {
      const { status, body } = await sendSignal(source, { text: feedback(), source: 'good' })
      if (status !== 200) throw new Error(`The signal was answered with ${status}.`)
      return body
    })
    if (answer !== null) answeredAt.set(String(answer.snippet_id), performance.now())
  }
  const search = () => timed('mcp', () => agent.call('service_lookup', { mode: 'search', query: 'export fails' }))
  let sending = true
  const sends = Promise.all([sendEvenly(seconds, send), sendEvenly(seconds, search)]).finally(() => {
    sending = false
  })
  let deadline = Number.POSITIVE_INFINITY
  while ((sending || answeredAt.size > 0) && performance.now() < deadline) {
    for (const id of (await timed('app', () => newestIds(person))) ?? []) {
      const since = answeredAt.get(id)
      if (since === undefined) continue
      took.visible.push(performance.now() - since)
      answeredAt.delete(id)
    }
    if (!sending && deadline === Number.POSITIVE_INFINITY) deadline = performance.now() + TIMEOUT_MS
    await sleep(LOOK_EVERY_MS)
  }
  await sends
  const missing = [...answeredAt.values()].map(since => performance.now() - since)
  took.visible.push(...missing)
  const quantiles = Object.entries(took).map(([what, all]) => {
    const at = quantilesOf(all)
    return `${what} ${all.length}: p50 ${at(0.5).toFixed(0)}, p95 ${at(0.95).toFixed(0)}, longest ${at(1).toFixed(0)} ms`
  })
  return {
    took,
    summary: `${quantiles.join('; ')}; ${missing.length} not visible at the end, ${refused} failed`,
  }
}

/** Begins something every second, whatever became of the one before. */
const sendEvenly = async (seconds: number, act: () => Promise<unknown>): Promise<void> => {
  const acts: Promise<unknown>[] = []
  const startedAt = performance.now()
  for (let number = 0; number * SEND_EVERY_MS < seconds * 1000; number += 1) {
    await sleep(Math.max(0, startedAt + number * SEND_EVERY_MS - performance.now()))
    acts.push(act())
  }
  await Promise.all(acts)
}

const newestIds = async (person: Person): Promise<readonly string[]> => {
  const { items } = await person.call<{ items: readonly { id: string }[] }>('list_signals', { limit: 200 })
  return items.map(({ id }) => id)
}
