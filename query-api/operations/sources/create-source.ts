import { DESCRIPTIONS } from '../../../model/sources/kinds/index.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { CODE_HOSTS, type CodeHost, SOURCE_KINDS, type SourceKind } from '../../../schemas/domain/vocabulary.ts'
import { ConnectionSettings } from '../../../schemas/http/connection.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { oneOf } from '../parts/fields.ts'
import { CreatedSource, makeSource, vendorSecret } from './created-source.ts'

/** Arguments of a kind beside its name. */
interface OfKind {
  readonly code_host?: CodeHost
  readonly settings?: ConnectionSettings
}

export const createSource = writeOperation({
  name: 'create_source',
  title: 'Create a source',
  summary:
    'Creates an address that senders post to, with the secret that proves it is them, or one to forward mail to. A workspace has one signal webhook, one ingestion address for mail, and any number of metrics, code hosts and connections.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'people',
  input: Type.Object({
    kind: oneOf(SOURCE_KINDS),
    name: Type.String({ minLength: 1, maxLength: MAX_CHARACTERS.name, pattern: '\\S' }),
    code_host: Type.Optional(oneOf(CODE_HOSTS, { description: 'Which code host sends; only for kind code_host.' })),
    settings: Type.Optional(ConnectionSettings),
    secret: vendorSecret,
  }),
  output: CreatedSource,
  apply: ({ kind, name, secret, ...given }, transaction, context) => {
    if (kind !== 'connection' && secret !== undefined) throw notOf(kind, 'secret')
    return makeSource(transaction, context, { kind, name, secret, ...checked(kind, given) })
  },
})

const checked = (kind: SourceKind, { code_host: codeHost, settings }: OfKind) => {
  const { fields } = DESCRIPTIONS[kind].form
  if (fields.includes('code_host') && codeHost === undefined) {
    throw new AssayError('invalid_input', `A source of kind ${kind} needs code_host: ${CODE_HOSTS.join(', ')}.`)
  }
  if (!fields.includes('code_host') && codeHost !== undefined) throw notOf(kind, 'code_host')
  if (!fields.includes('mapping') && settings !== undefined) throw notOf(kind, 'settings')
  return { codeHost: codeHost ?? null, settings: settings ?? {} }
}

const notOf = (kind: SourceKind, field: string): AssayError =>
  new AssayError('invalid_input', `A source of kind ${kind} has no ${field}; leave it out.`, {
    violations: [{ pointer: `/${field}`, message: `is not a field of kind ${kind}` }],
  })
