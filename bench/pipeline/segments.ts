import { STEPS } from '../../schemas/domain/vocabulary.ts'
import { createFeedback } from '../support/feedback.ts'
import { appendSignals } from './append-signals.ts'
import { startEngines } from './subject.ts'
import { measureWork } from './working.ts'

const WARMING = 2000
const ROUNDS = 2

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
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const { name, signals, environment } of VARIANTS) {
        const append = (count: number) => () =>
          subject.withLog((log, registry) =>
            appendSignals(log, registry, workspaceIds, Array.from({ length: count }, feedback)),
          )
        const programs = await subject.start([environment])
        await measureWork(programs, WARMING, append(WARMING))
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
