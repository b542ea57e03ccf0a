import { callPage, element, showError } from './api.js'
import { claimLink, count, counted, quoted, score, sourceLink, time } from './show.js'

const CLASSIFICATIONS = ['problem', 'idea', 'question', 'unclassified']

const anchored = ({ node }) => (node ? [element('span', {}, quoted(node.name), ` ${score(node.score)}`)] : [])

const repeated = ({ occurrences }) =>
  occurrences > 0 ? [element('span', {}, `repeated ${counted(occurrences, 'time')}`)] : []

const from = ({ source, actor_name: actor, source_url: address }) => [
  ...(source ? [quoted(source)] : []),
  ...(actor ? [quoted(actor)] : []),
  ...(address ? [sourceLink(address)] : []),
]

const times = ({ occurred_at: occurred, received_at: received }) => [
  element('span', {}, 'received ', time(received)),
  ...(occurred === received ? [] : [element('span', {}, 'happened ', time(occurred))]),
]

/** A claim that the signal started begins with its words; that they are the same need not be read twice. */
const behind = ({ claims, text }) =>
  claims.map(claim =>
    element(
      'span',
      {},
      claimLink(claim),
      ...(text.startsWith(claim.title.replace(/…$/, '')) ? [] : [' ', quoted(claim.title)]),
    ),
  )

/** The beginning of a long text, and the rest on demand. */
const text = signal => {
  const paragraph = element('p', { class: 'sent', dir: 'auto' }, signal.text)
  if (signal.text_cut === null) return [paragraph]
  const rest = element(
    'button',
    {
      type: 'button',
      class: 'plain',
      click: async () => {
        rest.disabled = true
        try {
          paragraph.textContent = await wholeText(signal.id)
          paragraph.classList.add('whole')
          rest.remove()
        } catch (error) {
          rest.disabled = false
          showError(error)
        }
      },
    },
    `Show all ${count(signal.text_cut.of)} characters`,
  )
  return [paragraph, rest]
}

/** A long text comes in pages. */
const wholeText = async id => {
  let text = ''
  let cursor
  do {
    const page = await callPage('lookup_signal', { id, depth: 'full', ...(cursor && { cursor }) })
    text += page.signal.text
    cursor = page.cursor
  } while (cursor)
  return text
}

/** A signal that is no evidence yet can be made some. */
export const isPromotable = ({ state, claims }) => state !== 'dismissed' && claims.length === 0

const reclassify = ({ reference, classification }, act) => {
  const select = element(
    'select',
    { 'aria-label': `Classification of ${reference}`, change: () => act.reclassify(select.value) },
    ...CLASSIFICATIONS.map(each =>
      element('option', { value: each, ...(each === classification && { selected: '' }) }, each),
    ),
  )
  return select
}

const button = (label, attributes, click) => element('button', { type: 'button', ...attributes, click }, label)

/** A signal in the list; `act` holds what can be done with it. */
export const signalItem = (signal, act) =>
  element(
    'li',
    { class: 'item', tabindex: '-1', 'data-signal': signal.id, 'aria-label': signal.reference },
    element(
      'p',
      { class: 'facts' },
      element('strong', {}, signal.reference),
      element('span', {}, `${signal.classification} ${score(signal.classification_confidence)}`),
      ...anchored(signal),
      ...repeated(signal),
      ...behind(signal),
    ),
    element(
      'div',
      { class: 'actions' },
      ...(signal.state === 'accepted' ? [] : [button('Accept', { class: 'primary' }, act.accept)]),
      ...(signal.state === 'dismissed' ? [] : [button('Dismiss', {}, act.dismiss)]),
      ...(isPromotable(signal) ? [button('Promote', {}, act.promote)] : []),
      reclassify(signal, act),
    ),
    ...text(signal),
    element('p', { class: 'facts quiet' }, ...from(signal), ...times(signal)),
  )
