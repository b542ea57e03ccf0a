/**
 * An answer without repeated text, because agents pay for every token: where a text begins with the title beside it, as
 * a signal's does in a search, the title is emptied; where the title is the whole text, the text is.
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
