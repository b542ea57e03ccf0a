import { keyAfter } from '../../../infra/runtime/secrets.ts'
import { TELEMETRY_CONFIG } from '../../../infra/telemetry/config.ts'
import { STEPS } from '../../../schemas/domain/vocabulary.ts'

export type Settings = Readonly<Record<string, string>>

/** What the rounds are taken on. */
export interface World {
  /** What each start has, with which a change is compared. An empty text: not set. */
  readonly base: Settings
  readonly isEmbedded: boolean
  readonly installationKey: Uint8Array
  /** A folder that nobody uses. */
  readonly folder: string
}

/** So short that what the embedder stumbles over is soon dead, and driven again once a start is through. */
export const DELAYS = { RETRY_DELAYS: '2s,3s', REDRIVE_DELAYS: '15s,15s,15s,15s,15s' }

/** Another value of a setting. */
export interface OtherValue {
  /** The setting itself, and what goes with it. */
  readonly to: Settings
  /** What a start with it says before it ends; absent where it works off what waits. */
  readonly refusal?: RegExp
  /** Whether signals wait on after the start until the log has looked at what is old. */
  readonly outlastsSweep?: true
}

const OF_TELEMETRY = 'It says where spans, metrics and lines are sent. None of these is a signal.'
const OF_MAIL = 'It is about mail on its way to the edge, which answers once the log has the mail.'
const OF_REQUESTS = 'It is about requests on their way to the edge, which answers once the log has the signal.'
const OF_BROKERS = 'It says how brokers are spoken to. Brokers that ask for something else refuse every program.'

/** Settings on which nothing depends that waits, each with the reason. */
export const CANNOT_MATTER: Settings = {
  ...Object.fromEntries(Object.values(TELEMETRY_CONFIG).map(({ env }) => [env, OF_TELEMETRY])),
  HOST: OF_REQUESTS,
  PORT: OF_REQUESTS,
  CLIENT_ADDRESS_HEADER: OF_REQUESTS,
  VALKEY_URL: OF_REQUESTS,
  UWS_BINARY: OF_REQUESTS,
  UWS_BINARY_SHA256: OF_REQUESTS,
  INGEST_MAIL_DOMAIN: OF_MAIL,
  EMAIL_INGEST_SECRET: OF_MAIL,
  SMTP_HOST: OF_MAIL,
  SMTP_PORT: OF_MAIL,
  SMTP_TLS_CERT: OF_MAIL,
  SMTP_TLS_KEY: OF_MAIL,
  KAFKA_TLS: OF_BROKERS,
  KAFKA_TLS_CERTIFICATE: OF_BROKERS,
  KAFKA_TLS_KEY: OF_BROKERS,
  KAFKA_USERNAME: OF_BROKERS,
  KAFKA_PASSWORD: OF_BROKERS,
  KAFKA_SASL_MECHANISM: OF_BROKERS,
}

const written = (key: Uint8Array): string => Buffer.from(key).toString('base64')

/** Engines that nobody started. */
const ELSEWHERE = {
  KAFKA_BROKERS: '127.0.0.1:9',
  SCHEMA_REGISTRY_URL: 'http://127.0.0.1:9',
  DATABASE_URL: 'postgres://127.0.0.1:9/assay',
  CLICKHOUSE_URL: 'http://127.0.0.1:9',
}
const HOLDS_SIGNALS = /holds .* of its own.*assay move --to/s

/** The stores: the same engines under another name, or engines in the place of embedded stores that hold signals. */
const storeValues = ({ base, isEmbedded }: World): Readonly<Record<string, readonly OtherValue[]>> => {
  if (!isEmbedded) {
    const renamed = (env: string): readonly OtherValue[] => [
      { to: { [env]: (base[env] ?? '').replaceAll('127.0.0.1', 'localhost') } },
    ]
    return Object.fromEntries(Object.keys(ELSEWHERE).map(env => [env, renamed(env)]))
  }
  const { KAFKA_BROKERS, SCHEMA_REGISTRY_URL, DATABASE_URL, CLICKHOUSE_URL } = ELSEWHERE
  return {
    KAFKA_BROKERS: [{ to: { KAFKA_BROKERS, SCHEMA_REGISTRY_URL }, refusal: HOLDS_SIGNALS }],
    SCHEMA_REGISTRY_URL: [
      { to: { SCHEMA_REGISTRY_URL }, refusal: /KAFKA_BROKERS and SCHEMA_REGISTRY_URL go together/ },
    ],
    DATABASE_URL: [{ to: { DATABASE_URL }, refusal: HOLDS_SIGNALS }],
    CLICKHOUSE_URL: [{ to: { CLICKHOUSE_URL }, refusal: HOLDS_SIGNALS }],
  }
}

