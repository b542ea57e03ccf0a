import { element } from './api.js'
import { proposalSide } from './proposal-side.js'
import { quoted, time } from './show.js'

/** A pair that was decided on, which can be taken back. The two claims of a merge are one by then. */
export const proposalDecided = (proposal, undo) => {
  const { claim, candidate, state } = proposal
  const sides = claim.id === candidate.id ? [candidate] : [claim, candidate]
  return element(
    'li',
    { class: 'item', 'aria-label': `${claim.reference} and ${candidate.reference}` },
    element('div', { class: 'sides' }, ...sides.map(side => proposalSide(side))),
    element(
      'p',
      { class: 'facts quiet' },
      element('span', {}, `${state} by `, quoted(proposal.decided_by ?? 'somebody')),
      ...(proposal.decided_at ? [time(proposal.decided_at)] : []),
      ...(proposal.decided_reason ? [quoted(proposal.decided_reason)] : []),
      ...(proposal.decision ? [element('span', {}, proposal.decision)] : []),
    ),
    element('div', { class: 'actions' }, element('button', { type: 'button', click: undo }, 'Undo')),
  )
}
