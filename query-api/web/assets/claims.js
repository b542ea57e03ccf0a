import { callPage } from './api.js'
import { filtersInAddress } from './filters.js'
import { startPage } from './navigation.js'
import { pagedList } from './paged-list.js'
import { claimLink, counted, quoted, row, table, time, update } from './show.js'

const HEADINGS = ['Claim', 'Title', 'Kind', 'State', ['Signals', 'number'], ['Senders', 'number'], 'Newest evidence']

const claimRow = claim =>
  row(
    claimLink(claim),
    quoted(claim.title),
    claim.kind,
    claim.state,
    claim.signals,
    claim.actors,
    claim.last_evidence_at ? time(claim.last_evidence_at) : '–',
  )

const read = cursor => {
  const { state, kind, order_by } = filters()
  return callPage('analyze_claims', {
    order_by,
    ...(state && { states: [state] }),
    ...(kind && { kinds: [kind] }),
    ...(cursor && { cursor }),
  })
}

const pages = pagedList({
  status: document.querySelector('#list-status'),
  read,
  show: (claims, inAll) => {
    update('#count', counted(inAll, 'claim'))
    update('#claims', ...(claims.length > 0 ? [table('Claims', HEADINGS, claims.map(claimRow))] : []))
  },
  empty: () => 'No claim is like that. A problem or an idea starts one; a signal that is promoted does too.',
})

const filters = filtersInAddress(document.querySelector('#filters'), pages.restart)

startPage()
pages.restart()
