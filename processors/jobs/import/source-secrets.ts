import type { Sealer } from '../../../infra/runtime/secrets.ts'
import { newSecret } from '../../../model/sources/secret.ts'
import type { CompleteRow } from '../../../model/transfers/workspace/read-export.ts'
import { SOURCE_KINDS } from '../../../schemas/domain/vocabulary.ts'

const bytea = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : `\\x${Buffer.from(bytes).toString('hex')}`

/** Gives each source of an import a secret that nobody knows, in the form of its kind: it takes nothing until somebody rotates it. */
export const sourceSecrets =
  ({ seal }: Pick<Sealer, 'seal'>): CompleteRow =>
  (table, { kind }) => {
    if (table !== 'sources') return {}
    // A kind that there is none of is refused by the table.
    const known = SOURCE_KINDS.find(one => one === kind)
    const { sealed, hash } = known === undefined ? { sealed: null, hash: null } : newSecret(known, seal)
    return { sealed_secret: bytea(sealed), secret_hash: bytea(hash) }
  }
