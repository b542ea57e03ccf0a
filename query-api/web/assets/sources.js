import { call, copyable, element, onSubmit, showError, startPage } from './api.js'

const created = document.querySelector('#created')
const sources = document.querySelector('#sources')

/** The secret is in this answer and nowhere else: it cannot be shown again. */
const showCreated = source => {
  created.replaceChildren(
    element(
      'div',
      { class: 'card once' },
      element('h3', {}, 'Source created'),
      element('p', { class: 'quiet' }, 'Copy the secret now: it is shown this once.'),
      copyable('URL', source.url),
      copyable('Secret', source.secret),
      ...Object.entries(source.examples ?? {}).map(([label, text]) => copyable(label, text)),
    ),
  )
}

const sourceCard = source =>
  element(
    'div',
    { class: 'card' },
    element('h3', {}, source.name),
    element('p', { class: 'quiet' }, `${source.kind} · created ${new Date(source.created_at).toLocaleString()}`),
    copyable('URL', source.url),
    element(
      'button',
      {
        type: 'button',
        class: 'danger',
        click: async () => {
          if (!confirm(`Delete the source “${source.name}”? Its address stops working at once.`)) return
          await call('delete_source', { id: source.id }).catch(showError)
          await refresh()
        },
      },
      'Delete source',
    ),
  )

const refresh = async () => {
  const { items } = await call('list_sources')
  sources.replaceChildren(
    ...(items.length > 0
      ? items.map(sourceCard)
      : [element('p', { class: 'quiet' }, 'None yet. Create a signal webhook above to send the first signal.')]),
  )
}

startPage()
onSubmit(document.querySelector('#create'), async ({ kind, name }) => {
  showCreated(await call('create_source', kind === 'code_host' ? { kind, name, code_host: 'github' } : { kind, name }))
  await refresh()
})
refresh().catch(showError)
