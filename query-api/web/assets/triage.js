import { call, callPage, showError } from './api.js'
import { filtersInAddress } from './filters.js'
import { shortcuts } from './keys.js'
import { startPage } from './navigation.js'
import { pagedList } from './paged-list.js'
import { askPromotion } from './promotion.js'
import { selection } from './selection.js'
import { count } from './show.js'
import { isPromotable, signalItem } from './signal-item.js'
import { undoLine } from './undo.js'

const STATES = { triage: 'in Triage', accepted: 'accepted', dismissed: 'dismissed' }

const numberOf = ({ reference }) => Number(reference.split('-')[1])

let busy = false

const list = selection(document.querySelector('#signals'), signal => signalItem(signal, actions))
/** The signal to select when the list is shown next; without it the selection stays where it is. */
let wanted

const pages = pagedList({
  status: document.querySelector('#list-status'),
  read: cursor => callPage('lookup_triage', { ...filters(), ...(cursor && { cursor }) }),
  show: (signals, inAll) => {
    document.querySelector('#count').textContent = `${count(inAll)} ${STATES[filters().state]}`
    list.show(signals, wanted)
    wanted = undefined
  },
  empty: () => (filters().state === 'triage' ? 'Nothing of this kind waits.' : 'No signal is like that.'),
})

const filters = filtersInAddress(document.querySelector('#filters'), pages.restart)
const undo = undoLine(document.querySelector('#undo'))

/** Whether the list that is shown has such a signal. */
const belongs = signal => {
  const { state, classification = signal.classification } = filters()
  return signal.state === state && signal.classification === classification
}

/** Brings the list up to what a signal has become. */
const become = signal => {
  const others = pages.items().filter(({ id }) => id !== signal.id)
  pages.edit(belongs(signal) ? [...others, signal].sort((one, other) => numberOf(other) - numberOf(one)) : others)
}

const takeBack = async (signal, decision) => {
  const undone = await call('triage', { action: 'undo', decision_id: decision.id })
  wanted = signal.id
  become(undone.signal)
  return `${signal.reference} is as it was.`
}

/** Somebody else may have decided meanwhile: what is shown should be what is. */
const lookAgain = async signal => {
  const found = await call('lookup_signal', { id: signal.id, depth: 'summary' }).catch(() => null)
  become(found?.signal ?? { ...signal })
}

const decide = async (signal, input, says) => {
  if (signal === undefined || busy) return
  busy = true
  showError(null)
  try {
    const decided = await call('triage', { ...input, signal_id: signal.id, version: signal.version })
    become(decided.signal)
    undo.did(`${signal.reference} ${says(decided)}.`, () => takeBack(signal, decided.decision))
  } catch (error) {
    showError(error)
    await lookAgain(signal)
  } finally {
    busy = false
  }
}

const actions = {
  accept: () => decide(list.value(), { action: 'accept' }, () => 'is accepted'),
  dismiss: () => decide(list.value(), { action: 'dismiss' }, () => 'is dismissed'),
  reclassify: classification =>
    decide(list.value(), { action: 'reclassify', classification }, () => `counts as ${classification}`),
  promote: async () => {
    const signal = list.value()
    if (signal === undefined || !isPromotable(signal)) return
    const to = await askPromotion(signal)
    if (to) await decide(signal, { action: 'promote', ...to }, ({ claim }) => `is evidence of ${claim.reference}`)
  },
}

startPage()
shortcuts(document.querySelector('#keys'), [
  { key: 'j', does: 'Next signal', run: list.next },
  { key: 'k', does: 'Previous signal', run: list.previous },
  { key: '1', does: 'Accept', run: actions.accept },
  { key: '3', does: 'Dismiss', run: actions.dismiss },
  { key: 'p', does: 'Promote to evidence of a claim', run: actions.promote },
  { key: 'z', does: 'Undo', run: undo.undoLast },
])
pages.restart()
