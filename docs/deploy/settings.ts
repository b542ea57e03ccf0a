/**
 * Which program takes which setting, for what starts the programs: the chart and Compose. Made from the programs' own
 * definitions, so that a new setting reaches its program in both.
 */
import { readFileSync } from 'node:fs'
import { parse, stringify } from 'yaml'
import { MIGRATE_CONFIG } from '../../commands/migrate.ts'
import type { ConfigSchema } from '../../infra/runtime/config.ts'
import type { Setting } from '../../infra/runtime/settings.ts'
import { STORES_CONFIG } from '../../infra/stores.ts'
import { INGEST_PROGRAM_CONFIG } from '../../ingest/main.ts'
import { PROCESSORS_PROGRAM_CONFIG } from '../../processors/main.ts'
import { QUERY_API_PROGRAM_CONFIG } from '../../query-api/main.ts'

/** What runs all the time, and what runs before it: each is a service of Compose. */
export const PROGRAMS: Readonly<Record<'migrate' | 'ingest' | 'processors' | 'query-api', ConfigSchema>> = {
  migrate: MIGRATE_CONFIG,
  ingest: INGEST_PROGRAM_CONFIG,
  processors: PROCESSORS_PROGRAM_CONFIG,
  'query-api': QUERY_API_PROGRAM_CONFIG,
}

/** What the chart runs by the clock, besides. */
export const BY_THE_CLOCK: Readonly<Record<'ledger' | 'erasures', ConfigSchema>> = {
  ledger: STORES_CONFIG,
  erasures: { databaseUrl: STORES_CONFIG.databaseUrl },
}

/** Where a program listens inside of its container is not for whoever runs it. */
const FIXED: ReadonlySet<string> = new Set(['HOST', 'PORT', 'SMTP_HOST'])

export const settingsOf = (schema: ConfigSchema): readonly Setting<unknown>[] =>
  Object.values(schema).filter(({ env }) => !FIXED.has(env))

/** Addresses of stores and servers may carry a password. */
const mayCarryPassword = ({ allowed, env }: Setting<unknown>): boolean =>
  allowed.startsWith('an absolute URL') && env !== 'SITE_URL'

const ALL = new Map(
  Object.values(PROGRAMS).flatMap(schema => settingsOf(schema).map(each => [each.env, each] as const)),
)

const GENERATED = '# Generated from the settings by `npm run docs`; do not edit.\n'

/** What the chart's templates read: the settings of each program, and which may come from the Secret. */
export const chartSettings = (): string => {
  const heads = PROGRAMS.migrate.heads
  const programs = Object.fromEntries(
    Object.entries({ ...PROGRAMS, ...BY_THE_CLOCK }).map(([program, schema]) => [
      program,
      settingsOf(schema).map(({ env }) => env),
    ]),
  )
  const sealed = [...ALL.values()].filter(each => each.secret || mayCarryPassword(each)).map(({ env }) => env)
  return GENERATED + stringify({ heads: heads?.write(heads.default), sealed, programs })
}

const VALUES = new URL('../../infra/deploy/chart/values.yaml', import.meta.url)

/**
 * What a value of values.yaml may be replaced with: a map that has entries has no others, an empty one is the user's.
 */
const shapeOf = (value: unknown): object => {
  if (Array.isArray(value)) return { type: 'array' }
  if (typeof value === 'number') return { type: ['number', 'string'] }
  if (typeof value !== 'object' || value === null) return { type: typeof value }
  const entries = Object.entries(value)
  if (entries.length === 0 || 'requests' in value) return { type: 'object' }
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(entries.map(([name, inner]) => [name, shapeOf(inner)])),
  }
}

/** A key of a Secret, as a pod's environment names it. */
const SECRET_KEY = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'key'],
  properties: { name: { type: 'string' }, key: { type: 'string' } },
}

/** `values.schema.json`, by which Helm refuses a value that is mistyped, and a secret that is written down. */
export const valuesSchema = (): string => {
  const values: unknown = parse(readFileSync(VALUES, 'utf8'))
  const shape = shapeOf(values)
  const open = [...ALL.values()].filter(({ secret }) => !secret)
  const settings = {
    type: 'object',
    additionalProperties: false,
    required: ['BASE_URL'],
    properties: Object.fromEntries(
      open
        .toSorted((one, other) => one.env.localeCompare(other.env))
        .map(({ env, doc, allowed }) => [
          env,
          { type: ['string', 'number', 'boolean'], description: `${doc} (${allowed})` },
        ]),
    ),
  }
  const secrets = {
    type: 'object',
    propertyNames: { enum: [...ALL.keys()].toSorted() },
    additionalProperties: SECRET_KEY,
  }
  const properties = 'properties' in shape ? shape.properties : {}
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $comment: 'Generated from values.yaml and the settings by `npm run docs`; do not edit.',
    ...shape,
    properties: { ...(properties as object), settings, secrets, global: { type: 'object' } },
  }
  return `${JSON.stringify(schema, null, 2)}\n`
}

/**
 * What compose.yaml extends: every setting of each program, out of the environment or `.env`. One that is not there is
 * empty.
 */
export const composeSettings = (): string => {
  const services = Object.fromEntries(
    Object.entries(PROGRAMS).map(([program, schema]) => [
      program,
      { environment: Object.fromEntries(settingsOf(schema).map(({ env }) => [env, `\${${env}:-}`])) },
    ]),
  )
  return GENERATED + stringify({ services })
}
