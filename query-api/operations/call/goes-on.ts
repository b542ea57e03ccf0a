import { sha256 } from '../../../infra/runtime/secrets.ts'
import type { Caller, Operation } from '../define.ts'
import { notOfThisList } from '../parts/lists.ts'
import { canonical } from './idempotency.ts'

type Input = Readonly<Record<string, unknown>>

/**
 * A place in a list is one of what was asked for: under other filters it would be among other items, and those before
 * it would be missing without a word. So what a caller gets as a cursor ends in a digest of the call.
 */
interface GoesOn {
  /** What the operation is called with: its own cursor, without the digest. */
  readonly input: Input
  /** The cursor as callers get it. */
  readonly seal: (cursor: string) => string
}

/** How much a page shows of each, and which version of a text goes on, are free from page to page. */
const FREE: ReadonlySet<string> = new Set(['cursor', 'limit', 'depth', 'version'])

/** Of these it counts whether they are there: an object has many names, and the name of its list says which it is. */
const NAMES: ReadonlySet<string> = new Set(['id', 'solution_id'])

const DIGEST_CHARACTERS = 10

type Named = Pick<Operation, 'name'>
type Within = Pick<Caller, 'workspaceId'>

const digestOf = (operation: Named, { workspaceId }: Within, input: Input): string => {
  const asked = Object.entries(input).flatMap(([field, value]) =>
    FREE.has(field) ? [] : [[field, NAMES.has(field) || value]],
  )
  const call = [operation.name, workspaceId, Object.fromEntries(asked)]
  return Buffer.from(sha256(canonical(call)))
    .toString('base64url')
    .slice(0, DIGEST_CHARACTERS)
}

const endOf = (operation: Named, caller: Within, input: Input): string => `.${digestOf(operation, caller, input)}`

/** A cursor of a call that was not made itself: of one list of several that came in one answer. */
export const sealedFor = (operation: Named, caller: Within, input: Input, cursor: string): string =>
  cursor + endOf(operation, caller, input)

/** Throws `invalid_input` for a cursor that another call was answered. */
export const goesOn = (operation: Operation, caller: Caller, input: Input): GoesOn => {
  const end = endOf(operation, caller, input)
  const seal = (cursor: string): string => cursor + end
  if (typeof input.cursor !== 'string') return { input, seal }
  if (!input.cursor.endsWith(end)) throw notOfThisList()
  return { input: { ...input, cursor: input.cursor.slice(0, -end.length) }, seal }
}
