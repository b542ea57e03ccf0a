import { element } from './api.js'
import { claimLink, quiet, quoted, score, time } from './show.js'

const button = (label, click) => element('button', { type: 'button', click }, label)

const candidate = ({ claim, verdict, by, reason, similarity }) =>
  element(
    'li',
    {},
    claimLink({ reference: claim }),
    ` ${verdict}`,
    ...(by ? [' by ', quoted(by)] : []),
    `, similarity ${score(similarity)}: `,
    quoted(reason),
  )

/** The claims that something else was preferred to, folded away. */
export const lostCandidates = lost =>
  lost.length > 0
    ? [
        element(
          'details',
          {},
          element('summary', {}, `Candidates that lost: ${lost.map(({ claim }) => claim).join(', ')}`),
          element('ul', {}, ...lost.map(candidate)),
        ),
      ]
    : []

const merge = (each, act) =>
  element(
    'li',
    { class: 'item', 'aria-label': `${each.merged} merged` },
    element(
      'p',
      { class: 'facts' },
      element('strong', {}, each.merged),
      element('span', {}, `into ${each.into}`),
      element('span', {}, `by ${each.merged_by === 'judge' ? 'the judge' : 'a member'}, `, quoted(each.actor)),
      ...(each.decision ? [element('span', {}, each.decision)] : []),
      time(each.merged_at),
    ),
    element('p', { class: 'sent', dir: 'auto' }, each.title),
    element('p', { class: 'facts quiet' }, quoted(each.reason)),
    ...lostCandidates(each.lost_candidates),
    element(
      'div',
      { class: 'actions' },
      button('Pull apart', () => act.pullApart(each.merged)),
    ),
  )

const apart = ({ claim, title, by, reason, proposal_id }, act) =>
  element(
    'li',
    { class: 'item', 'aria-label': `${claim} kept apart` },
    element(
      'p',
      { class: 'facts' },
      claimLink({ reference: claim }),
      ...(by ? [element('span', {}, 'by ', quoted(by))] : []),
    ),
    element('p', { class: 'sent', dir: 'auto' }, title),
    ...(reason ? [element('p', { class: 'facts quiet' }, quoted(reason))] : []),
    element(
      'div',
      { class: 'actions' },
      button('Propose it again', () => act.proposeAgain(proposal_id, claim)),
    ),
  )

/** What was merged into a claim and what it is kept apart from, each with its reason and a way back. */
export const claimLineage = ({ merges, merged_references: merged, kept_apart: kept }, act) => [
  ...(merges.length > 0
    ? [
        element('h2', {}, 'Merged into it'),
        ...(merged.length > merges.length ? [quiet(`The newest ${merges.length} of ${merged.length}.`)] : []),
        element('ol', { class: 'items' }, ...merges.map(each => merge(each, act))),
      ]
    : []),
  ...(kept.length > 0
    ? [element('h2', {}, 'Kept apart from'), element('ol', { class: 'items' }, ...kept.map(each => apart(each, act)))]
    : []),
]
