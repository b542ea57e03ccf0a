import { derivedId, newId, type SignalId, type SourceId } from '../../schemas/domain/ids.ts'
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../../schemas/http/headers.ts'
import { type Refusal, refusal } from '../refusal.ts'

/**
 * A signal's id: the same for every request of the endpoint with the same key, so that a sender's retry is the same signal without
 * anything being stored for it. Without a key, or with an empty one, a new one.
 */
export const signalId = (sourceId: SourceId, key: string | undefined): SignalId =>
  key ? derivedId('signal', sourceId, key) : newId()

/** Refuses a key that is too long to be one. */
export const checkKey = (header: string, key: string | undefined): Refusal | null =>
  key === undefined || key.length <= MAX_IDEMPOTENCY_KEY_LENGTH
    ? null
    : refusal(400, 'invalid_key', `The ${header} header must have at most ${MAX_IDEMPOTENCY_KEY_LENGTH} characters.`)
