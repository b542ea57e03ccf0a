import type { Transaction } from '../../../../infra/postgres/port.ts'
import type { SourceId } from '../../../../schemas/domain/ids.ts'
import type { SourceKind } from '../../../../schemas/domain/vocabulary.ts'
import type { Services } from '../../define.ts'

/** A source as its row says it. */
export interface StoredSource {
  readonly id: SourceId
  readonly kind: SourceKind
  readonly name: string
  readonly paused: boolean
  readonly paused_days: number | null
  readonly age_days: number
  /** A secret that cannot be opened with this installation's key: nothing that is sent can be proven. */
  readonly unreadable: boolean
}

type Row = Omit<StoredSource, 'unreadable'> & { readonly sealed_secret: Uint8Array | null }

const MAX_SOURCES = 500

const SOURCES = `
  select id, kind, name, sealed_secret, paused_at is not null as paused,
    extract(epoch from now() - paused_at)::float8 / 86400 as paused_days,
    extract(epoch from now() - created_at)::float8 / 86400 as age_days
  from sources where deleted_at is null order by created_at, id limit ${MAX_SOURCES}`

export const storedSources = async (
  transaction: Transaction,
  unseal: Services['unseal'],
): Promise<readonly StoredSource[]> =>
  (await transaction.query<Row>(SOURCES)).map(({ sealed_secret: sealed, ...source }) => ({
    ...source,
    unreadable: sealed !== null && !opens(sealed, unseal),
  }))

const opens = (sealed: Uint8Array, unseal: Services['unseal']): boolean => {
  try {
    unseal(sealed)
    return true
  } catch {
    return false
  }
}
