import type { Analytics } from '../../../infra/clickhouse/port.ts'
import type { Log } from '../../../infra/log/port.ts'
import type { Embedder } from '../../../infra/models/port.ts'
import type { Database, Transaction } from '../../../infra/postgres/port.ts'
import type { Sealer } from '../../../infra/runtime/secrets.ts'
import type { DeadLetterPlace } from '../../../model/erasures/dead-letters.ts'
import type { Sought } from '../../../model/erasures/erasures.ts'
import type { SignalId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { Pipeline } from '../../framework/pipeline.ts'
import type { DeadLetterReader } from './matching-dead-letters.ts'

export interface EraseDependencies extends DeadLetterReader {
  readonly database: Database
  readonly analytics: Analytics
  readonly log: Pick<Log, 'lag'>
  readonly embedder: Embedder
  readonly sealer: Pick<Sealer, 'seal' | 'unseal'>
  readonly pipeline: Pick<Pipeline, 'segments'>
  /** True when a process rewrites the stores' files and searches them, which needs embedded stores. Default: false. */
  readonly rewritesFiles?: boolean
}

/** Input of each slice of an erasure. */
export interface Erasing {
  readonly id: string
  readonly workspaceId: WorkspaceId
  readonly sought: Sought
  /** Signals received from this time on are new, and stay. Erasures of a signal or a source have no such limit. */
  readonly before: Date
  readonly askedAt: Date
  readonly dependencies: EraseDependencies
  readonly inside: <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>
}

export interface PhaseResult {
  /** Start of the phase's next slice; null when the phase is done. */
  readonly after: string | null
  readonly done: number
  readonly total?: number
  readonly pauseMs?: number
}

/** Reads a cursor of `cursorBehind`: the last dead letter; null for the first slice. */
export const deadLetterPlaceIn = (after: string | null): DeadLetterPlace | null => {
  const [signalId, step] = after?.split(' ') ?? []
  // `cursorBehind` writes signal ids.
  return signalId === undefined || step === undefined ? null : { signal_id: signalId as SignalId, step }
}

export const cursorBehind = ({ signal_id, step }: DeadLetterPlace): string => `${signal_id} ${step}`

export const DONE: PhaseResult = { after: null, done: 0 }

export interface Phase {
  /** The phase's name in the list of jobs. */
  readonly says: string
  readonly slice: (erasing: Erasing, after: string | null) => Promise<PhaseResult>
}
