import { asAssayError } from '../../infra/runtime/errors.ts'
import type { LiveShare } from '../../model/signals/received-signals.ts'
import type { Appender } from '../append/appender.ts'
import { encodeDraft, type IngestCodecs } from '../encode.ts'
import type { Draft } from '../receivers/receiver.ts'
import { type Refusal, refusal, unavailable } from '../refusal.ts'
import { serverOverloaded } from './read-body.ts'

export interface AppendPorts {
  readonly appender: Pick<Appender, 'append'>
  readonly codecs: IngestCodecs
  readonly maxRecordBytes: number
  readonly share: LiveShare
}

/** Appends the drafts, all or none. Null once they are durable. */
export const appendDrafts = async (
  { appender, codecs, maxRecordBytes, share }: AppendPorts,
  drafts: readonly Draft[],
  traceparent: string,
): Promise<Refusal | null> => {
  if (drafts.length === 0) return null
  try {
    const records = await Promise.all(drafts.map(draft => encodeDraft(draft, codecs, traceparent, share)))
    if (records.some(record => record.value.byteLength > maxRecordBytes)) return recordTooLarge(maxRecordBytes)
    await appender.append(records)
    return null
  } catch (error) {
    const { code, retriable, retryAfterSeconds } = asAssayError(error)
    if (code === 'busy') return serverOverloaded(retryAfterSeconds ?? 1)
    if (!retriable) throw error
    const detail = 'The request could not be stored durably. Repeat it, with the same idempotency key if it has one.'
    return unavailable('log_unavailable', detail, retryAfterSeconds ?? 5)
  }
}

const recordTooLarge = (maxBytes: number): Refusal => {
  const detail = `What is kept of this request is larger than the ${maxBytes} bytes that a record may have. Send less metadata or a shorter text.`
  return refusal(413, 'record_too_large', detail)
}
