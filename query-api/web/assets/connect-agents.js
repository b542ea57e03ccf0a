import { call, copyable, element, onSubmit, showError } from './api.js'
import { startPage } from './navigation.js'

const created = document.querySelector('#created')
const keys = document.querySelector('#keys')

/** The entry that desktop clients read from their configuration file. */
const clientConfiguration = key =>
  JSON.stringify(
    {
      mcpServers: {
        assay: { type: 'http', url: `${location.origin}/api/mcp`, headers: { Authorization: `Bearer ${key}` } },
      },
    },
    null,
    2,
  )

const showCreated = ({ key }) => {
  created.replaceChildren(
    element(
      'div',
      { class: 'card once' },
      element('h3', {}, 'Key created'),
      element('p', { class: 'quiet' }, 'Copy it now: it is shown this once, and only its hash is stored.'),
      copyable('Key', key),
      copyable('Client configuration', clientConfiguration(key)),
    ),
  )
}

const keyRow = key =>
  element(
    'tr',
    {},
    element('td', {}, key.label),
    element('td', {}, `…${key.last_four}`),
    element('td', {}, new Date(key.created_at).toLocaleString()),
    element('td', {}, key.last_used_at ? new Date(key.last_used_at).toLocaleString() : 'never'),
    element(
      'td',
      {},
      element(
        'button',
        {
          type: 'button',
          class: 'danger',
          click: async () => {
            if (!confirm(`Delete the key “${key.label}”? Agents that use it lose access.`)) return
            await call('delete_key', { id: key.id }).catch(showError)
            await refresh()
          },
        },
        'Delete',
      ),
    ),
  )

const keyTable = items =>
  element(
    'table',
    {},
    element(
      'thead',
      {},
      element('tr', {}, ...['Label', 'Ends in', 'Created', 'Last used', ''].map(title => element('th', {}, title))),
    ),
    element('tbody', {}, ...items.map(keyRow)),
  )

const refresh = async () => {
  const { items } = await call('list_keys')
  keys.replaceChildren(items.length > 0 ? keyTable(items) : element('p', { class: 'quiet' }, 'None yet.'))
}

startPage()
onSubmit(document.querySelector('#create'), async ({ label }) => {
  showCreated(await call('create_key', { label }))
  await refresh()
})
refresh().catch(showError)
