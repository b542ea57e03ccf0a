import { sha256 } from '../../../infra/runtime/secrets.ts'
import { findAnswer, type IdempotentCall, insertAnswer } from '../../../model/idempotency/stored-answers.ts'
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../../../schemas/http/headers.ts'
import { type Answer, AssayError, type Caller, type Transaction } from '../define.ts'
import type { CallResult } from './contract.ts'

const KEY = /^[\x21-\x7e]+$/

/** Throws `invalid_input` for a key that is not 1 to 255 visible ASCII characters. */
export const idempotentCall = (caller: Caller, key: string, operation: string, input: unknown): IdempotentCall => {
  if (!KEY.test(key) || key.length > MAX_IDEMPOTENCY_KEY_LENGTH) {
    throw new AssayError(
      'invalid_input',
      `X-Idempotency-Key must be 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} visible ASCII characters without spaces.`,
    )
  }
  return {
    workspaceId: caller.workspaceId,
    callerId: caller.via.kind === 'key' ? caller.via.keyId : caller.userId,
    key,
    operation,
    argumentsHash: sha256(canonical(input)),
  }
}

/** JSON with sorted fields, so that equal arguments are equal texts. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

/**
 * The first answer under the key; null without one in the last 24 hours. Rejects with `conflict` for another call's
 * key.
 */
export const firstAnswer = async (transaction: Transaction, call: IdempotentCall): Promise<CallResult | null> => {
  const stored = await findAnswer(transaction, call)
  if (!stored) return null
  if (stored.operation === call.operation && Buffer.from(stored.arguments_hash).equals(call.argumentsHash)) {
    // `storeAnswer` has stored it.
    return stored.answer as CallResult
  }
  const what = stored.operation === call.operation ? 'with other arguments' : 'for another call'
  throw new AssayError(
    'conflict',
    `This X-Idempotency-Key was already used ${what}. Use a new key for a new call; send the same arguments to get the first answer again.`,
    { context: { is_first_answered: true } },
  )
}

/** Stores the answer for repetitions in the write's own transaction, with its secret fields emptied. */
export const storeAnswer = async (
  transaction: Transaction,
  call: IdempotentCall,
  answered: CallResult,
  secretFields: Answer<unknown>['secretFields'],
): Promise<void> => {
  await insertAnswer(transaction, call, { ...answered, data: withoutSecrets(answered.data, secretFields ?? []) })
}

const withoutSecrets = (data: unknown, secretFields: readonly string[]): unknown =>
  secretFields.length === 0
    ? data
    : { ...(data as object), ...Object.fromEntries(secretFields.map(name => [name, null])) }
