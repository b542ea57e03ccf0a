/** A piece of a text and its position. */
interface Part {
  readonly kind: 'text' | 'reference' | 'name'
  readonly at: number
  readonly part: string
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** A text cut at references, and at `@` with one of the names or a name's first word. */
export const partsOf = (text: string, names: readonly string[]): readonly Part[] => {
  const called = names.flatMap(name => [name, name.split(/\s/, 1)[0] ?? '']).filter(name => name !== '')
  const longestFirst = [...new Set(called)].sort((one, other) => other.length - one.length)
  const mentioned = longestFirst.length === 0 ? '(?!)' : longestFirst.map(escaped).join('|')
  const wanted = new RegExp(`\\b(?:SIG|CLM|SOL|DEC|THM)-\\d{1,9}\\b|@(?:${mentioned})`, 'gi')
  const parts: Part[] = []
  let end = 0
  for (const { 0: part, index } of text.matchAll(wanted)) {
    if (index > end) parts.push({ kind: 'text', at: end, part: text.slice(end, index) })
    parts.push({ kind: part.startsWith('@') ? 'name' : 'reference', at: index, part })
    end = index + part.length
  }
  return end < text.length ? [...parts, { kind: 'text', at: end, part: text.slice(end) }] : parts
}
