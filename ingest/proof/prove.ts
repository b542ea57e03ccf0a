import type { Proof } from '../../model/sources/kinds/kind.ts'
import type { UnprovenRequest } from '../receivers/receiver.ts'
import type { Refusal } from '../refusal.ts'
import { proveBearer } from './bearer.ts'
import { checkSignature } from './signature.ts'
import { proveStandardWebhook } from './standard-webhook.ts'

/** Null when the request comes from whoever has the source's secret. `signed` says what an HMAC is of, if not the body as it came. */
export const prove = (
  proof: Proof,
  request: UnprovenRequest,
  signed: (request: UnprovenRequest) => Buffer = ({ body }) => body,
): Refusal | null => {
  switch (proof.scheme) {
    case 'hmac':
      return checkSignature(proof.header, request, () => signed(request))
    case 'bearer':
      return proveBearer(request)
    case 'standard_webhooks':
      return proveStandardWebhook(request)
  }
}
