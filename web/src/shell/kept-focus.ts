/** What can take the focus, or will once it is enabled again. */
const TARGETS = 'a[href], button, input, select, textarea, summary, [tabindex]'
/** The room that the focus stays in: a dialog, or the page’s main part. */
const ROOM = '[role=dialog], #main'
/** One of several that are alike: where it goes, the next one takes its place. */
const ROW = 'li, tr, article, [role=listitem], [role=row], [role=option], [role=treeitem]'
/** A part of a room, of which a screen reader says the name or the text when it takes the focus. */
const PART = `${ROW}, section, [role=region], [role=group], [role=tabpanel], ${ROOM}`
/**
 * So many places of the page, and of each dialog, are remembered: where a dialog was opened from a menu that a button
 * opens, it is the third. However long somebody fills in a dialog, what opened it is among those of the page.
 */
const REMEMBERED = 10
/** What was disabled while it worked is waited for so long. */
const WORKING_MS = 1000
const DRAWN_MS = 100
/** A dialog that closes is gone from the page by then. */
const CLOSED_MS = 300

const canTake = (element: HTMLElement): boolean =>
  element.checkVisibility() && !element.matches(':disabled, [type=hidden]') && element.closest('[inert]') === null

/**
 * What can take the focus: the element itself or something in it, at best like what has gone. What Tab passes over is
 * none, but for a row of a tree, of which Tab reaches one alone.
 */
const targetIn = (element: Element, gone: HTMLElement): HTMLElement | undefined => {
  const all = [element, ...element.querySelectorAll(TARGETS)].filter(
    (each): each is HTMLElement =>
      each instanceof HTMLElement &&
      each.matches(TARGETS) &&
      (each.tabIndex >= 0 || each.matches(ROW)) &&
      canTake(each),
  )
  return all.find(({ tagName }) => tagName === gone.tagName) ?? all[0]
}

const rowsFrom = (start: Node | null, next: 'nextSibling' | 'previousSibling'): Element[] => {
  const found: Element[] = []
  for (let node = start; node?.isConnected; node = node[next]) {
    if (node instanceof Element && node.matches(ROW)) found.push(node)
  }
  return found
}

/**
 * What stands for something that was removed: for a row the next one, else the one before. For everything else, and
 * where no row is left, the part of the page that had it: a control beside it may do anything, and the next press of
 * the same key would do that.
 */
const standsFor = (
  { target, nextSibling, previousSibling }: MutationRecord,
  removed: Node,
  gone: HTMLElement,
): HTMLElement | undefined => {
  if (removed instanceof Element && removed.matches(ROW)) {
    for (const row of [...rowsFrom(nextSibling, 'nextSibling'), ...rowsFrom(previousSibling, 'previousSibling')]) {
      const found = targetIn(row, gone)
      if (found !== undefined) return found
    }
  }
  const part = target instanceof Element ? target.closest<HTMLElement>(PART) : null
  if (part?.hasAttribute('tabindex') === false) part.tabIndex = -1
  return part ?? undefined
}

/** What stands for an element now; nothing where the room that it was in has gone too. */
const insteadOf = (element: HTMLElement, records: readonly MutationRecord[]): HTMLElement | undefined => {
  if (element.isConnected) return element
  for (const record of records) {
    const removed = [...record.removedNodes].find(node => node.contains(element))
    if (removed === undefined) continue
    // What takes itself down once the page has let it go, as the editor of a document does, goes from a part that is
    // gone by then.
    const { target } = record
    const isGone = target instanceof HTMLElement && !target.isConnected
    const instead = isGone ? target : standsFor(record, removed, element)
    return instead && insteadOf(instead, records)
  }
  return undefined
}

/** The dialog above everything else that is open. */
const dialogAbove = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('[role=dialog][aria-modal=true]')].at(-1)

/**
 * Remembers where the focus was, and gives it back where what has it goes: to what opened a dialog or a menu, to the
 * next row of a list, to a button that was disabled while it worked, to the part of the page that had it. Without
 * it the focus falls to the page’s body, and whoever works by keyboard begins at the top. Answers what ends it.
 */
export const keepFocus = (): (() => void) => {
  let trail: HTMLElement[] = []
  /** Whether something has the focus, or had it until it went. */
  let isHeld = false
  let timer = 0
  const remember = (element: Element | null) => {
    if (!(element instanceof HTMLElement) || element === document.body) return
    trail = [...trail.filter(other => other !== element), element]
    const room = element.closest('[role=dialog]')
    const there = trail.filter(other => other.closest('[role=dialog]') === room)
    if (there.length > REMEMBERED) trail = trail.filter(other => other !== there[0])
    isHeld = true
    clearTimeout(timer)
  }
  const giveBack = (isPatient: boolean) => {
    const { activeElement } = document
    if (!isHeld || (activeElement !== null && activeElement !== document.body)) return
    const dialog = dialogAbove()
    const there = trail.filter(element => element.isConnected && (dialog?.contains(element) ?? true))
    const last = there.at(-1)
    clearTimeout(timer)
    if (isPatient && last?.matches(':disabled') && last.checkVisibility()) {
      timer = window.setTimeout(giveBack, WORKING_MS, false)
      return
    }
    const target = there.findLast(canTake) ?? dialog ?? document.getElementById('main')
    target?.focus({ preventScroll: true })
  }
  const changed = (records: readonly MutationRecord[]) => {
    if (trail.some(element => !element.isConnected)) {
      trail = trail.flatMap(element => insteadOf(element, records) ?? [])
    }
    giveBack(true)
    // What is disabled or out of reach has the focus until the page is drawn.
    if (records.some(({ type }) => type === 'attributes')) setTimeout(giveBack, DRAWN_MS, true)
  }
  /** A dialog that closes gives the focus back to the page, also where another has opened in its place by then. */
  const enterDialog = () => {
    const { activeElement } = document
    const dialog = dialogAbove()
    if (dialog === undefined || dialog.contains(activeElement) || activeElement?.closest('[data-portal]') != null)
      return
    const last = trail.findLast(element => dialog.contains(element) && canTake(element))
    const field = last ?? dialog.querySelector<HTMLElement>('[data-autofocus]') ?? dialog
    field.focus({ preventScroll: true })
  }
  const focused = ({ target }: FocusEvent) => {
    remember(target instanceof Element ? target : null)
    if (dialogAbove() !== undefined) setTimeout(enterDialog, CLOSED_MS)
  }
  // A click beside everything, or Escape in a field, gives the focus away on purpose.
  const left = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null || !(target instanceof HTMLElement)) return
    setTimeout(() => {
      if (document.activeElement !== document.body) return
      if (!target.isConnected || !canTake(target)) return giveBack(true)
      trail = []
      isHeld = false
    })
  }
  const observer = new MutationObserver(changed)
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled', 'inert'],
  })
  remember(document.activeElement)
  document.addEventListener('focusin', focused)
  document.addEventListener('focusout', left)
  return () => {
    observer.disconnect()
    clearTimeout(timer)
    document.removeEventListener('focusin', focused)
    document.removeEventListener('focusout', left)
  }
}
