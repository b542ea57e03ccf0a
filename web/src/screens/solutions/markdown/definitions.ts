import { unescaped } from './characters.ts'

/** Where a link or an image of a document leads. */
export interface Target {
  readonly href: string
  readonly title: string | null
}

/** By the label of its definition, such as `[plan]: https://example.com "Plan"`. */
export type Definitions = ReadonlyMap<string, Target>

/** In characters. */
export const MAX_LABEL = 999
const MAX_PARENTHESES = 32

/** A label as definitions are known by; null for one that is empty or too long. */
export const labelOf = (text: string): string | null => {
  if (text.length > MAX_LABEL) return null
  const words = text.trim().replace(/[ \t\n]+/g, ' ')
  return words === '' ? null : words.toLowerCase().toUpperCase()
}

interface Part<T> {
  readonly value: T
  /** The character after it. */
  readonly end: number
}

/** The label in brackets that begins at a place. */
export const readLabel = (text: string, from: number): Part<string> | null => {
  if (text[from] !== '[') return null
  const limit = Math.min(text.length, from + MAX_LABEL + 2)
  for (let at = from + 1; at < limit; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '[') return null
    else if (text[at] === ']') return { value: text.slice(from + 1, at), end: at + 1 }
  }
  return null
}

/** Where a link leads, as it is written at a place. */
const readDestination = (text: string, from: number): Part<string> | null => {
  if (text[from] === '<') {
    for (let at = from + 1; at < text.length; at += 1) {
      if (text[at] === '\\') at += 1
      else if (text[at] === '\n' || text[at] === '<') return null
      else if (text[at] === '>') return { value: text.slice(from + 1, at), end: at + 1 }
    }
    return null
  }
  let depth = 0
  let at = from
  for (; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (character === '\\' && text[at + 1] !== ' ' && text[at + 1] !== '\n') at += 1
    else if (character === '(') depth += 1
    else if (character === ')' && depth === 0) break
    else if (character === ')') depth -= 1
    else if (character <= ' ' || character === '\x7f') break
    if (depth > MAX_PARENTHESES) return null
  }
  return depth > 0 || at === from ? null : { value: text.slice(from, Math.min(at, text.length)), end: at }
}

const TITLE_ENDS: Readonly<Record<string, string>> = { '"': '"', "'": "'", '(': ')' }

const readTitle = (text: string, from: number): Part<string> | null => {
  const end = TITLE_ENDS[text[from] ?? '']
  if (end === undefined) return null
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === end) return { value: text.slice(from + 1, at), end: at + 1 }
    else if (text[at] === '(' && end === ')') return null
  }
  return null
}

/** Behind spaces, tabs and one end of a line. */
const skipBlank = (text: string, from: number): number => {
  const space = /[ \t]*(?:\n[ \t]*)?/y
  space.lastIndex = from
  return from + (space.exec(text)?.[0].length ?? 0)
}

/** The target in parentheses that begins at a place, behind the text of a link. */
export const readTarget = (text: string, from: number): Part<Target> | null => {
  if (text[from] !== '(') return null
  const start = skipBlank(text, from + 1)
  const destination = readDestination(text, start) ?? { value: '', end: start }
  const behind = skipBlank(text, destination.end)
  const title = behind > destination.end ? readTitle(text, behind) : null
  const end = title === null ? behind : skipBlank(text, title.end)
  if (text[end] !== ')') return null
  return { value: targetOf(destination.value, title?.value), end: end + 1 }
}

const targetOf = (href: string, title: string | undefined): Target => ({
  href: unescaped(href),
  title: title === undefined ? null : unescaped(title),
})

/** Takes the definitions at the beginning of a paragraph away, and keeps the first of each label. */
export const takeDefinitions = (paragraph: string, definitions: Map<string, Target>): string => {
  let at = 0
  while (paragraph[at] === '[') {
    const read = readDefinition(paragraph, at)
    if (read === null) break
    if (!definitions.has(read.value.label)) definitions.set(read.value.label, read.value.target)
    at = read.end
  }
  return paragraph.slice(at)
}

const readDefinition = (text: string, from: number): Part<{ label: string; target: Target }> | null => {
  const written = readLabel(text, from)
  const label = written === null ? null : labelOf(written.value)
  if (written === null || label === null || text[written.end] !== ':') return null
  const destination = readDestination(text, skipBlank(text, written.end + 1))
  if (destination === null) return null
  const behind = skipBlank(text, destination.end)
  const title = behind > destination.end ? readTitle(text, behind) : null
  const end = title === null ? null : endOfLine(text, title.end)
  // What follows on the next line and is no title is text of the paragraph.
  const ends = end ?? endOfLine(text, destination.end)
  if (ends === null) return null
  return { value: { label, target: targetOf(destination.value, end === null ? undefined : title?.value) }, end: ends }
}

/** Where the next line begins; null where something stands before it. */
const endOfLine = (text: string, from: number): number | null => {
  const end = /[ \t]*(?:\n|$)/y
  end.lastIndex = from
  const found = end.exec(text)
  return found === null ? null : from + found[0].length
}
