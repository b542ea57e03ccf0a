import assert from 'node:assert/strict'
import { readMail } from '../../ingest/receivers/email/reading/mail.ts'
import { mailDraft } from '../../ingest/receivers/email/receiver.ts'
import { ENDPOINT_RECEIVERS } from '../../ingest/receivers/index.ts'
import type { Source } from '../../ingest/registry/source.ts'
import { newId, type SourceId, type TenantId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Received } from '../../schemas/events/signal.ts'

/** A request's body as its receiver gets it. */
export interface Sent {
  readonly receiver: 'signal' | 'metric' | 'code_host' | 'connection'
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  readonly settings?: unknown
}

const sourceOf = (kind: Source['kind'], settings: unknown = {}): Source => ({
  id: newId<SourceId>(),
  workspaceId: newId<WorkspaceId>(),
  tenantId: newId<TenantId>(),
  kind,
  codeHost: kind === 'code_host' ? 'github' : null,
  name: 'A source',
  secrets: [],
  secretHashes: [],
  paused: false,
  settings,
})

/**
 * What the receiver answers to a body whose sender is proven: what it keeps for the pipeline; null for a refusal or an
 * activity alone.
 */
export const receive = ({ receiver: name, body, headers = {}, settings }: Sent): Received | null => {
  const receiver = ENDPOINT_RECEIVERS.find(one => one.name === name)
  assert.ok(receiver)
  const bytes = Buffer.from(body)
  assert.ok(bytes.byteLength <= receiver.maxBodyBytes, `${bytes.byteLength} bytes are too many for ${name}`)
  const request = { headers, body: bytes, source: sourceOf(name, settings), receivedAt: Date.now(), traceId: '' }
  const taken = receiver.receive(request)
  if (taken.kind === 'refusal') return null
  const signal = taken.drafts.find(draft => draft.what === 'signal')
  return signal?.record.received ?? null
}

/** The same of a mail, which is read on a thread of its own. */
export const receiveMail = async (mail: string): Promise<Received | null> => {
  const reading = await readMail(Buffer.from(mail))
  if (reading.kind !== 'mail') return null
  return mailDraft(sourceOf('email'), { ...reading, receivedAt: Date.now() }).record.received
}
