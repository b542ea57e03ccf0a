import { randomBytes } from 'node:crypto'
import { randomHex, type Sealer, sha256 } from '../../infra/runtime/secrets.ts'
import type { SourceKind } from '../../schemas/domain/vocabulary.ts'
import { DESCRIPTIONS } from './kinds/index.ts'
import type { ProofScheme } from './kinds/kind.ts'

/** A source's new secret: as its owner sees it once, and as it is stored. */
export interface NewSecret {
  readonly shown: string | null
  /** Of a secret that signs: it must be known to verify. */
  readonly sealed: Uint8Array | null
  /** Of a secret that is sent along: it need not be known. */
  readonly hash: Uint8Array | null
}

const SECRET_BYTES = 32

type MakeSecret = (seal: Sealer['seal']) => NewSecret

const signing = (shown: string, seal: Sealer['seal']): NewSecret => ({ shown, sealed: seal(shown), hash: null })

const SECRETS: Readonly<Record<ProofScheme, MakeSecret>> = {
  hmac: seal => signing(randomHex(SECRET_BYTES), seal),
  bearer: () => {
    const shown = randomHex(SECRET_BYTES)
    return { shown, sealed: null, hash: sha256(shown) }
  },
  // The form that Standard Webhooks libraries take: the prefix, then 24 to 64 bytes in base64.
  standard_webhooks: seal => signing(`whsec_${randomBytes(SECRET_BYTES).toString('base64')}`, seal),
}

/** Of the form that the kind's senders want. Mail has none: it proves itself by the address that it is sent to. */
export const newSecret = (kind: SourceKind, seal: Sealer['seal']): NewSecret => {
  const { intake } = DESCRIPTIONS[kind]
  return intake.reachedBy === 'mail' ? { shown: null, sealed: null, hash: null } : SECRETS[intake.proof.scheme](seal)
}
