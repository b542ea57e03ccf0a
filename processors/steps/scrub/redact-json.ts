import { type Replaced, redact } from './redact.ts'

/**
 * A JSON value without personal data, in its keys, its strings and its numbers. A key introduces its value as a word does in a text, so that
 * `{"ssn": "…"}` is understood, with the key around it: `{"phone": {"number": "…"}}`. A number that is personal becomes its placeholder.
 */
export const redactJson = (value: unknown, replaced: Replaced, key = ''): unknown => {
  if (typeof value === 'string') return redactValue(value, replaced, key)
  if (typeof value === 'number') {
    const written = String(value)
    const redacted = redactValue(written, replaced, key)
    return redacted === written ? value : redacted
  }
  if (Array.isArray(value)) return value.map(inner => redactJson(inner, replaced, key))
  if (typeof value !== 'object' || value === null) return value
  const names = new Set<string>()
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const clean = distinct(redact(name, replaced), names)
      return [clean, redactJson(inner, replaced, introductionOf(key, name, clean))]
    }),
  )
}

const LONGEST_NAME = 24

/** The words of the last two names on the way to a value. A name that was personal itself introduces nothing. */
const introductionOf = (parent: string, name: string, clean: string): string => {
  if (name !== clean) return ''
  const around = parent.split(' ').slice(-3).join(' ')
  const words = name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').slice(-LONGEST_NAME)
  return around === '' ? words : `${around.slice(-LONGEST_NAME)} ${words}`
}

const redactValue = (value: string, replaced: Replaced, key: string): string => {
  if (key === '') return redact(value, replaced)
  const introduction = `${key}: `
  const counted: Replaced = new Map()
  const together = redact(introduction + value, counted)
  if (!together.startsWith(introduction)) return redact(value, replaced)
  for (const [kind, count] of counted) replaced.set(kind, (replaced.get(kind) ?? 0) + count)
  return together.slice(introduction.length)
}

/** Keys that were different addresses stay different keys: `[EMAIL]`, `[EMAIL] 2`. */
const distinct = (name: string, taken: Set<string>): string => {
  let free = name
  for (let count = 2; taken.has(free); count += 1) free = `${name} ${count}`
  taken.add(free)
  return free
}
