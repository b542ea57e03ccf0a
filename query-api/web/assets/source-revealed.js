import { copyable, element } from './api.js'

const place = document.querySelector('#created')

const EXAMPLES = { curl: 'curl', openssl: 'openssl and curl', node: 'Node.js', python: 'Python' }

/** Each folded away, but the first: the secret and the steps should stay in sight. */
const exampleBlocks = examples =>
  Object.entries(examples ?? {}).map(([name, text], index) =>
    element(
      'details',
      index === 0 ? { open: '' } : {},
      element('summary', {}, `Example: ${EXAMPLES[name] ?? name}`),
      copyable(name, text),
    ),
  )

const validity = until =>
  `It works within seconds. The one before it stays valid until ${new Date(until).toLocaleString()}: change every sender by then.`

/** Shows a source's secret, which is in this answer and nowhere else, with what to do with it. */
export const showRevealed = (title, source) => {
  const { url, address, secret, examples, setup, previous_secret_valid_until: until } = source
  const card = element(
    'section',
    { class: 'card once', tabindex: '-1', 'aria-label': title },
    element('h3', {}, title),
    ...(secret ? [element('p', { class: 'quiet' }, 'Copy the secret now: it is shown this once.')] : []),
    ...(until ? [element('p', {}, validity(until))] : []),
    ...(url ? [copyable('URL', url)] : []),
    ...(address ? [copyable('Address', address)] : []),
    ...(secret ? [copyable('Secret', secret)] : []),
    element('ol', {}, ...setup.map(step => element('li', {}, step))),
    ...exampleBlocks(examples),
  )
  place.replaceChildren(card)
  card.focus()
}

/** A source that is deleted needs no examples, and a secret no onlooker. */
export const clearRevealed = () => place.replaceChildren()
