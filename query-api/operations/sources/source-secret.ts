import { randomBytes } from 'node:crypto'
import { randomHex, sha256 } from '../../../infra/runtime/secrets.ts'
import type { SourceKind } from '../../../schemas/domain/vocabulary.ts'
import type { Services } from '../define.ts'

/** A source's new secret: as its owner sees it once, and as it is stored. */
export interface NewSecret {
  readonly shown: string | null
  /** Of a secret that signs: it must be known to verify. */
  readonly sealed: Uint8Array | null
  /** Of a secret that is sent along: it need not be known. */
  readonly hash: Uint8Array | null
}

const SECRET_BYTES = 32

/** Of the form that the kind's senders want. Mail has none: it proves itself by the address that it is sent to. */
export const newSecret = (kind: SourceKind, seal: Services['seal']): NewSecret => {
  switch (kind) {
    case 'email':
      return { shown: null, sealed: null, hash: null }
    case 'metric': {
      const shown = randomHex(SECRET_BYTES)
      return { shown, sealed: null, hash: sha256(shown) }
    }
    case 'connection': {
      // The form that Standard Webhooks libraries take: the prefix, then 24 to 64 bytes in base64.
      const shown = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
      return { shown, sealed: seal(shown), hash: null }
    }
    case 'signal':
    case 'code_host': {
      const shown = randomHex(SECRET_BYTES)
      return { shown, sealed: seal(shown), hash: null }
    }
  }
}
