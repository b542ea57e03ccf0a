import { setTimeout as sleep } from 'node:timers/promises'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { type Agent, agentOf } from '../../test/support/agent.ts'
import { engineSeconds } from '../support/cpu.ts'
import { createFeedback } from '../support/feedback.ts'
import { appendSignals } from './append-signals.ts'
import { startEmbedded, startEngines } from './subject.ts'
import { describeSteps, measureRest, untilBegun } from './working.ts'

const WORKSPACES = [100, 1]
const WARMING = 5000
const SIGNALS = 15_000
const EMBEDDED_SIGNALS = 5000
const CALL_EVERY_MS = 100

/** How fast signals go through all nine steps, spread over 100 workspaces and all in one, in both modes. */
export const throughput = async (): Promise<void> => {
  await onEngines()
  await onEmbeddedStores()
}

/** Worked off from the log, so that whoever sends takes nothing of the two cores meanwhile. */
const onEngines = async (): Promise<void> => {
  const subject = await startEngines()
  try {
    console.log(`\n${subject.name}`)
    const spread = [await subject.createWorkspaces(100), await subject.createWorkspaces(1)]
    const feedback = createFeedback(11)
    const append = (workspaceIds: readonly WorkspaceId[], count: number) =>
      subject.withLog((log, registry) =>
        appendSignals(log, registry, workspaceIds, Array.from({ length: count }, feedback)),
      )
    // The engines compile what they run as well: they are warm before anything is measured.
    for (const workspaceIds of spread) await append(workspaceIds, WARMING)
    await measureRest(await subject.start([{}]), spread.length * WARMING)
    await subject.stop()
    for (const processors of [1, 2]) {
      for (const workspaceIds of spread) {
        await append(workspaceIds, SIGNALS)
        const before = engineSeconds(subject.directory)
        const programs = await subject.start(Array.from({ length: processors }, () => ({})))
        await untilBegun(programs)
        const worked = await measureRest(programs, SIGNALS)
        const engines = Object.entries(engineSeconds(subject.directory)).map(
          ([engine, seconds]) => `${engine} ${(((seconds - (before[engine] ?? 0)) * 1000) / SIGNALS).toFixed(2)}`,
        )
        await subject.stop()
        console.log(
          `${processors} processor${processors === 1 ? '' : 's'}, ${workspaceIds.length} workspaces: ${(worked.signals / worked.seconds).toFixed(0)} signals/s; CPU ms a signal: processors ${worked.cpuMs.toFixed(2)}, ${engines.join(', ')}`,
        )
        console.log(`    ms of steps a signal: ${describeSteps(worked)}`)
      }
    }
  } finally {
    await subject.remove()
  }
}

const onEmbeddedStores = async (): Promise<void> => {
  for (const count of WORKSPACES) {
    const subject = await startEmbedded()
    try {
      const workspaceIds = await subject.createWorkspaces(count)
      const agent = await agentOf(subject.person.inWorkspace(workspaceIds[0] ?? ''))
      await subject.stop()
      const texts = Array.from({ length: EMBEDDED_SIGNALS }, createFeedback(21))
      await subject.withLog((log, registry) => appendSignals(log, registry, workspaceIds, texts))
      const programs = await subject.start([{}])
      await untilBegun(programs)
      const calls = callUntilStopped(agent)
      const worked = await measureRest(programs, EMBEDDED_SIGNALS)
      const latencies = await calls.stop()
      await agent.close()
      const at = (share: number) => (latencies[Math.floor(latencies.length * share)] ?? Number.NaN).toFixed(0)
      console.log(
        `${subject.name}, ${count} workspaces: ${(worked.signals / worked.seconds).toFixed(0)} signals/s; CPU ms a signal ${worked.cpuMs.toFixed(2)}; ${latencies.length} tool calls meanwhile: median ${at(0.5)} ms, p95 ${at(0.95)} ms`,
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

/** An agent that calls tools one after the other; `stop` answers how long each took, ascending, in milliseconds. */
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
      return latencies.toSorted((one, other) => one - other)
    },
  }
}
