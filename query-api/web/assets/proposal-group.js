import { element } from './api.js'
import { proposalSide } from './proposal-side.js'
import { counted, quoted, score, time } from './show.js'

const button = (label, attributes, click) => element('button', { type: 'button', ...attributes, click }, label)

const fate = (claim, { into, claims }) =>
  claim.id === into
    ? element('span', { class: 'good' }, 'lives on')
    : element('span', { class: 'quiet' }, `goes into ${claims.find(({ id }) => id === into).reference}`)

const reasons = proposal =>
  element(
    'p',
    { class: 'facts quiet' },
    element('span', {}, `similarity ${score(proposal.similarity)}`),
    element('span', {}, `rank score ${proposal.score.toFixed(4)}`),
    element('span', {}, 'proposed ', time(proposal.proposed_at)),
    quoted(proposal.reason),
  )

const pair = (proposal, group, act) => {
  const { claim, candidate } = proposal
  return element(
    'div',
    { class: 'pair', role: 'group', 'aria-label': `${claim.reference} and ${candidate.reference}` },
    element('div', { class: 'sides' }, ...[claim, candidate].map(each => proposalSide(each, fate(each, group)))),
    reasons(proposal),
    ...(group.proposals.length > 1
      ? [
          element(
            'div',
            { class: 'actions' },
            button('Merge this pair', {}, () => act.confirm([proposal])),
            button('Not the same', {}, () => act.refuse([proposal])),
          ),
        ]
      : []),
  )
}

const survivor = (group, act) => {
  const select = element(
    'select',
    { change: () => act.into(select.value) },
    ...group.claims.map(({ id, reference }) =>
      element('option', { value: id, ...(id === group.into && { selected: '' }) }, reference),
    ),
  )
  return element('label', { class: 'inline' }, 'into', select)
}

const groupActions = ({ claims, proposals, ...group }, act) =>
  element(
    'div',
    { class: 'actions' },
    button(proposals.length > 1 ? `Merge all ${claims.length}` : 'Merge', { class: 'primary' }, () => act.confirm()),
    survivor({ claims, ...group }, act),
    button('Swap direction', {}, act.swap),
    button(proposals.length > 1 ? 'None is the same' : 'Not the same', {}, () => act.refuse()),
  )

/** The pairs of one group with what can be done about them, one by one or all at once. */
export const proposalGroup = (group, act) => {
  const { common, proposals } = group
  const pairs = proposals.map(proposal => pair(proposal, group, act))
  const parts =
    proposals.length > 1
      ? [
          element('h2', {}, `${common.reference} and ${counted(proposals.length, 'claim')} like it`),
          groupActions(group, act),
          ...pairs,
        ]
      : [...pairs, groupActions(group, act)]
  return element('li', { class: 'item', 'aria-label': `Merges with ${common.reference}` }, ...parts)
}
