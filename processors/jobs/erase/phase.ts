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
  /** Whether somebody writes the stores' files anew and searches them: all of them are embedded. Not unless told. */
  readonly rewritesFiles?: boolean
}

/** What a slice of an erasure works with. */
export interface Erasing {
  readonly id: string
  readonly workspaceId: WorkspaceId
  readonly sought: Sought
  /** What was received from then on is new, and stays. Of a signal or a source: never. */
  readonly before: Date
  readonly askedAt: Date
  readonly dependencies: EraseDependencies
  readonly inside: <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>
}

export interface PhaseResult {
  /** Where the next slice of the phase begins; null when the phase is done. */
  readonly after: string | null
  readonly done: number
  readonly total?: number
  readonly pauseMs?: number
}

/** Behind which dead letter the next slice begins, as its cursor says; null for the first. */
export const deadLetterPlaceIn = (after: string | null): DeadLetterPlace | null => {
  const [signalId, step] = after?.split(' ') ?? []
  // Written by `cursorBehind`.
  return signalId === undefined || step === undefined ? null : { signal_id: signalId as SignalId, step }
}

export const cursorBehind = ({ signal_id, step }: DeadLetterPlace): string => `${signal_id} ${step}`

/** Of a phase that has nothing left to do. */
export const DONE: PhaseResult = { after: null, done: 0 }

export interface Phase {
  /** What is done, as the list of jobs says. */
  readonly says: string
  readonly slice: (erasing: Erasing, after: string | null) => Promise<PhaseResult>
}
