interface ScreenAction {
  readonly label: string
  readonly run: () => void
}

const MOST = 100
const BUTTONS = '#main button:not(:disabled):not([role=combobox]), #main [role=button]:not([aria-disabled=true])'

/** What a button is called, without what only shows: icons and keycaps. */
const nameOf = (button: HTMLElement): string => {
  const label = button.getAttribute('aria-label')
  if (label !== null) return label.trim()
  const shown = button.cloneNode(true) as HTMLElement
  for (const each of shown.querySelectorAll('[aria-hidden]')) each.remove()
  return (shown.textContent ?? '').replace(/\s+/g, ' ').trim()
}

/** The buttons that can be pressed, by their names. Of several with one name nobody could say which is meant. */
const buttonsByName = (): ReadonlyMap<string, HTMLElement> => {
  const found = new Map<string, HTMLElement>()
  const several = new Set<string>()
  for (const button of document.querySelectorAll<HTMLElement>(BUTTONS)) {
    const name = nameOf(button)
    if (name === '' || !button.checkVisibility()) continue
    if (found.has(name)) several.add(name)
    else found.set(name, button)
  }
  for (const name of several) found.delete(name)
  return found
}

/** Everything that the screen has a button for at the moment, as a command that presses it. */
export const actionsOnScreen = (): readonly ScreenAction[] =>
  [...buttonsByName().keys()]
    .slice(0, MOST)
    // It may have been drawn anew since.
    .map(label => ({ label, run: () => buttonsByName().get(label)?.click() }))
