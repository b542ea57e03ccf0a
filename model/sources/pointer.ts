/** The value at a JSON pointer (RFC 6901), or undefined. Follows a document's own members alone, never what JavaScript objects inherit. */
export const valueAt = (document: unknown, pointer: string): unknown => {
  let value = document
  for (const token of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!Object.hasOwn(value, name) || (Array.isArray(value) && !INDEX.test(name))) return undefined
    // An object or array has string keys, whatever its values are.
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

const INDEX = /^(0|[1-9]\d*)$/
