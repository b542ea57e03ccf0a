import { call, element, showError } from './api.js'
import { startPage } from './navigation.js'
import { claimLink, counted, quiet, quoted, row, table, update } from './show.js'

const REFRESH_MS = 2000

/** Where a new workspace goes next; empty once it has evidence and an agent may read it. */
const nextStep = ({ sources, signals }) => {
  if (sources === 0) return ['Create a source', '/app/settings/sources', 'to get an address that signals are sent to.']
  if (signals === 0)
    return ['Send the first signal', '/app/settings/sources', 'with the curl of your source. It appears here.']
  return ['Connect an agent', '/app/settings/connect-agents', 'to let it read this evidence.']
}

/** What waits for somebody to decide, each with the page where they can. */
const waiting = counts =>
  [
    [counts.signals_in_triage, 'in Triage', 'in Triage', '/app/triage'],
    [counts.waiting_proposals, 'proposed merge', 'proposed merges', '/app/proposals'],
    [counts.waiting_dead_letters, 'dead letter', 'dead letters', '/app/pipeline'],
  ]
    .filter(([number]) => number > 0)
    .map(([number, one, many, address]) => element('a', { href: address }, counted(number, one, many)))

const SIGNALS = ['Reference', 'Text', 'Classification', 'State', ['Occurrences', 'number']]
const CLAIMS = ['Reference', 'Title', 'Kind', 'State', ['Evidence', 'number']]

const signalRow = ({ reference, text, classification, state, occurrences }) =>
  row(reference, quoted(text), classification, state, occurrences)

const claimRow = claim => row(claimLink(claim), quoted(claim.title), claim.kind, claim.state, claim.signals)

const signalTable = signals =>
  signals.length > 0 ? table('Newest signals', SIGNALS, signals.map(signalRow)) : quiet('No signal has arrived yet.')

const claimTable = claims =>
  claims.length > 0
    ? table('Claims with the most evidence', CLAIMS, claims.map(claimRow))
    : quiet('A problem or an idea starts a claim.')

const refresh = async () => {
  const { workspace, counts, recent_signals, top_claims } = await call('orient_snapshot')
  const [action, address, rest] = nextStep(counts)
  const links = waiting(counts)
  update('#workspace', workspace.name)
  update('#next-step', element('a', { href: address }, action), ` ${rest}`)
  update('#waiting', ...links.flatMap((link, place) => [place === 0 ? 'Waiting for you: ' : ' · ', link]))
  update('#signals', signalTable(recent_signals))
  update('#claims', claimTable(top_claims))
  showError(null)
}

/** Asks again after each answer, so that a slow server is never asked twice at once. */
const keepFresh = async () => {
  if (!document.hidden) await refresh().catch(showError)
  setTimeout(keepFresh, REFRESH_MS)
}

startPage()
keepFresh()
