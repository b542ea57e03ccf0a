import { setTimeout as sleep } from 'node:timers/promises'
import { type Agent, agentOf } from '../../test/support/agent.ts'
import { createFeedback } from '../support/feedback.ts'
import { quantilesOf } from '../support/timing.ts'
import { appendSignals } from './append-signals.ts'
import { startEmbedded } from './subject.ts'
import { describeSteps, measureRest, untilBegun } from './working.ts'

const WORKSPACES = [100, 1]
const SIGNALS = 5000
const CALL_EVERY_MS = 100

/** How fast signals go through all nine steps on the embedded stores, and how long an agent's calls take meanwhile. */
export const embedded = async (): Promise<void> => {
  for (const count of WORKSPACES) {
    const subject = await startEmbedded()
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
      const latencies = await calls.stop()
      await agent.close()
      const at = quantilesOf(latencies)
      console.log(
        `${subject.name}, ${count} workspaces: ${(worked.signals / worked.seconds).toFixed(0)} signals/s; CPU ms a signal ${worked.cpuMs.toFixed(2)}; ${latencies.length} tool calls meanwhile: median ${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} ms`,
      )
      console.log(`    ms of steps a signal: ${describeSteps(worked)}`)
    } finally {
      await subject.remove()
    }
  }
}

const CALLS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['service_orient', { mode: 'snapshot' }],
  ['service_lookup', { mode: 'triage', limit: 20 }],
  ['service_lookup', { mode: 'search', query: 'export fails' }],
  ['service_lookup', { mode: 'claim', id: 'CLM-1' }],
]

/** An agent that calls tools one after the other; `stop` answers how long each took, in milliseconds. */
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
    stop: async () => {
      stopping = true
      await running
      return latencies
    },
  }
}
