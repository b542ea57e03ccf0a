import { element } from './api.js'
import { claimLink } from './show.js'

/** One of the two claims of a proposal, with what is said of it. */
export const proposalSide = (claim, ...says) =>
  element(
    'div',
    { class: 'side' },
    element('p', { class: 'facts' }, claimLink(claim), ...says),
    element('h3', { dir: 'auto' }, claim.title),
    ...(claim.text === claim.title ? [] : [element('p', { class: 'sent', dir: 'auto' }, claim.text)]),
  )
