import { DESCRIPTIONS } from '../../../model/sources/kinds/index.ts'
import { lockSource, type SourceRow, updateSource as update } from '../../../model/sources/sources.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { ConnectionSettings } from '../../../schemas/http/connection.ts'
import { AssayError, type Caller, type Transaction, Type, writeOperation } from '../define.ts'
import { nullable, version } from '../parts/fields.ts'
import { example, MappingPreview, previewMapping, requireAccepted } from './create-connection.ts'
import { rotateSecret } from './rotate-source-secret.ts'
import { findSource, resolveSource, SourceShape, sourceId, toSource } from './source.ts'

interface SourceChange {
  readonly name?: string
  readonly settings?: ConnectionSettings
  readonly paused?: boolean
  readonly rotate_secret?: boolean
  readonly example?: unknown
  readonly dry_run?: boolean
}

/**
 * Throws `invalid_input` for changes that this kind of source does not support, and `forbidden` for changes that this
 * caller may not make.
 */
const requireAllowed = (source: SourceRow, change: SourceChange, { via: through }: Caller): void => {
  const { name, settings, paused, rotate_secret: rotate, example, dry_run: dry } = change
  if (name === undefined && settings === undefined && paused === undefined && !rotate && !(dry && example)) {
    throw new AssayError(
      'invalid_input',
      'Nothing would change. Send name, settings, paused or rotate_secret; or an example with dry_run, to see what becomes of it.',
    )
  }
  if (dry && rotate) throw new AssayError('invalid_input', 'A secret is not rotated on trial: leave dry_run out.')
  const { createdBy, form } = DESCRIPTIONS[source.kind]
  if ((settings !== undefined || example !== undefined) && !form.fields.includes('mapping')) {
    const field = settings === undefined ? 'example' : 'settings'
    throw new AssayError('invalid_input', `A source of kind ${source.kind} has no mapping; leave ${field} out.`, {
      violations: [{ pointer: `/${field}`, message: 'is a field of kind connection' }],
    })
  }
  if (rotate && through.kind === 'key' && createdBy === 'person') {
    throw new AssayError(
      'forbidden',
      `Agents rotate the secrets of connections; a source of kind ${source.kind} is rotated by a person, in the app under Settings → Sources.`,
    )
  }
}

/** Effects of a change on the senders, in sentences. */
const describeChange = ({ settings, paused, rotate_secret: rotate }: SourceChange): string[] => [
  ...(paused === true
    ? [
        'Within 5 seconds its senders are answered 503 source_paused with Retry-After, and mail is deferred: a sender that repeats loses nothing. What was accepted before goes on through the pipeline.',
      ]
    : []),
  ...(paused === false ? ['Within 5 seconds it takes what its senders send.'] : []),
  ...(settings === undefined ? [] : ['Within 5 seconds what comes is read by the new settings.']),
  ...(rotate
    ? [
        'The secret before this one is accepted for 24 hours more: give the new one to the sender, never to a text or a repository.',
      ]
    : []),
]

/**
 * The source, locked until the transaction ends. Rejects with `conflict` and the present source when the caller read
 * another version.
 */
const lockAsRead = async (transaction: Transaction, id: string, readVersion: number | undefined) => {
  const { id: found } = await resolveSource(transaction, id)
  await lockSource(transaction, found)
  const source = await findSource(transaction, found)
  if (readVersion === undefined || readVersion === source.version) return source
  const { kind, name, settings, paused_at, version: at } = source
  throw new AssayError(
    'conflict',
    `The source "${name}" has changed: you read version ${readVersion}, it is at ${at}. Nothing was written. Decide again on what it is now.`,
    { context: { current: { id: found, kind, name, settings, paused_at, version: at } } },
  )
}

const applied = (source: SourceRow, { name, settings, paused }: SourceChange, now: Date): SourceRow => ({
  ...source,
  name: name?.trim() ?? source.name,
  settings: settings ?? source.settings,
  paused_at: (paused ?? source.paused_at !== null) ? (source.paused_at ?? now) : null,
})

export const updateSource = writeOperation({
  name: 'update_source',
  title: 'Change, pause or resume a source, or rotate a connection’s secret',
  summary:
    'Renames a source, pauses it (senders are told to come back later; what was accepted goes on) or resumes it; of a connection it changes settings.mapping, tried on an example first, and rotates the secret, the one before being accepted for 24 hours more. With dry_run nothing is written: the answer says what the example would become. Deleting, and secrets of other kinds, are for people, in the app.',
  effect: 'destructive',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({
    id: sourceId,
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_CHARACTERS.name,
        pattern: '\\S',
        description: 'The name. What people will know it by.',
      }),
    ),
    settings: Type.Optional(ConnectionSettings),
    paused: Type.Optional(Type.Boolean({ description: 'true pauses, false resumes.' })),
    rotate_secret: Type.Optional(Type.Boolean({ description: 'A new secret, shown in this answer only.' })),
    example,
    dry_run: Type.Optional(Type.Boolean({ description: 'Write nothing, say what would be.' })),
    version,
  }),
  output: Type.Object({
    source: SourceShape,
    is_applied: Type.Boolean(),
    effects: Type.Array(Type.String(), { description: 'What the change means for its senders.' }),
    mapping_preview: nullable(MappingPreview),
    secret: nullable(Type.String({ description: 'The new one, shown this once.' })),
  }),
  apply: async (input, transaction, context) => {
    const { services } = context
    const source = await lockAsRead(transaction, input.id, input.version)
    requireAllowed(source, input, context.caller)
    const now = services.now()
    const wanted = applied(source, input, now)
    const connection = { name: wanted.name, settings: wanted.settings, now }
    if (input.dry_run) {
      const mapping_preview = input.example === undefined ? null : previewMapping(input.example, connection)
      const effects = ['Nothing was written.']
      return { data: { source: toSource(services, wanted), is_applied: false, effects, mapping_preview, secret: null } }
    }
    const mapping_preview = requireAccepted(input.example, connection)
    const { id, name, settings, paused_at } = wanted
    await update(transaction, { id, name, settings, paused: paused_at !== null })
    const rotated = input.rotate_secret ? await rotateSecret(transaction, context, wanted) : null
    const secret = rotated?.data.secret ?? null
    const after = toSource(services, await findSource(transaction, source.id))
    return {
      data: { source: after, is_applied: true, effects: describeChange(input), mapping_preview, secret },
      secretFields: ['secret'],
      // A replaced secret is never used again.
      ...(rotated !== null && { isUndoable: false as const }),
    }
  },
})
