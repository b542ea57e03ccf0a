import { call, copyable, element, showError } from './api.js'
import { healthDetails, healthLines } from './source-health.js'
import { kindOf } from './source-kinds.js'
import { clearRevealed, showRevealed } from './source-revealed.js'
import { testPanel } from './source-test.js'

const CONFIRM_DELETE = name => `Delete the source “${name}”? Its senders are refused within seconds, for good.`
const CONFIRM_ROTATE = name => `Give “${name}” a new secret? The present one stays valid for 24 hours.`
const CONFIRM_REPLACE = name => `Replace the address of “${name}”? Mail to the present one is refused within seconds.`

/** A button that asks first, and shows what went wrong. */
const confirmed = (label, attributes, question, run) =>
  element(
    'button',
    {
      ...attributes,
      type: 'button',
      click: async event => {
        if (!confirm(question)) return
        const button = event.currentTarget
        button.disabled = true
        showError(null)
        await run().catch(showError)
        button.disabled = false
      },
    },
    label,
  )

const remove = (source, refresh) =>
  confirmed('Delete source', { class: 'danger' }, CONFIRM_DELETE(source.name), async () => {
    await call('delete_source', { id: source.id })
    clearRevealed()
    await refresh()
  })

const renew = (source, refresh) =>
  source.kind === 'email'
    ? confirmed('Replace address', {}, CONFIRM_REPLACE(source.name), async () => {
        showRevealed('Address replaced', await call('replace_ingestion_address', { id: source.id }))
        await refresh()
      })
    : confirmed('Rotate secret', {}, CONFIRM_ROTATE(source.name), async () => {
        showRevealed('Secret rotated', await call('rotate_source_secret', { id: source.id }))
        await refresh()
      })

/** A sender that repeats what it was refused loses nothing by a pause, so that nobody is asked twice. */
const pause = (source, refresh) =>
  element(
    'button',
    {
      type: 'button',
      click: async event => {
        const button = event.currentTarget
        button.disabled = true
        showError(null)
        const { id, version, paused_at } = source
        await call('update_source', { id, paused: paused_at === null, version })
          .then(refresh)
          .catch(showError)
        button.disabled = false
      },
    },
    source.paused_at === null ? 'Pause' : 'Resume',
  )

const pausedLine = ({ paused_at }) =>
  paused_at === null
    ? []
    : [
        element(
          'p',
          { class: 'note' },
          `Paused since ${new Date(paused_at).toLocaleString()}: its senders are told to come back later.`,
        ),
      ]

const whereTo = ({ url, address }) => {
  if (url) return copyable('URL', url)
  if (address) return copyable('Address', address)
  return element(
    'p',
    { class: 'quiet' },
    'This installation takes no mail now: its operator has to set INGEST_MAIL_DOMAIN.',
  )
}

const mappingLine = ({ mapping }) =>
  mapping ? [element('p', { class: 'quiet' }, `Mapping: ${JSON.stringify(mapping)}`)] : []

/** A source in the list; `refresh` reads the list again. */
export const sourceCard = (source, refresh) =>
  element(
    'section',
    { class: 'card', 'aria-label': source.name, 'data-source': source.id },
    element('h3', {}, source.name),
    element(
      'p',
      { class: 'quiet' },
      `${kindOf(source).label} · created ${new Date(source.created_at).toLocaleString()} · in metrics: ${source.metrics_label}`,
    ),
    whereTo(source),
    ...pausedLine(source),
    ...mappingLine(source.settings),
    ...(source.previous_secret_valid_until
      ? [
          element(
            'p',
            { class: 'note' },
            `The secret before the last rotation is accepted until ${new Date(source.previous_secret_valid_until).toLocaleString()}.`,
          ),
        ]
      : []),
    ...healthLines(source),
    healthDetails(source),
    ...testPanel(source),
    element('div', { class: 'actions' }, pause(source, refresh), renew(source, refresh), remove(source, refresh)),
  )
