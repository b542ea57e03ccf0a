const SEGMENT = /\[(?<field>[\w.]+)=(?<text>[^\]]*)\]|(?<name>[^.[\]]+)/g

/** The value at a path of `Check`; undefined where there is none. */
export const valueAt = (value: unknown, path: string): unknown => walk(value, [...path.matchAll(SEGMENT)])

const walk = (value: unknown, segments: readonly RegExpMatchArray[]): unknown => {
  const [segment, ...rest] = segments
  if (segment === undefined || value === undefined) return value
  const { field, text, name } = segment.groups ?? {}
  if (name === '*') return Array.isArray(value) ? value.map(item => walk(item, rest)) : undefined
  if (name !== undefined) return walk(propertyOf(value, name), rest)
  const found = Array.isArray(value) && value.find(item => String(valueAt(item, field ?? '')) === text)
  return found ? walk(found, rest) : undefined
}

const propertyOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

const PLACEHOLDER = /\{(?<call>\d+)\.(?<path>[^{}]+)\}/g

/** The value with its placeholders filled from the answers, the first call's first. Throws for one that nothing was answered for. */
export const filled = (value: unknown, answers: readonly unknown[]): unknown => {
  if (Array.isArray(value)) return value.map(item => filled(item, answers))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner, answers)]))
  }
  if (typeof value !== 'string') return value
  const [match] = value.matchAll(PLACEHOLDER)
  // By itself it keeps its type: a version is a number.
  if (match?.[0] === value) return answered(match, answers)
  return value.replaceAll(PLACEHOLDER, (...found) => {
    const groups = found.at(-1)
    return String(answered({ groups, 0: value }, answers))
  })
}

const answered = (
  match: { readonly groups?: Readonly<Record<string, string>>; readonly 0: string },
  answers: readonly unknown[],
): unknown => {
  const { call = '', path = '' } = match.groups ?? {}
  const value = valueAt(answers[Number(call) - 1], path)
  if (value === undefined) throw new Error(`Call ${call} answered nothing at ${path}, for ${match[0]}.`)
  return value
}
