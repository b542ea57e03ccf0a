import { AssayError } from '../../../infra/runtime/errors.ts'
import { DESCRIPTIONS } from '../../../model/sources/kinds/index.ts'
import type { SourceRow } from '../../../model/sources/read-sources.ts'
import type { ConnectionSettings } from '../../../schemas/http/connection.ts'
import type { Caller } from '../define.ts'

/** What is asked of a source. */
export interface SourceChange {
  readonly name?: string
  readonly settings?: ConnectionSettings
  readonly paused?: boolean
  readonly rotate_secret?: boolean
  readonly example?: unknown
  readonly dry_run?: boolean
}

/** Refuses, with `invalid_input` or `forbidden`, what a source of this kind has not, or what is not for this caller. */
export const requireAllowed = (source: SourceRow, change: SourceChange, { via: through }: Caller): void => {
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

/** What a change means for the senders, in sentences. */
export const describeChange = ({ settings, paused, rotate_secret: rotate }: SourceChange): string[] => [
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
