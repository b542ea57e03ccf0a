import { element } from './api.js'
import { counted, quiet, quoted, time } from './show.js'

const solutions = answered =>
  answered.length > 0
    ? [
        element('h2', {}, 'Answered by'),
        element(
          'ul',
          {},
          ...answered.map(({ reference, title, state }) =>
            element('li', {}, `${reference} `, quoted(title), ` (${state})`),
          ),
        ),
      ]
    : []

const proposals = waiting =>
  waiting > 0
    ? [
        element(
          'p',
          { class: 'note' },
          element('a', { href: '/app/proposals' }, `${counted(waiting, 'merge')} with it`),
          waiting === 1 ? ' is proposed.' : ' are proposed.',
        ),
      ]
    : []

/** What a claim says and how much is behind it. */
export const claimSummary = claim => [
  element(
    'p',
    { class: 'facts' },
    element('strong', {}, claim.reference),
    element('span', {}, claim.kind),
    element('span', {}, claim.state),
    element('span', {}, counted(claim.signals, 'signal'), ' from ', counted(claim.actors, 'sender')),
    element('span', { class: 'quiet' }, 'since ', time(claim.created_at)),
  ),
  element('h1', { dir: 'auto', class: 'sent' }, claim.title),
  ...(claim.text === claim.title ? [] : [element('p', { class: 'sent whole', dir: 'auto' }, claim.text)]),
  ...(claim.merged_references.length > 0 ? [quiet(`Also known as ${claim.merged_references.join(', ')}.`)] : []),
  ...proposals(claim.waiting_proposals),
  ...solutions(claim.answered_by),
]
