import { element, showError } from './api.js'

/**
 * Says what was done last and offers to undo it; what was done before that follows. An entry's `undo` answers what to say then; where it is
 * refused, for example because somebody went on from there, the page says why and the entry is gone.
 */
export const undoLine = place => {
  const done = []
  let busy = false

  const say = (text, label) => {
    const button = element('button', { type: 'button', click: undoLast }, label)
    place.replaceChildren(element('span', {}, text), ...(done.length > 0 ? [button] : []))
  }

  const undoLast = async () => {
    if (busy || done.length === 0) return
    busy = true
    showError(null)
    const last = done.pop()
    try {
      say(await last.undo(), 'Undo the one before')
    } catch (error) {
      showError(error)
      say(`Not undone: ${last.says}`, 'Undo the one before')
    } finally {
      busy = false
    }
  }

  return {
    undoLast,
    did: (says, undo) => {
      done.push({ says, undo })
      say(says, 'Undo')
    },
  }
}
