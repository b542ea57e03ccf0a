import { setTimeout as sleep } from 'node:timers/promises'
import { STEPS } from '../../../schemas/domain/vocabulary.ts'
import type { ActivityAnswer } from '../../../test/support/agent.ts'
import { type CreatedSource, createSignalSource, type Person } from '../../../test/support/person.ts'
import { sendSignal } from '../../../test/support/sender.ts'
import { quantilesOf } from '../../support/measuring.ts'

const SEND_EVERY_MS = 1000
const LOOK_EVERY_MS = 50
/** How long after the last signal it is waited for those that are not visible yet. */
const TIMEOUT_MS = 120_000

interface Visible {
  /** Of each signal; of one that is still not there, how long it was waited for. */
  readonly took: readonly number[]
  /** In words. */
  readonly summary: string
}

interface GoodTenant {
  /** For each step, how long after their receipt it was done with the signals that came since. */
  stepsSince(from: Date): Promise<string>
  /** Sends for so long, and answers how long each signal took from its answer until Triage shows it. */
  measure(seconds: number): Promise<Visible>
}

/** A tenant that sends a signal a second and looks at its Triage as the app does. */
export const createGoodTenant = async (person: Person, feedback: () => string): Promise<GoodTenant> => {
  const source = await createSignalSource(person)
  return {
    measure: seconds => measure(person, source, feedback, seconds),
    stepsSince: from => stepsSince(person, from),
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

const measure = async (
  person: Person,
  source: CreatedSource,
  feedback: () => string,
  seconds: number,
): Promise<Visible> => {
  const answeredAt = new Map<string, number>()
  const took: number[] = []
  let refused = 0
  const send = async () => {
    const { status, body } = await sendSignal(source, { text: feedback(), source: 'good' }).catch(() => NO_ANSWER)
    if (status === 200) answeredAt.set(String(body.snippet_id), performance.now())
    else refused += 1
  }
  let sending = true
  const sends = sendEvenly(seconds, send).finally(() => {
    sending = false
  })
  let deadline = Number.POSITIVE_INFINITY
  while ((sending || answeredAt.size > 0) && performance.now() < deadline) {
    for (const id of await newestIds(person)) {
      const since = answeredAt.get(id)
      if (since === undefined) continue
      took.push(performance.now() - since)
      answeredAt.delete(id)
    }
    if (!sending && deadline === Number.POSITIVE_INFINITY) deadline = performance.now() + TIMEOUT_MS
    await sleep(LOOK_EVERY_MS)
  }
  await sends
  // What is still not there took so long at least.
  const missing = [...answeredAt.values()].map(since => performance.now() - since)
  const at = quantilesOf([...took, ...missing])
  return {
    took: [...took, ...missing],
    summary: `${took.length} signals: p50 ${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} ms, longest ${at(1).toFixed(0)} ms; ${missing.length} not visible at the end, ${refused} not accepted`,
  }
}

const NO_ANSWER = { status: 0, body: {} as Record<string, unknown> }

const sendEvenly = async (seconds: number, send: () => Promise<void>): Promise<void> => {
  const sends: Promise<void>[] = []
  const startedAt = performance.now()
  for (let number = 0; number * SEND_EVERY_MS < seconds * 1000; number += 1) {
    await sleep(Math.max(0, startedAt + number * SEND_EVERY_MS - performance.now()))
    sends.push(send())
  }
  await Promise.all(sends)
}

const newestIds = async (person: Person): Promise<readonly string[]> => {
  const list = await person
    .call<{ items: readonly { id: string }[] }>('list_signals', { limit: 200 })
    .catch(() => ({ items: [] }))
  return list.items.map(({ id }) => id)
}
