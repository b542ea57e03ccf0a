import { call, callPage, showError } from './api.js'
import { filtersInAddress } from './filters.js'
import { shortcuts } from './keys.js'
import { startPage } from './navigation.js'
import { pagedList } from './paged-list.js'
import { proposalDecided } from './proposal-decided.js'
import { proposalGroup } from './proposal-group.js'
import { grouped } from './proposal-groups.js'
import { selection } from './selection.js'
import { counted, update } from './show.js'
import { undoLine } from './undo.js'

/** Groups form best over many pairs; one decision takes as many at most. */
const PAGE = 100

/** Which claim a group is to be merged into, where somebody chose; else the one that they have in common. */
const chosen = new Map()
let busy = false

const undo = undoLine(document.querySelector('#undo'))
const list = selection(document.querySelector('#groups'), shown =>
  shown.proposals ? proposalGroup(shown, actionsOn(shown)) : proposalDecided(shown, () => takeBackDecided(shown)),
)

const WAITING = 'No merge is proposed. Claims that look alike come here as pairs.'
const SAYS = { waiting: 'to decide on', confirmed: 'merged', refused: 'refused' }

const pages = pagedList({
  status: document.querySelector('#list-status'),
  read: cursor => callPage('lookup_proposals', { ...filters(), limit: PAGE, ...(cursor && { cursor }) }),
  show: (proposals, inAll) => {
    const { state } = filters()
    update('#count', `${counted(inAll, 'pair')} ${SAYS[state]}`)
    const groups = () => grouped(proposals).map(group => ({ ...group, into: chosen.get(group.id) ?? group.id }))
    list.show(state === 'waiting' ? groups() : proposals)
  },
  empty: () => (filters().state === 'waiting' ? WAITING : 'None.'),
})

const filters = filtersInAddress(document.querySelector('#filters'), pages.restart)

const undone = async input => {
  const { merges } = await call('triage', { action: 'undo', ...input })
  await pages.reread()
  return merges.some(({ state }) => state === 'undone') ? 'They are apart again, and stay so.' : 'They wait again.'
}

const takeBackDecided = async ({ id }) => {
  showError(null)
  try {
    update('#undo', await undone({ proposal_id: id }))
  } catch (error) {
    showError(error)
  }
}

/** Decides on some pairs of a group at once; what else that settles leaves the list too, so it is read again. */
const decide = async (input, proposals, says) => {
  if (busy) return
  busy = true
  showError(null)
  try {
    const { decision } = await call('triage', { ...input, proposal_ids: proposals.slice(0, PAGE).map(({ id }) => id) })
    undo.did(`${says}.`, () => undone({ decision_id: decision.id }))
  } catch (error) {
    showError(error)
  } finally {
    busy = false
    await pages.reread()
  }
}

const names = proposals =>
  [...new Set(proposals.flatMap(({ claim, candidate }) => [claim.reference, candidate.reference]))].join(', ')

const choose = (group, id) => {
  chosen.set(group.id, id)
  pages.edit(pages.items())
}

const actionsOn = group => ({
  confirm: (proposals = group.proposals) => {
    const named = proposals.some(({ claim, candidate }) => [claim.id, candidate.id].includes(group.into))
    const input = { action: 'confirm_merge', ...(named && { survivor_id: group.into }) }
    return decide(input, proposals, `${names(proposals)} merged`)
  },
  refuse: (proposals = group.proposals) =>
    decide({ action: 'refuse_merge' }, proposals, `${names(proposals)} are not the same`),
  into: id => choose(group, id),
  swap: () => {
    const place = group.claims.findIndex(({ id }) => id === group.into)
    choose(group, group.claims[(place + 1) % group.claims.length].id)
  },
})

/** Runs an action on the group that is selected, if there is one. */
const onSelected = action => () => {
  const group = list.value()
  if (group?.proposals) actionsOn(group)[action]()
}

startPage()
shortcuts(document.querySelector('#keys'), [
  { key: 'j', does: 'Next group', run: list.next },
  { key: 'k', does: 'Previous group', run: list.previous },
  { key: '1', does: 'Merge the whole group', run: onSelected('confirm') },
  { key: '3', does: 'Not the same: refuse the whole group', run: onSelected('refuse') },
  { key: 'x', does: 'Other direction', run: onSelected('swap') },
  { key: 'z', does: 'Undo', run: undo.undoLast },
])
pages.restart()
