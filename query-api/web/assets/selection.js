/**
 * A list of elements of which one is selected: by moving, by a click, or by the focus coming into it. `make(value)` makes the element of a
 * value; values are told apart by their `id`.
 */
export const selection = (list, make) => {
  const elements = new WeakMap()
  let values = []

  const selected = () => list.querySelector(':scope > [aria-current]')
  const placeOf = item => [...list.children].indexOf(item)

  const mark = item => {
    const last = selected()
    if (item === last) return
    last?.removeAttribute('aria-current')
    last?.setAttribute('tabindex', '-1')
    item?.setAttribute('aria-current', 'true')
    item?.setAttribute('tabindex', '0')
  }

  const select = item => {
    mark(item)
    item?.focus({ preventScroll: true })
    item?.scrollIntoView({ block: 'nearest' })
  }

  const elementOf = value => {
    const known = elements.get(value)
    if (known) return known
    const item = make(value)
    item.setAttribute('tabindex', '-1')
    item.addEventListener('click', () => mark(item), { capture: true })
    item.addEventListener('focusin', () => mark(item))
    elements.set(value, item)
    return item
  }

  return {
    /** The selected value; undefined in an empty list. */
    value: () => values[placeOf(selected())],
    next: () => select(selected()?.nextElementSibling ?? selected()),
    previous: () => select(selected()?.previousElementSibling ?? selected()),
    /**
     * Shows these values instead, in their order. Selected is the one with the id `wanted`, else the one that was, else the one that took
     * its place; the focus goes with it when it was in the list.
     */
    show: (shown, wanted) => {
      const item = selected()
      const place = placeOf(item)
      const id = wanted ?? values[place]?.id
      const follow = wanted !== undefined || list.contains(document.activeElement)
      values = shown
      item?.removeAttribute('aria-current')
      list.replaceChildren(...shown.map(elementOf))
      const found = shown.findIndex(value => value.id === id)
      const next = list.children[found >= 0 ? found : Math.min(Math.max(place, 0), shown.length - 1)]
      if (follow) select(next)
      else mark(next)
    },
  }
}
