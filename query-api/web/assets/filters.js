/** What the form's fields hold, without those that are left open. */
const chosen = form => Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''))

/** Sets the form to what the address says. A word that is no choice of a field leaves it as the page has it. */
const readAddress = form => {
  form.reset()
  for (const [name, value] of new URLSearchParams(location.search)) {
    const field = form.elements.namedItem(name)
    if ([...(field?.options ?? [])].some(option => option.value === value)) field.value = value
  }
}

/**
 * Keeps a form's choices in the address, so that a reload, the way back and a link show the same list. `changed` runs after each
 * change; answers a function that gives the choices.
 */
export const filtersInAddress = (form, changed) => {
  readAddress(form)
  form.addEventListener('submit', event => event.preventDefault())
  form.addEventListener('change', () => {
    history.pushState(null, '', `?${new URLSearchParams(chosen(form))}`)
    changed()
  })
  addEventListener('popstate', () => {
    readAddress(form)
    changed()
  })
  return () => chosen(form)
}
