import type { Filter } from './activity-question.ts'
import { FIELDS } from './activity-vocabulary.ts'

const condition = ({ field, op }: Filter, index: number): string => {
  const column = FIELDS[field]
  const values = `{filter_${index}: Array(String)}`
  // A source's signals are named by the sender's own word, if it has one, and by the source.
  if (field === 'source' && op !== 'contains') {
    const named = `(${column} IN ${values} OR source_id != '' AND source_id IN ${values})`
    return op === 'in' ? named : `NOT ${named}`
  }
  if (op === 'contains') return `multiSearchAnyCaseInsensitiveUTF8(${column}, ${values})`
  return `${column} ${op === 'in' ? 'IN' : 'NOT IN'} ${values}`
}

/** The filters as conditions of a statement; all of them must hold. Fields come from the allow-list. */
export const filterConditions = (filters: readonly Filter[]): readonly string[] => filters.map(condition)

/** The filters' values, for the statement to bind. */
export const filterParameters = (filters: readonly Filter[]): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(filters.map(({ values }, index) => [`filter_${index}`, [...values]]))
