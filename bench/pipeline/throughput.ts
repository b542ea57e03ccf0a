import { plural } from '../../schemas/domain/for-people.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { STEPS } from '../../schemas/domain/vocabulary.ts'
import { createFeedback } from '../support/feedback.ts'
import { recordFigure } from '../support/measuring.ts'
import { engineSeconds, engineWrittenBytes, shareOfEach } from '../support/metrics.ts'
import { appendFeedback, startEngines } from './subject.ts'
import { describeSteps, measureRest, measureWork, untilBegun } from './working.ts'

/**
 * The engines compile what they run, so they are `warming` before anything is measured. So does a processor that has
 * just started: it works off so many that are not measured.
 */
const SIZES = {
  full: { warming: 5000, compiling: 4000, signals: 15_000, processors: [1, 2] },
  quick: { warming: 2000, compiling: 2000, signals: 5000, processors: [1] },
}
/** Signals a second, by the number of workspaces. */
const ASKED: Readonly<Record<number, number>> = { 1: 500, 100: 700 }

/**
 * How fast signals go through all nine steps on the engines, spread over 100 workspaces and all in one. Worked off from
 * the log, so that whoever sends takes nothing of the two cores meanwhile.
 */
export const throughput = async (form: keyof typeof SIZES = 'full'): Promise<void> => {
  const { warming, signals, compiling, processors: sizes } = SIZES[form]
  const subject = await startEngines()
  try {
    console.log(`\n${subject.name}`)
    const spread = [await subject.createWorkspaces(100), await subject.createWorkspaces(1)]
    const feedback = createFeedback(11)
    const append = (workspaceIds: readonly WorkspaceId[], count: number) =>
      appendFeedback(subject, workspaceIds, feedback, count)
    for (const workspaceIds of spread) await append(workspaceIds, warming)
    await measureRest(await subject.start([{}]), spread.length * warming)
    await subject.stop()
    for (const processors of sizes) {
      for (const workspaceIds of spread) {
        await append(workspaceIds, compiling)
        const programs = await subject.start(Array.from({ length: processors }, () => ({})))
        await measureRest(programs, compiling)
        await subject.whilePaused(() => append(workspaceIds, signals))
        await untilBegun(programs, compiling)
        const before = engineSeconds(subject.directory)
        const writtenBefore = engineWrittenBytes(subject.directory)
        const worked = await measureRest(programs, compiling + signals)
        const costs = shareOfEach(before, engineSeconds(subject.directory), worked.signals)
        const written = shareOfEach(writtenBefore, engineWrittenBytes(subject.directory), worked.signals)
        const engines = costs.map(([engine, seconds]) => `${engine} ${(seconds * 1000).toFixed(2)}`)
        await subject.stop()
        const where = `pipeline: ${workspaceIds.length} ${plural(workspaceIds.length, 'workspace')}, ${processors} ${plural(processors, 'processor')}`
        const atLeast = ASKED[workspaceIds.length]
        const asked = atLeast === undefined ? {} : { atLeast }
        recordFigure(`${where}: throughput`, worked.signals / worked.seconds, 'signals/s', asked)
        recordFigure(`${where}: CPU of processors`, worked.cpuMs, 'ms a signal')
        recordFigure(
          `${where}: CPU with engines`,
          costs.reduce((sum, [, seconds]) => sum + seconds * 1000, worked.cpuMs),
          'ms a signal',
        )
        console.log(
          `${processors} ${plural(processors, 'processor')}, ${workspaceIds.length} workspaces: ${(worked.signals / worked.seconds).toFixed(0)} signals/s; CPU ms a signal: processors ${worked.cpuMs.toFixed(2)}, ${engines.join(', ')}`,
        )
        for (const [engine, bytes] of written) {
          if (bytes > 0) recordFigure(`${where}: written by ${engine}`, bytes / 1024, 'KiB a signal')
        }
        console.log(`    ms of steps a signal: ${describeSteps(worked)}`)
        const writes = written.map(([engine, bytes]) => `${engine} ${(bytes / 1024).toFixed(1)}`)
        console.log(`    KiB a signal written by ${writes.join(', ')}`)
      }
    }
  } finally {
    await subject.remove()
  }
}

const SEGMENT_WARMING = 2000
const SEGMENT_ROUNDS = 2

interface Variant {
  readonly name: string
  readonly signals: number
  readonly environment: Readonly<Record<string, string>>
}

const VARIANTS: readonly Variant[] = [
  { name: 'two segments (validate, cluster)', signals: 5000, environment: { PIPELINE_HEADS: 'validate,cluster' } },
  { name: 'the default four', signals: 5000, environment: {} },
  { name: 'every step a segment', signals: 5000, environment: { PIPELINE_HEADS: STEPS.join(',') } },
  { name: 'batches of 1', signals: 1000, environment: { BATCH_RECORDS: '1' } },
  { name: 'batches of 50', signals: 5000, environment: { BATCH_RECORDS: '50' } },
  { name: 'batches of 500', signals: 5000, environment: { BATCH_RECORDS: '500' } },
]

/** What it buys to hand batches on in memory, and to work in large ones. Rounds alternate between the variants. */
export const segments = async (): Promise<void> => {
  const subject = await startEngines()
  try {
    const workspaceIds = await subject.createWorkspaces(100)
    const feedback = createFeedback(41)
    for (let round = 1; round <= SEGMENT_ROUNDS; round += 1) {
      for (const { name, signals, environment } of VARIANTS) {
        const append = (count: number) => () => appendFeedback(subject, workspaceIds, feedback, count)
        const programs = await subject.start([environment])
        await measureWork(programs, SEGMENT_WARMING, append(SEGMENT_WARMING))
        const worked = await measureWork(programs, signals, append(signals))
        await subject.stop()
        console.log(
          `round ${round}  ${name.padEnd(34)} ${(signals / worked.seconds).toFixed(0)} signals/s, ${worked.cpuMs.toFixed(2)} ms of the processor a signal`,
        )
      }
    }
  } finally {
    await subject.remove()
  }
}
