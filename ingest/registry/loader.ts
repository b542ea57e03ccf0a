import { setImmediate as breathe } from 'node:timers/promises'
import type { Database } from '../../infra/postgres/port.ts'
import type { SourceId, TenantId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { CodeHost, SourceKind } from '../../schemas/domain/vocabulary.ts'
import type { SourceLoader, SourceState, Valid } from './source.ts'

interface Row {
  readonly id: SourceId
  readonly workspace_id: WorkspaceId
  readonly tenant_id: TenantId
  readonly kind: SourceKind
  readonly code_host: CodeHost | null
  readonly name: string
  readonly sealed_secret: Uint8Array | null
  readonly secret_hash: Uint8Array | null
  readonly previous_sealed_secret: Uint8Array | null
  readonly previous_secret_hash: Uint8Array | null
  readonly previous_valid_until: Date | null
  readonly settings: unknown
  readonly paused: boolean
  /** Milliseconds, with microseconds as a fraction. */
  readonly changed_at: number
  readonly deleted: boolean
}

const SELECT = `
  select source.id, source.workspace_id, workspace.tenant_id, source.kind, source.code_host, source.name,
         source.sealed_secret, source.secret_hash, source.previous_sealed_secret, source.previous_secret_hash,
         source.previous_valid_until, source.settings, source.paused_at is not null as paused,
         (extract(epoch from source.changed_at) * 1000)::float8 as changed_at,
         source.deleted_at is not null as deleted
    from sources source
    -- While an export is being imported, nothing can be sent to what is there of it.
    join workspaces workspace on workspace.id = source.workspace_id and workspace.import_job_id is null`
const ALL = `${SELECT} where source.deleted_at is null`
const CHANGED = `${SELECT} where source.changed_at >= now() - $1::float8 * interval '1 millisecond'`
const FOUND = `${SELECT} where source.id = any ($1::uuid[])`

/** Sources converted before requests are served again: opening the secrets of 200 takes about 1 ms. */
const SOURCES_A_TURN = 200

export interface SourceLoaderPorts {
  readonly database: Pick<Database, 'transaction'>
  /** Rejects while migrations are missing: the sources cannot be loaded then. */
  readonly assertMigrated: () => Promise<void>
  /** Decrypts what was sealed under the installation's key. */
  readonly unseal: (sealed: Uint8Array) => string
  /**
   * Called for a source whose secret cannot be decrypted. The source stays known without secrets and is answered 503.
   */
  readonly onUnreadable: (id: SourceId, error: unknown) => void
}

/** Loads sources from Postgres, in the role that sees sources and no evidence. */
export const createSourceLoader = ({
  database,
  assertMigrated,
  unseal,
  onUnreadable,
}: SourceLoaderPorts): SourceLoader => {
  const read = (statement: string, values: readonly unknown[]): Promise<Row[]> =>
    database.transaction({ role: 'assay_edge', isDivisible: true }, transaction =>
      transaction.query<Row>(statement, values),
    )

  const toState = (row: Row): SourceState => {
    const {
      id,
      workspace_id: workspaceId,
      tenant_id: tenantId,
      kind,
      code_host: codeHost,
      name,
      settings,
      paused,
    } = row
    const state = { id, changedAt: row.changed_at }
    if (row.deleted) return { ...state, source: null }
    const until = row.previous_valid_until?.getTime() ?? null
    const secrets = [...unsealed(id, row.sealed_secret, null), ...unsealed(id, row.previous_sealed_secret, until)]
    const secretHashes = [...valid(row.secret_hash, null), ...valid(row.previous_secret_hash, until)]
    const identity = { id, workspaceId, tenantId, kind, codeHost, name }
    return { ...state, source: { ...identity, secrets, secretHashes, settings, paused } }
  }

  const unsealed = (id: SourceId, sealed: Uint8Array | null, until: number | null): Valid<string>[] => {
    try {
      return valid(sealed === null ? null : unseal(sealed), until)
    } catch (error) {
      onUnreadable(id, error)
      return []
    }
  }

  /** Requests are served between two parts. */
  const toStates = async (rows: readonly Row[]): Promise<readonly SourceState[]> => {
    const states: SourceState[] = []
    for (let start = 0; start < rows.length; start += SOURCES_A_TURN) {
      if (start > 0) await breathe()
      for (const row of rows.slice(start, start + SOURCES_A_TURN)) states.push(toState(row))
    }
    return states
  }

  return {
    all: async () => {
      await assertMigrated()
      return toStates(await read(ALL, []))
    },
    changedWithin: async (milliseconds, isNews) => {
      const rows = await read(CHANGED, [milliseconds])
      return toStates(rows.filter(row => isNews(row.id, row.changed_at)))
    },
    find: async ids => toStates(await read(FOUND, [ids])),
  }
}

const valid = <T>(value: T | null, until: number | null): Valid<T>[] => (value === null ? [] : [{ value, until }])
