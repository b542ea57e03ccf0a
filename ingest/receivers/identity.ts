import { keyedSignalId, newSignalId, type SignalId } from '../../schemas/domain/ids.ts'
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../../schemas/http/headers.ts'
import { type Refusal, refusal } from '../refusal.ts'
import type { Source } from '../registry/source.ts'

/**
 * A signal's id: the same for every request of the endpoint with the same key that says the same, so that a sender's retry is the same
 * signal without anything being stored for it, and a key that is used again for something else makes a signal of its own. Without a
 * key, or with an empty one, a new one.
 */
export const signalId = (
  { id, workspaceId }: Pick<Source, 'id' | 'workspaceId'>,
  key: string | undefined,
  said: readonly string[],
): SignalId => (key ? keyedSignalId(workspaceId, id, key, ...said) : newSignalId(workspaceId))

/** Refuses a key that is too long to be one. */
export const checkKey = (header: string, key: string | undefined): Refusal | null =>
  key === undefined || key.length <= MAX_IDEMPOTENCY_KEY_LENGTH
    ? null
    : refusal(400, 'invalid_key', `The ${header} header must have at most ${MAX_IDEMPOTENCY_KEY_LENGTH} characters.`)
