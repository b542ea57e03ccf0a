import { Type } from 'typebox'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { randomHex } from '../../../infra/runtime/secrets.ts'
import { newId, type SourceId } from '../../../schemas/domain/ids.ts'
import { CODE_HOSTS, type CodeHost } from '../../../schemas/domain/vocabulary.ts'
import { writeOperation } from '../define.ts'
import { signingExamples } from './signing-examples.ts'
import { CREATABLE_KINDS, type CreatableKind, sourceUrl } from './source-address.ts'

const INSERT = `
  insert into sources (id, workspace_id, kind, name, code_host, sealed_secret) values ($1, $2, $3, $4, $5, $6)
  on conflict (workspace_id, kind) where kind in ('signal', 'email') and deleted_at is null do nothing
  returning id`

export const createSource = writeOperation({
  name: 'create_source',
  title: 'Create a source',
  summary:
    'Creates an address that senders post to, with the secret that signs what they send. A workspace has one signal webhook and any number of code hosts.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'people',
  input: Type.Object({
    kind: Type.Enum(CREATABLE_KINDS),
    name: Type.String({ minLength: 1, maxLength: 120, pattern: '\\S' }),
    code_host: Type.Optional(Type.Enum(CODE_HOSTS, { description: 'Which code host sends; only for kind code_host.' })),
  }),
  output: Type.Object({
    id: Type.String({ format: 'uuid' }),
    url: Type.String(),
    secret: Type.Union([Type.String(), Type.Null()], {
      description: 'Shown this once; null when an idempotent call is repeated.',
    }),
    examples: Type.Union([Type.Object({ curl: Type.String(), openssl: Type.String() }), Type.Null()], {
      description: 'Shell commands that send a signed request; they hold the secret.',
    }),
  }),
  apply: async ({ kind, name, code_host: given }, transaction, { caller, services }) => {
    const codeHost = checkedHost(kind, given)
    const id = newId<SourceId>()
    const secret = randomHex(32)
    const inserted = await transaction.query(INSERT, [
      id,
      caller.workspaceId,
      kind,
      name.trim(),
      codeHost,
      services.seal(secret),
    ])
    if (inserted.length === 0) {
      throw new AssayError(
        'conflict',
        'This workspace has its signal webhook already: senders share it and tell themselves apart by "source". Delete it first to get a new address and secret.',
      )
    }
    const url = sourceUrl(services.baseUrl, { id, kind, code_host: codeHost })
    const examples = signingExamples(kind, url, secret)
    return { data: { id, url, secret, examples }, secretFields: ['secret', 'examples'] }
  },
})

const checkedHost = (kind: CreatableKind, given: CodeHost | undefined): CodeHost | null => {
  if (kind === 'code_host' && given === undefined) {
    throw new AssayError('invalid_input', `A source of kind code_host needs code_host: ${CODE_HOSTS.join(', ')}.`)
  }
  if (kind !== 'code_host' && given !== undefined) {
    throw new AssayError('invalid_input', `A source of kind ${kind} has no code_host; leave it out.`)
  }
  return given ?? null
}
