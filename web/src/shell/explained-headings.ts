import { explanationOf } from './words-explained.ts'

/** What heads a figure, a column or a part of a page, and the state of something. */
const HEADINGS = 'dt, th, h1, h2, h3, [role=columnheader], .mantine-Badge-root'

/** Elements whose title is the explanation: the text that it belongs to may change. */
const explained = new WeakSet<Element>()

const explain = ({ target }: Event): void => {
  const heading = target instanceof Element ? target.closest<HTMLElement>(HEADINGS) : null
  if (heading === null || (heading.title !== '' && !explained.has(heading))) return
  const about = explanationOf(heading.textContent)
  if (about === undefined && !explained.has(heading)) return
  heading.title = about ?? ''
  explained.add(heading)
}

/** Says on hover what a heading or a state means, wherever on the page it is. Answers how to end it. */
export const explainHeadings = (): (() => void) => {
  addEventListener('pointerover', explain)
  return () => removeEventListener('pointerover', explain)
}
