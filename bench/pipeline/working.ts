import { setTimeout as sleep } from 'node:timers/promises'
import { STEPS } from '../../schemas/domain/vocabulary.ts'
import { readMetrics, sumMetric } from '../support/metrics.ts'

/** Not too often: a look makes the programs ask the log for their lag. */
const POLL_MS = 500
const DEADLINE_MS = 1_200_000

/** What programs have done since they started, by their own count. */
interface Figures {
  /** Signals that are rows or occurrences. */
  readonly ended: number
  readonly inserted: number
  readonly clustered: number
  readonly died: number
  readonly cpuSeconds: number
  readonly stepSeconds: Readonly<Record<string, number>>
}

export interface Worked {
  readonly signals: number
  readonly seconds: number
  /** Milliseconds of processor time of the programs, a signal. */
  readonly cpuMs: number
  /** Milliseconds that each step took, a signal. */
  readonly stepMs: Readonly<Record<string, number>>
}

const readFigures = async (programs: readonly string[]): Promise<Figures> => {
  const sum = await readMetrics(programs)
  const outcomes = (labels: Readonly<Record<string, string>>) => sum('assay_step_outcomes_total', labels)
  return {
    ended: outcomes({ step: 'insert' }) + outcomes({ step: 'dedup', outcome: 'skip' }),
    inserted: outcomes({ step: 'insert', outcome: 'next' }),
    clustered: outcomes({ step: 'cluster' }),
    died: sum('assay_dead_letters_total'),
    cpuSeconds: sum('process_cpu_seconds_total'),
    stepSeconds: Object.fromEntries(STEPS.map(step => [step, sum('assay_step_duration_seconds_sum', { step })])),
  }
}

/** Waits until programs have begun with what waits for them, behind so many signals that they had before. */
export const untilBegun = async (programs: readonly string[], before = 0): Promise<void> => {
  while ((await sumMetric(programs, 'assay_step_outcomes_total', { step: 'validate' })) <= before) await sleep(POLL_MS)
}

/**
 * Measures until so many more signals are rows, or repeats of one, and have been through the last step, looking every
 * `pollMs`. Rejects when one dies.
 */
export const measureWork = async (
  programs: readonly string[],
  signals: number,
  meanwhile: () => Promise<void> = async () => {},
  pollMs: number = POLL_MS,
): Promise<Worked> => measureFrom(programs, await readFigures(programs), signals, meanwhile, pollMs)

const measureFrom = async (
  programs: readonly string[],
  before: Figures,
  signals: number,
  meanwhile: () => Promise<void>,
  pollMs: number,
): Promise<Worked> => {
  const startedAt = performance.now()
  await meanwhile()
  const deadline = Date.now() + DEADLINE_MS
  let after = await readFigures(programs)
  while (after.ended - before.ended < signals || after.clustered < after.inserted) {
    // They would be measured as work: to try a batch in halves until who is to blame is alone takes many times what it
    // takes.
    if (after.died > before.died) throw new Error(`${after.died - before.died} signals died.`)
    if (Date.now() > deadline) throw new Error(`Only ${after.ended - before.ended} of ${signals} signals came through.`)
    await sleep(pollMs)
    after = await readFigures(programs)
  }
  const seconds = (performance.now() - startedAt) / 1000
  const share = (total: number) => (total * 1000) / signals
  const stepMs: Record<string, number> = {}
  for (const step of STEPS) stepMs[step] = share((after.stepSeconds[step] ?? 0) - (before.stepSeconds[step] ?? 0))
  return { signals, seconds, cpuMs: share(after.cpuSeconds - before.cpuSeconds), stepMs }
}

/** The same for what is left of so many signals that the programs began with. */
export const measureRest = async (programs: readonly string[], total: number): Promise<Worked> => {
  const before = await readFigures(programs)
  return measureFrom(programs, before, total - before.ended, async () => {}, POLL_MS)
}

export const describeSteps = ({ stepMs }: Worked): string =>
  Object.entries(stepMs)
    .map(([step, ms]) => `${step} ${ms.toFixed(2)}`)
    .join(', ')
