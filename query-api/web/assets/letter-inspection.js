import { call, element } from './api.js'
import { count, milliseconds, quiet, quoted, reading, row, table } from './show.js'

const DELIVERIES = [
  'Step',
  'Outcome',
  'Why',
  ['Attempt', 'number'],
  ['ms', 'number'],
  ['After ms', 'number'],
  'Version',
]

const delivery = ({ step, outcome, reason, attempt, duration_ms, elapsed_ms, version }) =>
  row(step, outcome, quoted(reason), attempt, milliseconds(duration_ms), milliseconds(elapsed_ms), version)

const facts = ({ replays, decision, also_died_at: others, trace_id: trace }) =>
  [
    replays > 0 ? `It had been replayed ${count(replays)} times.` : '',
    others.length > 0 ? `It died at ${others.join(', ')} too.` : '',
    decision ? `It was discarded by ${decision}.` : '',
    trace ? `Trace ${trace}.` : '',
  ]
    .filter(Boolean)
    .join(' ')

const record = ({ record, withheld }) =>
  record === null
    ? [quiet(withheld)]
    : [element('pre', { class: 'block', 'data-label': 'Record' }, JSON.stringify(record, null, 2))]

const shown = inspected => [
  quiet(facts(inspected)),
  ...(inspected.deliveries.length > 0 ? [table('Deliveries', DELIVERIES, inspected.deliveries.map(delivery))] : []),
  ...record(inspected),
]

/**
 * One letter with each of its deliveries and its record, read when it is unfolded, and `actions` on it; of a sealed one, its metadata
 * alone.
 */
export const letterInspection = ({ signal_id, step }, actions) => {
  const place = element('div', { 'aria-live': 'polite' })
  const details = element('details', {}, element('summary', {}, 'Inspect'), place, ...actions)
  details.addEventListener('toggle', async () => {
    if (!details.open) return
    place.replaceChildren(reading())
    try {
      place.replaceChildren(...shown(await call('inspect_dead_letter', { signal_id, step })))
    } catch (error) {
      place.replaceChildren(element('p', { class: 'error' }, error.message))
    }
  })
  return details
}
