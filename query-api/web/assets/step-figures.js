import { milliseconds, row, table, time } from './show.js'

const HEADINGS = [
  'Step',
  ['Signals', 'number'],
  ['Went on', 'number'],
  ['Skipped', 'number'],
  ['Retried', 'number'],
  ['Died', 'number'],
  ['95 % within, ms', 'number'],
  'Newest received',
]

/** What each step did with the signals that were received in the last hour. */
export const stepFigures = steps =>
  table(
    'Steps in the last hour',
    HEADINGS,
    steps.map(step =>
      row(
        step.step,
        step.signals,
        step.next,
        step.skipped,
        step.retried,
        step.died,
        milliseconds(step.p95_duration_ms),
        time(step.last_at),
      ),
    ),
  )
