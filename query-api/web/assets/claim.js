import { call, callPage, showError } from './api.js'
import { claimLineage } from './claim-lineage.js'
import { claimSummary } from './claim-summary.js'
import { evidenceItem } from './evidence-item.js'
import { startPage } from './navigation.js'
import { pagedList } from './paged-list.js'
import { update } from './show.js'

const id = new URLSearchParams(location.search).get('id') ?? ''
const evidence = document.querySelector('#evidence')

const undo = async (input, question) => {
  if (!confirm(question)) return
  showError(null)
  try {
    const { decision } = await call('triage', { action: 'undo', ...input })
    update('#done', `Done, as ${decision.reference}.`)
  } catch (error) {
    showError(error)
  }
  await pages.reread()
}

const actions = {
  pullApart: merged =>
    undo(
      { claim_id: merged },
      `Pull ${merged} apart again? What came with it goes back to it, and the two stay apart.`,
    ),
  pullOut: signal =>
    undo(
      { signal_id: signal, claim_id: id },
      `Pull ${signal} out? It starts a claim of its own, which stays apart from this one.`,
    ),
  proposeAgain: (proposal, other) =>
    undo({ proposal_id: proposal }, `Take back that ${other} is kept apart? The pair waits among the proposals again.`),
}

const showClaim = claim => {
  document.title = `${claim.reference} · Assay`
  update('#claim', ...claimSummary(claim))
  update('#lineage', ...claimLineage(claim, actions))
}

const pages = pagedList({
  status: document.querySelector('#list-status'),
  read: async cursor => {
    const {
      evidence: page,
      cursor: next,
      ...claim
    } = await callPage('lookup_claim', {
      id,
      depth: 'full',
      ...(cursor && { cursor }),
    })
    showClaim(claim)
    return { ...page, cursor: next }
  },
  show: items => evidence.replaceChildren(...items.map(item => evidenceItem(item, actions))),
  empty: () => 'Nothing is behind it.',
  idOf: item => item.signal_id,
})

startPage('/app/claims')
pages.restart()
