import { randomBytes } from 'node:crypto'
import { randomHex, type Sealer, sha256 } from '../../../infra/runtime/secrets.ts'
import type { CompleteRow } from '../../../model/transfers/workspace/read-export.ts'

const SECRET_BYTES = 32

const bytea = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`

/** Gives each source of an import a secret that nobody knows, in the form of its kind: it takes nothing until somebody rotates it. */
export const sourceSecrets =
  ({ seal }: Pick<Sealer, 'seal'>): CompleteRow =>
  (table, { kind }) => {
    if (table !== 'sources') return {}
    const unknown = randomHex(SECRET_BYTES)
    if (kind === 'metric') return { sealed_secret: null, secret_hash: bytea(sha256(unknown)) }
    const signing = kind === 'connection' ? `whsec_${randomBytes(SECRET_BYTES).toString('base64')}` : unknown
    return { sealed_secret: kind === 'email' ? null : bytea(seal(signing)), secret_hash: null }
  }
