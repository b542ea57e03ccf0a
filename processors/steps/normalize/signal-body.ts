import type { SignalBody } from '../../../schemas/http/signal.ts'
import { parseInstant } from '../../../schemas/http/time.ts'
import type { Reading } from './canonical.ts'

/** The signal webhook's body, with the contract's defaults: a customer's signal, by a user. */
export const readSignalBody = (body: SignalBody, receivedAt: number): Reading => {
  const instant = body.occurred_at === undefined ? null : parseInstant(body.occurred_at, receivedAt)
  return {
    text: body.text,
    event: body.event ?? null,
    source: body.source ?? null,
    source_url: body.source_url ?? null,
    actor_name: body.actor_name ?? null,
    actor_email: body.actor_email ?? null,
    signal_origin: body.signal_origin ?? 'customer',
    actor_role: body.actor_role ?? 'user',
    occurred_at: instant?.ok ? instant.at : null,
    metadata: body.metadata ?? {},
  }
}
