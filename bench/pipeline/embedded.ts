import { setTimeout as sleep } from 'node:timers/promises'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { type Agent, agentOf } from '../../test/support/agent.ts'
import { type CreatedSource, createSignalSource, type Person, signUp } from '../../test/support/person.ts'
import { sendSignal } from '../../test/support/sender.ts'
import { createFeedback } from '../support/feedback.ts'
import { atPace, quantilesOf, recordFigure } from '../support/measuring.ts'
import { appendSignals, startEmbedded } from './subject.ts'
import { describeSteps, measureRest, measureWork, untilBegun } from './working.ts'

const WORKSPACES = [100, 1]
const SIGNALS = 5000
const CALL_EVERY_MS = 100
const A_SECOND = 150
const SECONDS = 30
const TICK_MS = 20
/** So many that none sends more than its share of the live lane (docs/decisions/0059): else most of it is bulk. */
const TENANTS = 10
const WORKSPACES_A_TENANT = 10
/** In one workspace; how long tool calls may take meanwhile is asked under a constant load alone. */
const ASKED = { signalsASecond: 250, medianMs: 20, p95Ms: 100 }

/** How fast signals go through all nine steps on the embedded stores, and how long an agent's calls take meanwhile. */
export const embedded = async (): Promise<void> => {
  for (const count of WORKSPACES) {
    const subject = await startEmbedded(count)
    try {
      const workspaceIds = await subject.createWorkspaces(count)
      const agent = await agentOf(subject.person.inWorkspace(workspaceIds[0] ?? ''))
      await subject.stop()
      const texts = Array.from({ length: SIGNALS }, createFeedback(21))
      await subject.withLog((log, registry) => appendSignals(log, registry, workspaceIds, texts))
      const programs = await subject.start([{}])
      await untilBegun(programs)
      const calls = callUntilStopped(agent)
      const worked = await measureRest(programs, SIGNALS)
      const asked = count === 1 ? { atLeast: ASKED.signalsASecond } : {}
      recordFigure(`embedded: ${count} workspaces: throughput`, worked.signals / worked.seconds, 'signals/s', asked)
      console.log(
        `${subject.name}, ${count} workspaces: ${(worked.signals / worked.seconds).toFixed(0)} signals/s; CPU ms a signal ${worked.cpuMs.toFixed(2)}; ${describeCalls(await calls.stop())}`,
      )
      console.log(`    ms of steps a signal: ${describeSteps(worked)}`)
      if (count > 1) {
        const { person } = subject
        const own: CreatedSource[] = []
        for (const id of workspaceIds) own.push(await createSignalSource(person.inWorkspace(id)))
        await atConstantRate('1 tenant', programs, own, agent)
        await atConstantRate(`${TENANTS} tenants`, programs, await createTenants(person.baseUrl), agent)
      }
      await agent.close()
    } finally {
      await subject.remove()
    }
  }
}

/** The sources of further tenants, each followed by one of another tenant. */
const createTenants = async (baseUrl: string): Promise<readonly CreatedSource[]> => {
  const people: Person[] = []
  for (let made = 0; made < TENANTS; made += 1) people.push(await signUp(baseUrl))
  const sources: CreatedSource[] = []
  for (let made = 0; made < WORKSPACES_A_TENANT; made += 1)
    for (const person of people) {
      const { id } = await person.call<{ id: WorkspaceId }>('create_workspace', { name: `Load ${made}` })
      sources.push(await createSignalSource(person.inWorkspace(id)))
    }
  return sources
}

/** One endpoint takes 100 signals a minute: this needs many sources. Calls are measured while signals are sent. */
const atConstantRate = async (
  whose: string,
  programs: readonly string[],
  sources: readonly CreatedSource[],
  agent: Agent,
): Promise<void> => {
  const calls = callUntilStopped(agent)
  let accepted = 0
  const { seconds } = await measureWork(programs, A_SECOND * SECONDS, async () => {
    accepted = await sendEvenly(sources, createFeedback(43))
    await calls.stop()
  })
  const called = await calls.stop()
  const name = `embedded: tool calls at ${A_SECOND} signals/s of ${whose}`
  recordFigure(`${name}: median`, called.median, 'ms', { atMost: ASKED.medianMs })
  recordFigure(`${name}: p95`, called.p95, 'ms', { atMost: ASKED.p95Ms })
  console.log(
    `    at a constant ${A_SECOND} signals/s of ${whose} for ${SECONDS} s, ${accepted} accepted of ${A_SECOND * SECONDS}: ${describeCalls(called)}; all through after ${seconds.toFixed(0)} s`,
  )
}

const CALLS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['service_orient', { mode: 'snapshot' }],
  ['service_lookup', { mode: 'triage', limit: 20 }],
  ['service_lookup', { mode: 'search', query: 'export fails' }],
  ['service_lookup', { mode: 'claim', id: 'CLM-1' }],
]

/** Sends from outside as senders do, at a constant rate whatever the answers take; answers how many were accepted. */
const sendEvenly = async (sources: readonly CreatedSource[], feedback: () => string): Promise<number> => {
  const answers: Promise<number>[] = []
  await atPace({ aSecond: A_SECOND, seconds: SECONDS, tickMs: TICK_MS }, (from, upTo) => {
    for (let number = from; number < upTo; number += 1) {
      const source = sources[number % sources.length]
      if (source === undefined) throw new TypeError('There is no source to send to.')
      answers.push(sendSignal(source, { text: feedback(), source: 'benchmark' }).then(({ status }) => status))
    }
  })
  return (await Promise.all(answers)).filter(status => status === 200).length
}

/** How many calls there were, and how long they took, in milliseconds. */
interface Called {
  readonly count: number
  readonly median: number
  readonly p95: number
}

const describeCalls = ({ count, median, p95 }: Called): string =>
  `${count} tool calls meanwhile: median ${median.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`

/** An agent that calls tools one after the other until it is stopped; to stop it again answers the same. */
const callUntilStopped = (agent: Agent) => {
  const latencies: number[] = []
  let stopping = false
  const run = async () => {
    for (let call = 0; !stopping; call += 1) {
      const [tool, input] = CALLS[call % CALLS.length] ?? ['service_orient', { mode: 'snapshot' }]
      const startedAt = performance.now()
      // What is not there yet is answered as an error of the tool, in the same time.
      await agent.call(tool, input).catch(() => {})
      latencies.push(performance.now() - startedAt)
      await sleep(CALL_EVERY_MS)
    }
  }
  const running = run()
  return {
    stop: async (): Promise<Called> => {
      stopping = true
      await running
      const at = quantilesOf(latencies)
      return { count: latencies.length, median: at(0.5), p95: at(0.95) }
    },
  }
}