/** Settings whose other values cannot be made of their defaults, or matter most when they are extreme. */
export const chosenValues = (world: World): Readonly<Record<string, readonly OtherValue[]>> => {
  const { base, installationKey, folder, isEmbedded } = world
  return {
    ...storeValues(world),
    PIPELINE_HEADS: [
      { to: { PIPELINE_HEADS: STEPS.join(',') } },
      { to: { PIPELINE_HEADS: 'validate,cluster' } },
      { to: { PIPELINE_HEADS: 'validate,embed' }, refusal: /Add 'cluster' to PIPELINE_HEADS/ },
    ],
    PIPELINE_SEGMENTS: [
      { to: { PIPELINE_SEGMENTS: 'validate,embed,anchor,cluster' } },
      isEmbedded
        ? { to: { PIPELINE_SEGMENTS: 'validate' }, refusal: /PIPELINE_SEGMENTS leaves out embed, anchor, cluster/ }
        : { to: { PIPELINE_SEGMENTS: 'dedup' }, refusal: /PIPELINE_SEGMENTS names 'dedup'/ },
    ],
    RETRY_DELAYS: [{ to: { RETRY_DELAYS: '1s' } }, { to: { RETRY_DELAYS: '3s,5s,7s' } }],
    REDRIVE_DELAYS: [{ to: { REDRIVE_DELAYS: '1h' } }],
    SIGNAL_PARTITIONS: [{ to: { SIGNAL_PARTITIONS: '9' } }, { to: { SIGNAL_PARTITIONS: '1' } }],
    PERSONAL_RETENTION: [{ to: { PERSONAL_RETENTION: '1ms' }, outlastsSweep: true }],
    LOG_RETENTION: [{ to: { LOG_RETENTION: '1ms' }, outlastsSweep: true }],
    BATCH_RECORDS: [{ to: { BATCH_RECORDS: '1' } }],
    BULK_BATCH_RECORDS: [{ to: { BULK_BATCH_RECORDS: '1' } }],
    STEP_CPU_BUDGET_MS: [{ to: { STEP_CPU_BUDGET_MS: '100' } }],
    NEIGHBOURS_MEMORY_MB: [{ to: { NEIGHBOURS_MEMORY_MB: '16' } }],
    WORDS_MEMORY_MB: [{ to: { WORDS_MEMORY_MB: '16' } }],
    INDEX_SNAPSHOTS_DIR: [{ to: { INDEX_SNAPSHOTS_DIR: folder } }],
    ACTIVITY_BLOCK_RECORDS: [{ to: { ACTIVITY_BLOCK_RECORDS: '1' } }],
    EMBEDDINGS_URL: [{ to: { EMBEDDINGS_URL: `${base.EMBEDDINGS_URL}/v1` } }],
    EMBEDDINGS_MODEL: [{ to: { EMBEDDINGS_MODEL: 'another' } }],
    EMBEDDINGS_API_KEY: [{ to: { EMBEDDINGS_API_KEY: 'a key' } }],
    EMBEDDINGS_BATCH: [{ to: { EMBEDDINGS_BATCH: '1' } }],
    EMBEDDINGS_CONCURRENCY: [{ to: { EMBEDDINGS_CONCURRENCY: '1' } }],
    JUDGE_URL: [{ to: { JUDGE_URL: '' } }],
    JUDGE_MODEL: [{ to: { JUDGE_MODEL: 'another' } }],
    JUDGE_API_KEY: [{ to: { JUDGE_API_KEY: 'a key' } }],
    CLASSIFIER_URL: [{ to: { CLASSIFIER_URL: '' } }],
    CLASSIFIER_MODEL: [{ to: { CLASSIFIER_MODEL: 'another' } }],
    CLASSIFIER_API_KEY: [{ to: { CLASSIFIER_API_KEY: 'a key' } }],
    LOG_LEVEL: [{ to: { LOG_LEVEL: 'info' } }],
    INSTALLATION_KEY: [
      {
        to: { INSTALLATION_KEY: written(installationKey.map(byte => byte ^ 1)) },
        refusal: /INSTALLATION_KEY/,
      },
    ],
    PREVIOUS_INSTALLATION_KEY: [
      {
        to: {
          INSTALLATION_KEY: written(keyAfter(installationKey)),
          PREVIOUS_INSTALLATION_KEY: written(installationKey),
        },
      },
    ],
  }
}
