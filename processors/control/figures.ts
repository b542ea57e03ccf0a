import { added, type Histogram, observe, type StepFigures } from '../../model/pipeline/processor-report.ts'
import type { StepName } from '../../schemas/domain/vocabulary.ts'
import type { Lane } from '../../schemas/events/topics.ts'
import type { Observer } from '../framework/observer.ts'

/** How far the figures look back. */
export const WINDOW_SECONDS = 60
const SLICE_MS = 5000
const SLICES = (WINDOW_SECONDS * 1000) / SLICE_MS

interface Counted {
  readonly step: StepName
  readonly lane: Lane
  signals: number
  retried: number
  dead_lettered: number
  readonly durations: Record<string, number>
  readonly ages: Record<string, number>
}

/** What the steps did in one slice of time, by step and lane. */
type Slice = Map<string, Counted>

export interface Figures {
  /** To be told of the work. */
  readonly observer: Pick<Observer, 'stepRan' | 'outcome' | 'retry' | 'deadLetter'>
  /** What each step did in the last minute, in each lane in which it did something. */
  read(): readonly StepFigures[]
}

/** Counts the last minute of work, in slices of five seconds of which the oldest falls away. */
export const createFigures = (now: () => number): Figures => {
  const slices = new Map<number, Slice>()

  const recent = (): readonly Slice[] => {
    const oldest = Math.floor(now() / SLICE_MS) - SLICES
    for (const at of slices.keys()) if (at <= oldest) slices.delete(at)
    return [...slices.values()]
  }

  const count = (step: StepName, lane: Lane): Counted => {
    const at = Math.floor(now() / SLICE_MS)
    if (!slices.has(at)) recent()
    const slice: Slice = slices.get(at) ?? new Map()
    slices.set(at, slice)
    const name = `${step} ${lane}`
    const counted = slice.get(name) ?? { step, lane, signals: 0, retried: 0, dead_lettered: 0, durations: {}, ages: {} }
    slice.set(name, counted)
    return counted
  }

  return {
    observer: {
      stepRan: (step, lane, milliseconds, records) => {
        const counted = count(step, lane)
        counted.signals += records
        observe(counted.durations, milliseconds / records, records)
      },
      outcome: (step, lane, _kind, ageMs) => observe(count(step, lane).ages, ageMs),
      retry: (step, lane) => {
        count(step, lane).retried += 1
      },
      deadLetter: (step, lane) => {
        count(step, lane).dead_lettered += 1
      },
    },
    read: () => {
      const counted = recent().flatMap(slice => [...slice.values()])
      return Map.groupBy(counted, ({ step, lane }) => `${step} ${lane}`)
        .values()
        .map(together)
        .toArray()
    },
  }
}

const together = (all: readonly Counted[]): StepFigures => {
  const [first] = all
  if (first === undefined) throw new TypeError('A group has a first one.')
  const sum = (of: (counted: Counted) => number) => all.reduce((total, counted) => total + of(counted), 0)
  const merged = (of: (counted: Counted) => Histogram) => added(all.map(of))
  return {
    step: first.step,
    lane: first.lane,
    signals: sum(({ signals }) => signals),
    retried: sum(({ retried }) => retried),
    dead_lettered: sum(({ dead_lettered }) => dead_lettered),
    durations: merged(({ durations }) => durations),
    ages: merged(({ ages }) => ages),
  }
}

/** One observer that tells all of it to `metrics`, and to the figures what they count. */
export const observeBoth = (metrics: Observer, { observer }: Figures): Observer => ({
  ...metrics,
  stepRan: (...ran) => {
    metrics.stepRan(...ran)
    observer.stepRan(...ran)
  },
  outcome: (...said) => {
    metrics.outcome(...said)
    observer.outcome(...said)
  },
  retry: (...retried) => {
    metrics.retry(...retried)
    observer.retry(...retried)
  },
  deadLetter: (...died) => {
    metrics.deadLetter(...died)
    observer.deadLetter(...died)
  },
})
