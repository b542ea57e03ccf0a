import type { MessagePort } from 'node:worker_threads'
import type { AnalyticsConnection } from '../infra/clickhouse/client.ts'
import type { OpenAiEmbedderOptions } from '../infra/models/openai-embedder.ts'
import type { ModelEndpoint } from '../infra/models/post-json.ts'
import type { PostgresConnection } from '../infra/postgres/pool.ts'
import type { ErrorCode } from '../infra/runtime/errors.ts'
import type { LogLevel } from '../infra/runtime/logger.ts'
import type { InstallationKey } from '../infra/runtime/secrets.ts'
import type { Started } from '../infra/runtime/worker.ts'
import type { ProcessorSettings } from './config.ts'
import type { GroupHealth } from './framework/health.ts'

/** What starts the processors' thread, and what it and its owner tell each other. */

export interface ThreadOptions {
  /** A connection to the embedded log; transferred. */
  readonly logPort: MessagePort
  readonly postgres: PostgresConnection
  readonly analytics: AnalyticsConnection
  /** Null: the built-in embedder. */
  readonly embeddings: OpenAiEmbedderOptions | null
  /** Null: no judge. */
  readonly judge: ModelEndpoint | null
  readonly installationKey: InstallationKey
  readonly settings: ProcessorSettings
  readonly logLevel: LogLevel
}

export interface Asked {
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
