import { clip } from '../../parts/clip.ts'

const MOST_CHARACTERS = 120

/** What else is told of a change than what it changed. */
const BESIDE = new Set(['comment', 'carried_out_by', 'claim_ids'])

const shown = (value: unknown): string => {
  if (value === null || value === undefined) return 'none'
  return clip(typeof value === 'string' ? value : JSON.stringify(value), MOST_CHARACTERS)
}

const worded = (field: string): string => field.replaceAll('_', ' ')

const lineOf = (field: string, value: unknown): string => {
  if (typeof value === 'object' && value !== null && 'from' in value && 'to' in value) {
    return `${worded(field)}: ${shown(value.from)} → ${shown(value.to)}`
  }
  if (Array.isArray(value)) return `${worded(field.replace(/_ids$/, 's'))}: ${value.length}`
  return `${worded(field)}: ${shown(value)}`
}

/** A Decision’s change of one object, field by field, for people to read. */
export const changeLines = (change: Readonly<Record<string, unknown>>): readonly string[] => {
  if (change.created === true) return ['It was created.']
  const lines = Object.entries(change).flatMap(([field, value]) => (BESIDE.has(field) ? [] : [lineOf(field, value)]))
  const { comment, carried_out_by } = change
  const beside = [
    ...(typeof comment === 'string' ? [`Said beside it: ${shown(comment)}`] : []),
    ...(typeof carried_out_by === 'string' ? [`Carried out by ${shown(carried_out_by)}`] : []),
  ]
  return [...lines, ...beside]
}
