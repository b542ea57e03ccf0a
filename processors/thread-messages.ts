import type { ErrorCode } from '../infra/runtime/errors.ts'
import type { LogLevel } from '../infra/runtime/logger.ts'
import type { Started } from '../infra/runtime/threads.ts'
import type { TelemetrySettings } from '../infra/telemetry/config.ts'
import type { GroupHealth } from './framework/health.ts'
import type { ProcessorsConnections } from './main.ts'

/** What starts the processors' thread, and what it and its owner tell each other. */

export interface ThreadOptions extends ProcessorsConnections {
  readonly logLevel: LogLevel
  readonly telemetry: TelemetrySettings
}

export interface ThreadRequest {
  readonly id: number
  readonly ask: 'health' | 'metrics' | 'stop'
}

export type Reply =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly code: ErrorCode; readonly message: string }

export type FromThread = Reply | Started

/** What each question is answered with. */
export interface Answers {
  readonly health: readonly GroupHealth[]
  /** In Prometheus' text format. */
  readonly metrics: string
  readonly stop: null
}
