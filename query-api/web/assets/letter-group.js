import { callPage, element } from './api.js'
import { letterActions } from './letter-actions.js'
import { letterInspection } from './letter-inspection.js'
import { pagedList } from './paged-list.js'
import { counted, quoted, time } from './show.js'

const FAULTS = { sender: 'the sender’s fault', ours: 'our fault', transient: 'transient' }

const letterItem = (letter, done) =>
  element(
    'li',
    { class: 'item', 'aria-label': `Dead letter ${letter.signal_id}` },
    element(
      'p',
      { class: 'facts' },
      element('code', {}, letter.signal_id),
      element('span', {}, counted(letter.attempts, 'attempt')),
      ...(letter.deaths > 1 ? [element('span', { class: 'error' }, `died ${counted(letter.deaths, 'time')}`)] : []),
      element('span', {}, 'failed ', time(letter.last_failed_at)),
      ...(letter.next_redrive_at ? [element('span', {}, 'driven again by itself ', time(letter.next_redrive_at))] : []),
    ),
    element(
      'p',
      { class: 'sent' },
      letter.sealed ? 'Sealed: it died before personal data was removed.' : quoted(letter.message),
    ),
    letterInspection(
      letter,
      letter.state === 'waiting' ? [letterActions({ signal_id: letter.signal_id, step: letter.step }, done)] : [],
    ),
  )

/** The letters of a group, read when it is unfolded. */
const letters = (reason, letter_state, done) => {
  const list = element('ol', { class: 'items' })
  const status = element('div', { class: 'under', role: 'status' })
  const pages = pagedList({
    status,
    read: cursor => callPage('inspect_pipeline', { ...reason, letter_state, ...(cursor && { cursor }) }),
    show: items => list.replaceChildren(...items.map(letter => letterItem(letter, done))),
    empty: () => 'None is left.',
    idOf: letter => letter.signal_id,
  })
  const details = element('details', {}, element('summary', {}, 'Letters'), list, status)
  details.addEventListener('toggle', () => details.open && pages.restart())
  return details
}

/** Letters that died of one reason. `done(says)` runs when something was done about some of them. */
export const letterGroup = (group, letter_state, done) => {
  const { step, fault, error_class } = group
  const reason = { step, fault, error_class }
  return element(
    'section',
    { class: 'card', 'aria-label': `${step} ${error_class}` },
    element('h3', {}, `${counted(group.letters, 'letter')} died at ${step}: ${error_class}`),
    element(
      'p',
      { class: 'facts quiet' },
      element('span', {}, FAULTS[fault]),
      element('span', {}, 'newest ', time(group.last_failed_at)),
      ...(group.most_deaths > 1
        ? [element('span', { class: 'error' }, `replays die again, up to ${counted(group.most_deaths, 'time')}`)]
        : []),
    ),
    letters(reason, letter_state, done),
    ...(letter_state === 'waiting' ? [letterActions(reason, done)] : []),
  )
}
