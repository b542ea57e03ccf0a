import { element } from './api.js'
import { quiet, reading } from './show.js'

const button = (label, click) => element('button', { type: 'button', click }, label)

/**
 * Reads a list page by page, and says under it where that stands: reading, nothing, gone wrong with a way to try again, or more to come.
 * `read(cursor)` answers `{items, count, cursor}`; `show(items, count)` shows all items that there are so far, of how many.
 */
export const pagedList = ({ status, read, show, empty, idOf = item => item.id }) => {
  let items = []
  let count = 0
  let cursor
  let readings = 0

  const end = () => {
    if (cursor) return [button('Show more', () => readOn(items, cursor))]
    return items.length === 0 ? [quiet(empty())] : []
  }

  const put = (shown, of) => {
    items = shown
    count = of
    show(items, count)
    status.replaceChildren(...end())
  }

  /** Reads the page at `from`, the first without it, and adds it to `before`. An answer that comes after another reading began is dropped. */
  const readOn = async (before, from) => {
    readings += 1
    const mine = readings
    status.replaceChildren(reading())
    try {
      const page = await read(from)
      if (mine !== readings) return
      cursor = page.cursor
      const known = new Set(before.map(idOf))
      put([...before, ...page.items.filter(item => !known.has(idOf(item)))], page.count)
    } catch (error) {
      if (mine !== readings) return
      status.replaceChildren(
        element('p', { class: 'error' }, error.message),
        button('Try again', () => readOn(before, from)),
      )
    }
  }

  return {
    items: () => items,
    /** Empties the list and reads it from its beginning. */
    restart: () => {
      cursor = undefined
      put([], 0)
      return readOn([])
    },
    /** Reads it from its beginning, and shows what there was until the answer is there. */
    reread: () => readOn([]),
    /** Shows these instead; reads on when none is left of several. */
    edit: shown => {
      put(shown, count + shown.length - items.length)
      if (items.length === 0 && cursor) readOn(items, cursor)
    },
  }
}
