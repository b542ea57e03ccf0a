type Fields = Readonly<Record<string, unknown>>

/** How a classification came about: no part of what a person decided. */
const MACHINERY: ReadonlySet<string> = new Set(['classification_version', 'classification_confidence'])

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isFromTo = (value: unknown): value is { readonly from: unknown; readonly to: unknown } =>
  isFields(value) && 'from' in value && 'to' in value

/** The fields that differ between two states of an object, each from and to. */
export const differences = (from: Fields, to: Fields): readonly (readonly [field: string, value: unknown])[] =>
  [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .filter(field => !MACHINERY.has(field) && JSON.stringify(from[field]) !== JSON.stringify(to[field]))
    .map(field => [field, { from: from[field] ?? null, to: to[field] ?? null }])

/** The fields of a change, each with its value before and after where the change has the object's states. */
export const fieldsOfChange = (change: Fields): readonly (readonly [field: string, value: unknown])[] => {
  const { from, to, ...others } = change
  if (!(isFields(from) && isFields(to))) return Object.entries(change)
  return [...differences(from, to), ...Object.entries(others)]
}
