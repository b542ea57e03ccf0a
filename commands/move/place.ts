import type { AnalyticsTables } from '../../infra/clickhouse/tables.ts'
import type { LogContents } from '../../infra/log/contents.ts'
import type { OwnedDatabase } from '../../infra/postgres/owner.ts'
import type { InstallationKey } from '../../infra/runtime/secrets.ts'

/** What a place notes of a move out of it. */
interface Leaving {
  readonly id: string
  readonly state: 'leaving' | 'left'
}

/** The three stores of an installation, opened for a move. */
export interface Place {
  /** How people are told of it; holds no secret. */
  readonly name: string
  readonly database: OwnedDatabase
  readonly analytics: AnalyticsTables
  /** Null where the place has none of its own. */
  readonly key: InstallationKey | null
  /** Opened when it is needed: after what is to be settled is settled. */
  openLog(): Promise<LogContents>
  /** Of a source: finishes what the activity sink had begun, so that no block is cut a second time elsewhere. */
  settle(): Promise<void>
  leaving(): Promise<Leaving | null>
  noteLeaving(leaving: Leaving, to: string): Promise<void>
  /** Of a target: that it is being filled, and that it is no more. */
  noteFilling(id: string, from: string): Promise<void>
  keepKey(key: InstallationKey): Promise<void>
  noteArrived(): Promise<void>
}
