import type { Output } from '../api/operations.ts'
import { language, plural } from '../language/messages.ts'

type Transfer = Pick<Output<'list_transfers'>['items'][number], 'state' | 'job' | 'report' | 'arrival'>

interface OnTheirWay {
  readonly arrived: number
  readonly signals: number
}

/** How many signals of an import are where the pipeline ends for them; null where none of it is on its way. */
export const onTheirWay = ({ state, job, report, arrival }: Transfer): OnTheirWay | null => {
  if (arrival === null || arrival.is_complete || state === 'taken_back') return null
  const expected = job?.state === 'running' && report !== null ? report.accepted - report.known : 0
  const signals = Math.max(arrival.signals, expected)
  return signals === 0 ? null : { arrived: arrival.arrived, signals }
}

/** “312 of 400 signals have reached their place.” */
export const arrivedOf = ({ arrived, signals }: OnTheirWay): string =>
  plural(
    signals,
    '{arrived} of {number} signal has reached its place.',
    '{arrived} of {number} signals have reached their place.',
    { arrived: arrived.toLocaleString(language) },
  )
