/**
 * An answer in which nothing is said twice: where a text begins with the title beside it, as a Signal's does in a
 * search, the title is left empty; where the title is all of the text, the text is. Agents pay for both.
 */
export const saidOnce = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(saidOnce)
  if (typeof value !== 'object' || value === null) return value
  const once = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, saidOnce(inner)]))
  const { title, text } = once
  if (typeof title !== 'string' || typeof text !== 'string' || title === '') return once
  if (text === title) return { ...once, text: '' }
  return text.startsWith(title) ? { ...once, title: '' } : once
}
