import { call, element, showError, startPage } from './api.js'

const REFRESH_MS = 2000

/** Where a new workspace goes next; empty once it has evidence and an agent may read it. */
const nextStep = ({ sources, signals }) => {
  if (sources === 0) return ['Create a source', '/app/settings/sources', 'to get an address that signals are sent to.']
  if (signals === 0)
    return ['Send the first signal', '/app/settings/sources', 'with the curl of your source. It appears here.']
  return ['Connect an agent', '/app/settings/connect-agents', 'to let it read this evidence.']
}

const cells = (...contents) => contents.map(content => element('td', {}, content))
const numberCell = count => element('td', { class: 'number' }, String(count))

const signalRow = ({ reference, text, classification, state, occurrences }) =>
  element('tr', {}, ...cells(reference, text, classification, state), numberCell(occurrences))

const claimRow = ({ reference, title, kind, state, signals }) =>
  element('tr', {}, ...cells(reference, title, kind, state), numberCell(signals))

const fill = (selector, rows, empty) => {
  const body = document.querySelector(selector)
  const quiet = element('tr', {}, element('td', { colspan: '5', class: 'quiet' }, empty))
  body.replaceChildren(...(rows.length > 0 ? rows : [quiet]))
}

const refresh = async () => {
  const { workspace, counts, recent_signals, top_claims } = await call('orient_snapshot')
  document.querySelector('#workspace').textContent = workspace.name
  const [action, address, rest] = nextStep(counts)
  document.querySelector('#next-step').replaceChildren(element('a', { href: address }, action), ` ${rest}`)
  fill('#signals', recent_signals.map(signalRow), 'No signal has arrived yet.')
  fill('#claims', top_claims.map(claimRow), 'A problem or an idea starts a claim.')
  showError(null)
}

/** Asks again after each answer, so that a slow server is never asked twice at once. */
const keepFresh = async () => {
  if (!document.hidden) await refresh().catch(showError)
  setTimeout(keepFresh, REFRESH_MS)
}

startPage()
keepFresh()
