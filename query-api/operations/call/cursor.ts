import { sha256 } from '../../../infra/runtime/secrets.ts'
import type { Caller, Operation } from '../define.ts'
import { notOfThisList } from '../parts/lists.ts'
import { canonical } from './idempotency.ts'

type Input = Readonly<Record<string, unknown>>

/** Fields that may change from page to page. */
const FREE: ReadonlySet<string> = new Set(['cursor', 'limit', 'depth', 'version'])

/** Only the presence of these counts: an object has several names, and the cursor already names its list. */
const NAMES: ReadonlySet<string> = new Set(['id', 'solution_id'])

const DIGEST_CHARACTERS = 10

type Named = Pick<Operation, 'name'>
type Within = Pick<Caller, 'workspaceId'>

const digestOf = (operation: Named, { workspaceId }: Within, input: Input): string => {
  const fixed = Object.entries(input).flatMap(([field, value]) =>
    FREE.has(field) ? [] : [[field, NAMES.has(field) || value]],
  )
  const call = [operation.name, workspaceId, Object.fromEntries(fixed)]
  return Buffer.from(sha256(canonical(call)))
    .toString('base64url')
    .slice(0, DIGEST_CHARACTERS)
}

const endOf = (operation: Named, caller: Within, input: Input): string => `.${digestOf(operation, caller, input)}`

/**
 * The cursor for callers. A position is valid only for the same list: under other filters earlier items would be
 * missing silently. Therefore the cursor ends with a digest of the call.
 */
export const signCursor = (operation: Named, caller: Within, input: Input, cursor: string): string =>
  cursor + endOf(operation, caller, input)

/** The operation's input: its own cursor, without the digest. Throws `invalid_input` for the cursor of another call. */
export const withVerifiedCursor = (operation: Named, caller: Within, input: Input): Input => {
  if (typeof input.cursor !== 'string') return input
  const end = endOf(operation, caller, input)
  if (!input.cursor.endsWith(end)) throw notOfThisList()
  return { ...input, cursor: input.cursor.slice(0, -end.length) }
}
