import type { Output } from '../../../api/operations.ts'
import { language } from '../../../language/messages.ts'

export type Watched = Output<'watch_pipeline'>
export type WatchedStep = Watched['steps'][number]
export type StepName = WatchedStep['step']
export type LaneFigures = WatchedStep['lanes'][number]
export type Lane = LaneFigures['lane']

/** A step’s figures in a lane; every step has both. */
export const laneOf = ({ lanes, step }: WatchedStep, lane: Lane): LaneFigures => {
  const found = lanes.find(each => each.lane === lane)
  if (found === undefined) throw new TypeError(`${step} has no lane ${lane}.`)
  return found
}

/** The steps by the segment in which they hand over to each other; a step that nobody serves is by itself. */
export const segmentsOf = (steps: readonly WatchedStep[]): readonly (readonly WatchedStep[])[] => {
  const segments: WatchedStep[][] = []
  for (const step of steps) {
    const last = segments.at(-1)
    if (last !== undefined && step.head !== null && last[0]?.head === step.head) last.push(step)
    else segments.push([step])
  }
  return segments
}

/** Signals a second, as a number that a person takes in. */
export const rate = (perSecond: number): string => {
  if (perSecond === 0) return '0'
  if (perSecond < 0.095) return `${figure(perSecond * 60, 0)} / min`
  return `${figure(perSecond, perSecond < 9.95 ? 1 : 0)} / s`
}

const figure = (value: number, digits: 0 | 1): string =>
  value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })

export type StepState = 'working' | 'idle' | 'paused' | 'stands still' | 'waiting' | 'stuck' | 'not served'

/** What a step does in a lane. `head` is the figures of its segment’s head, on whose topic its signals wait. */
export const stateOf = ({ pause, paused_with, head }: WatchedStep, own: LaneFigures, of: LaneFigures): StepState => {
  if (pause !== null) return 'paused'
  if (paused_with.length > 0) return 'stands still'
  if (head === null) return 'not served'
  const state = of.waiting?.state ?? 'working'
  if (state === 'waiting' || state === 'stuck') return state
  return own.per_second > 0 ? 'working' : 'idle'
}
