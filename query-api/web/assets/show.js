import { element } from './api.js'

const DAY_AND_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const TWO_PLACES = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const ONE_PLACE = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const WHOLE = new Intl.NumberFormat()

export const count = number => WHOLE.format(number)

/** “1 signal”, “1,200 signals”. */
export const counted = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`

/** A score or a confidence between 0 and 1. */
export const score = number => (number === null ? '–' : TWO_PLACES.format(number))

export const time = instant =>
  element('time', { datetime: instant, title: instant }, DAY_AND_TIME.format(new Date(instant)))

/** Text of a sender inside a sentence of ours: signs that turn the direction of writing end with it. */
export const quoted = text => element('bdi', {}, text)

/** A link to where a sender says that a signal comes from. Only the web's own schemes are links; anything else is text. */
export const sourceLink = address => {
  const url = URL.parse(address)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return quoted(address)
  return element('a', { href: url.href, rel: 'noopener noreferrer nofollow', target: '_blank' }, quoted(url.host))
}

export const claimLink = ({ reference, title }) =>
  element('a', { class: 'reference', href: `/app/claims/${reference}`, ...(title && { title }) }, reference)

export const quiet = (...children) => element('p', { class: 'quiet' }, ...children)

/** What stands where an answer will be; there only when it is slow. */
export const reading = () => element('p', { class: 'quiet later' }, 'Reading…')

/** Shows this in a place instead. What is the same stays, with the focus and the selection that somebody has in it. */
export const update = (selector, ...children) => {
  const place = document.querySelector(selector)
  const wanted = place.cloneNode()
  wanted.append(...children)
  if (!place.isEqualNode(wanted)) place.replaceChildren(...wanted.childNodes)
}

/** A table with its headings; a heading is its title, or `[title, 'number']` for a column of numbers. */
export const table = (label, headings, rows) =>
  element(
    'div',
    { class: 'scrolls', tabindex: '0', role: 'region', 'aria-label': label },
    element(
      'table',
      {},
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          ...headings.map(heading => {
            const [title, kind = ''] = [heading].flat()
            return element('th', { scope: 'col', class: kind }, title)
          }),
        ),
      ),
      element('tbody', {}, ...rows),
    ),
  )

const numberCell = text => element('td', { class: 'number' }, text)

/** A cell of a table for a time in milliseconds. */
export const milliseconds = number => numberCell(ONE_PLACE.format(number))

/** A table's row; a cell is what it shows, and a number stands in a column of numbers. */
export const row = (...cells) =>
  element(
    'tr',
    {},
    ...cells.map(cell => {
      if (cell instanceof HTMLTableCellElement) return cell
      return typeof cell === 'number' ? numberCell(count(cell)) : element('td', {}, ...[cell].flat())
    }),
  )
