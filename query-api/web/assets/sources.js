import { call, element, every, onSubmit, showError } from './api.js'
import { startPage } from './navigation.js'
import { sourceCard } from './source-card.js'
import { kindOf, MAPPED_FIELDS } from './source-kinds.js'
import { showRevealed } from './source-revealed.js'

const form = document.querySelector('#create')
const sources = document.querySelector('#sources')

/** Shows the fields that the chosen kind takes, and what it is for. */
const showKind = () => {
  const kind = form.elements.kind.value
  for (const part of form.querySelectorAll('[data-kind]')) part.hidden = part.dataset.kind !== kind
  document.querySelector('#about-kind').textContent = kindOf({ kind }).about
}

const mappingFields = () =>
  MAPPED_FIELDS.map(field =>
    element(
      'label',
      {},
      field,
      element('input', { name: `mapping.${field}`, placeholder: `/data/${field}`, pattern: '/.*' }),
    ),
  )

/** What `create_source` takes of the form: the fields of another kind stay out. */
const wanted = ({ kind, name, code_host, ...fields }) => {
  const mapping = Object.fromEntries(
    MAPPED_FIELDS.map(field => [field, fields[`mapping.${field}`]]).filter(([, pointer]) => pointer),
  )
  return {
    kind,
    name,
    ...(kind === 'code_host' && { code_host }),
    ...(kind === 'connection' && Object.keys(mapping).length > 0 && { settings: { mapping } }),
  }
}

const refresh = async () => {
  const items = await every('list_sources')
  sources.replaceChildren(
    ...(items.length > 0
      ? items.map(source => sourceCard(source, refresh))
      : [element('p', { class: 'quiet' }, 'None yet. Create a signal webhook above to send the first signal.')]),
  )
}

startPage()
document.querySelector('#mapping').replaceChildren(...mappingFields())
form.elements.kind.addEventListener('change', showKind)
showKind()
onSubmit(form, async fields => {
  showRevealed('Source created', await call('create_source', wanted(fields)))
  form.reset()
  showKind()
  await refresh()
})
refresh().catch(showError)
