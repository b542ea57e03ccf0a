import { sha256 } from '../../../infra/runtime/secrets.ts'
import type { Caller, Operation } from '../define.ts'
import { notOfThisList } from '../parts/lists.ts'
import { canonical } from './idempotency.ts'

type Input = Readonly<Record<string, unknown>>

/** How much a page shows of each, and which version of a text goes on, are free from page to page. */
const FREE: ReadonlySet<string> = new Set(['cursor', 'limit', 'depth', 'version'])

/** Of these it counts whether they are there: an object has many names, and the name of its list says which it is. */
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
 * The cursor as callers get it. A place in a list is one of what was asked for: under other filters it would be among
 * other items, and those before it would be missing without a word. So it ends in a digest of the call that goes on.
 */
export const sealedFor = (operation: Named, caller: Within, input: Input, cursor: string): string =>
  cursor + endOf(operation, caller, input)

/**
 * What the operation is called with: its own cursor, without the digest. Throws `invalid_input` for a cursor that
 * another call was answered.
 */
export const goesOn = (operation: Named, caller: Within, input: Input): Input => {
  if (typeof input.cursor !== 'string') return input
  const end = endOf(operation, caller, input)
  if (!input.cursor.endsWith(end)) throw notOfThisList()
  return { ...input, cursor: input.cursor.slice(0, -end.length) }
}
