import { call, element } from './api.js'

const words = reason => reason.replaceAll('_', ' ')

const refusalList = refusals =>
  element(
    'ul',
    { class: 'refusals' },
    ...refusals.map(({ reason, count }) => element('li', {}, `${count} × ${words(reason)}`)),
  )

/** What came in the last 24 hours, and when something last did. */
export const healthLines = ({
  last_seen_at: last,
  accepted_last_day: accepted,
  refused_last_day: refused,
  ...source
}) => {
  if (accepted === null) return [element('p', { class: 'quiet' }, 'Figures are not available now.')]
  const nothing = source.kind === 'code_host' ? 'No event has come yet; a ping is not counted' : 'Nothing has come yet'
  const seen = last === null ? nothing : `Last seen ${new Date(last).toLocaleString()}`
  const line = element('p', {}, `${seen} · in 24 hours: ${accepted} accepted, ${refused} refused`)
  return refused === 0 ? [line] : [line, refusalList(source.refusals_last_day)]
}

const HEADINGS = [
  ['Hour', ''],
  ['Accepted', 'number'],
  ['Refused', 'number'],
  ['Why', ''],
]

const hourTable = items =>
  element(
    'table',
    {},
    element(
      'thead',
      {},
      element('tr', {}, ...HEADINGS.map(([title, kind]) => element('th', { scope: 'col', class: kind }, title))),
    ),
    element(
      'tbody',
      {},
      ...items.map(({ hour, accepted, refused, refusals }) =>
        element(
          'tr',
          {},
          element('td', {}, new Date(hour).toLocaleString()),
          element('td', { class: 'number' }, String(accepted)),
          element('td', { class: 'number' }, String(refused)),
          element('td', {}, refusals.map(({ reason, count }) => `${count} × ${words(reason)}`).join(', ')),
        ),
      ),
    ),
  )

const shown = items => {
  if (items === null) return element('p', { class: 'quiet' }, 'Figures are not available now.')
  return items.length > 0 ? hourTable(items) : element('p', { class: 'quiet' }, 'Nothing came in the last 7 days.')
}

const HOURS = 7 * 24

/** The last week by the hour, read each time it is unfolded. */
export const healthDetails = ({ id }) => {
  const place = element('div', { 'aria-live': 'polite' })
  const details = element('details', {}, element('summary', {}, 'Health by the hour'), place)
  details.addEventListener('toggle', async () => {
    if (!details.open) return
    place.replaceChildren(element('p', { class: 'quiet' }, 'Reading…'))
    const answered = await call('source_health', { id, hours: HOURS }).catch(error => ({ error }))
    place.replaceChildren(
      answered.error ? element('p', { class: 'error' }, answered.error.message) : shown(answered.items),
    )
  })
  return details
}
