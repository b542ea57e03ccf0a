import classes from './movable.module.css'

export interface Point {
  readonly x: number
  readonly y: number
}

/** The image under the pointer while an item is dragged. */
export interface DragPreview {
  readonly moveTo: (pointer: Point) => void
  readonly remove: () => void
}

/** Attributes that would make the copy count as another item. */
const OF_ITEMS = ['id', 'data-movable', 'data-list', 'data-lifted', 'data-line', 'data-over']

/** An unreachable copy with the page's size of each part. */
const copyOf = (item: HTMLElement): HTMLElement => {
  const copy = item.cloneNode(true) as HTMLElement
  for (const part of [copy, ...copy.querySelectorAll('*')]) for (const name of OF_ITEMS) part.removeAttribute(name)
  const table = item.closest('table')
  if (!(item instanceof HTMLTableRowElement) || table === null) return copy
  // A row outside of its table has no columns.
  for (const [place, cell] of [...item.cells].entries()) {
    const width = `${cell.getBoundingClientRect().width}px`
    Object.assign((copy.children[place] as HTMLElement).style, { width, minWidth: width, maxWidth: width })
  }
  const own = table.cloneNode(false) as HTMLTableElement
  own.createTBody().append(copy)
  return own
}

/**
 * Draws a copy of the item above the page, fixed to the pointer at the grabbed point. The item keeps its place. Without
 * animation, so reduced motion needs nothing else.
 */
export const createDragPreview = (item: HTMLElement, grabbed: Point): DragPreview => {
  const { left, top, width, height } = item.getBoundingClientRect()
  const preview = document.createElement('div')
  preview.className = classes.preview ?? ''
  preview.ariaHidden = 'true'
  preview.inert = true
  preview.dataset.dragPreview = ''
  preview.append(copyOf(item))
  Object.assign(preview.style, { width: `${width}px`, height: `${height}px` })
  const moveTo = ({ x, y }: Point): void => {
    preview.style.translate = `${left + x - grabbed.x}px ${top + y - grabbed.y}px`
  }
  moveTo(grabbed)
  document.body.append(preview)
  return { moveTo, remove: () => preview.remove() }
}
