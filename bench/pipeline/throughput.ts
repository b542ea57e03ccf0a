import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { plural } from '../../schemas/domain/plural.ts'
import { engineSeconds } from '../support/cpu.ts'
import { createFeedback } from '../support/feedback.ts'
import { appendSignals } from './append-signals.ts'
import { startEngines } from './subject.ts'
import { describeSteps, measureRest, untilBegun } from './working.ts'

const WARMING = 5000
const SIGNALS = 15_000

/**
 * How fast signals go through all nine steps on the engines, spread over 100 workspaces and all in one. Worked off from the log, so
 * that whoever sends takes nothing of the two cores meanwhile.
 */
export const throughput = async (): Promise<void> => {
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
          `${processors} ${plural(processors, 'processor')}, ${workspaceIds.length} workspaces: ${(worked.signals / worked.seconds).toFixed(0)} signals/s; CPU ms a signal: processors ${worked.cpuMs.toFixed(2)}, ${engines.join(', ')}`,
        )
        console.log(`    ms of steps a signal: ${describeSteps(worked)}`)
      }
    }
  } finally {
    await subject.remove()
  }
}
