import type { ConnectionSettings } from '../../../schemas/http/connection.ts'
import type { HttpSourceKind } from './request-headers.ts'

/** What a first request says, as JSON that each kind's receiver takes. `text` is the signal's, where one is made. */
export const requestBody = (
  source: Pick<HttpSourceKind, 'kind'>,
  { settings, text, at }: { readonly settings: ConnectionSettings; readonly text: string; readonly at: Date },
): string => {
  switch (source.kind) {
    case 'signal':
      return JSON.stringify({ text, source: 'first-try' })
    case 'metric':
      return JSON.stringify({ value: 1 })
    case 'connection':
      return JSON.stringify(connectionBody(settings, text, at))
    case 'code_host':
      // Every host sends one when its webhook is made; it makes nothing here.
      return JSON.stringify({ zen: 'Keep it logically awesome.', hook_id: 1 })
  }
}

const connectionBody = ({ mapping }: ConnectionSettings, text: string, at: Date): object => {
  const envelope = { type: 'feedback.created', timestamp: at.toISOString() }
  if (mapping === undefined) return { ...envelope, data: { text, source: 'first-try' } }
  const names = mapping.text.split('/').slice(1).map(unescaped)
  // `fromEntries` makes a property of its own even of `__proto__`.
  const placed = names.reduceRight<unknown>((inner, name) => Object.fromEntries([[name, inner]]), text)
  return { ...envelope, data: {}, ...(placed as object) }
}

/** RFC 6901 section 4. */
const unescaped = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~')
