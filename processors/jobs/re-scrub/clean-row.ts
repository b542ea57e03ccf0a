import { type Replaced, redact } from '../../steps/scrub/redact.ts'
import { redactJson } from '../../steps/scrub/redact-json.ts'
import type { DerivedRow, DerivedTexts } from './derived-texts.ts'

/** The row without personal data; null when nothing is found in it. What was replaced is counted in `replaced`. */
export const cleanRow = (
  { key, values }: DerivedRow,
  { texts, longest = {} }: DerivedTexts,
  replaced: Replaced,
): DerivedRow | null => {
  const found: Replaced = new Map()
  const clean = Object.fromEntries(
    Object.entries(values).map(([column, value]) => {
      if (!texts.includes(column)) return [column, redactJson(value, found)]
      return [column, typeof value === 'string' ? redact(value, found).slice(0, longest[column]) : value]
    }),
  )
  if (found.size === 0) return null
  for (const [kind, count] of found) replaced.set(kind, (replaced.get(kind) ?? 0) + count)
  return { key, values: clean }
}
