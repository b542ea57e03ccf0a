import { COMPATIBILITY, SchemaRegistry as ConfluentClient, SchemaType } from '@kafkajs/confluent-schema-registry'
import avsc from 'avsc'
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel'
import type { AvroSchema } from '../../../schemas/events/avro.ts'
import { AssayError, isAssayError } from '../../runtime/errors.ts'
import { timerMs } from '../../runtime/timers.ts'
import { checkSchema, incompatibleSchema, invalidSchema, unknownSchema } from '../checks.ts'
import type { SchemaRegistry } from '../port.ts'

interface ConfluentRegistryOptions {
  /**
   * The API's base address: the registry's own, or `…/apis/ccompat/v7` for a compatible one. A user and password in the
   * address are sent as HTTP basic authentication.
   */
  readonly url: string
  /** A registry that is silent for this long counts as away, ms. Default 10 s. */
  readonly timeoutMs?: number
}

/** A new schema must be able to read what all earlier versions wrote, since a topic holds records of all ages. */
const COMPATIBILITY_LEVEL = COMPATIBILITY.BACKWARD_TRANSITIVE
const CLIENT_ID = 'assay'
const MAX_VERSIONS = 1000

/**
 * Repeats a registration. A subject's first version and its compatibility rule are two requests, between which another
 * program causes a conflict that passes.
 */
const meetingAnother = retry(
  handleWhen(error => isAssayError(error) && error.code === 'conflict'),
  { maxAttempts: 4, backoff: new ExponentialBackoff({ initialDelay: 50, maxDelay: 1000 }) },
)

/** A registry with Confluent's API, https://docs.confluent.io/platform/current/schema-registry/develop/api.html . */
export const createConfluentRegistry = ({ url, timeoutMs = 10_000 }: ConfluentRegistryOptions): SchemaRegistry => {
  const { host, auth } = addressOf(url)
  const client = new ConfluentClient({
    host,
    ...(auth === null ? {} : { auth }),
    clientId: CLIENT_ID,
    // The caller retries.
    retry: { retries: 0 },
    middlewares: [() => ({ prepareRequest: next => next().then(request => request.enhance({ timeout: timeoutMs })) })],
  })

  const registerOnce = async (subject: string, schema: AvroSchema): Promise<number> => {
    const versioned = { type: SchemaType.AVRO, schema: JSON.stringify(schema) } as const
    try {
      const { id } = await client.register(versioned, { subject, compatibility: COMPATIBILITY_LEVEL })
      return checkedId(id)
    } catch (error) {
      throw refusalOf(subject, error)
    }
  }

  return {
    async register(subject, schema) {
      checkSchema(schema)
      return meetingAnother.execute(() => registerOnce(subject, schema))
    },

    async idsOf(subject) {
      const latest = await orNone(client.getLatestSchemaId(subject))
      const ids: number[] = []
      // The client cannot list versions. Removed versions leave gaps in the numbers.
      for (let version = 1; latest !== null && !ids.includes(latest) && version <= MAX_VERSIONS; version += 1) {
        const id = await orNone(client.getRegistryId(subject, version))
        if (id !== null) ids.push(checkedId(id))
      }
      return ids
    },

    async schemaById(id) {
      try {
        const type = await client.getSchema(id)
        if (!(type instanceof avsc.Type)) throw new Error(`Schema ${id} is none of Avro's.`)
        // avsc's declared type of a schema is wider than what it exports.
        return type.schema({ exportAttrs: true }) as AvroSchema
      } catch (error) {
        throw statusOf(error) === 404 ? unknownSchema(id) : failureOf(error)
      }
    },
  }
}

/**
 * Resolves when a registry with Confluent's API answers. Rejects with `invalid_configuration` when another service
 * answers, as with a wrong path. Asks for the list of subjects: for a single subject both would answer 404.
 */
export const assertConfluentRegistry = async (url: string, timeoutMs = 10_000): Promise<void> => {
  const { host, auth } = addressOf(url)
  const credentials = auth === null ? null : Buffer.from(`${auth.username}:${auth.password}`).toString('base64')
  const headers: Record<string, string> = credentials === null ? {} : { authorization: `Basic ${credentials}` }
  const response = await fetch(`${host}/subjects`, { headers, signal: AbortSignal.timeout(timerMs(timeoutMs)) }).catch(
    error => {
      throw failureOf(error)
    },
  )
  if (!response.ok && response.status !== 404) throw failureOf(Object.assign(new Error(), { status: response.status }))
  const subjects: unknown = await response.json().catch(() => null)
  if (response.ok && Array.isArray(subjects)) return
  throw new AssayError(
    'invalid_configuration',
    'SCHEMA_REGISTRY_URL leads to a server that is no schema registry with Confluent’s API. Check its path: for Apicurio the address ends in /apis/ccompat/v7.',
  )
}

const addressOf = (url: string) => {
  const { origin, pathname, username, password } = new URL(url)
  const auth = { username: decodeURIComponent(username), password: decodeURIComponent(password) }
  return { host: `${origin}${pathname}`.replace(/(?<!\/)\/+$/, ''), auth: username === '' ? null : auth }
}

/** A proxy may answer in place of the registry. */
const checkedId = (id: unknown): number => {
  if (typeof id === 'number') return id
  throw new Error('The schema registry gave no id.')
}

/** Null for what the registry does not have. */
const orNone = <T>(request: Promise<T>): Promise<T | null> =>
  request.catch(error => {
    if (statusOf(error) === 404) return null
    throw failureOf(error)
  })

/** The HTTP status of the answer; null for any other failure. */
const statusOf = (error: unknown): number | null =>
  error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : null

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : '').replace(`${CLIENT_ID} - `, '')

const refusalOf = (subject: string, error: unknown): AssayError => {
  const status = statusOf(error)
  if (status === 409) return incompatibleSchema(subject, reasonOf(error), error)
  if (status === 422) return invalidSchema(reasonOf(error), error)
  if (error instanceof Error && error.name === 'ConfluentSchemaRegistryCompatibilityError') {
    return new AssayError(
      'conflict',
      `The schema registry keeps "${subject}" with other rules: ${error.message}. ` +
        `Set the compatibility of this subject to ${COMPATIBILITY_LEVEL}.`,
      { cause: error },
    )
  }
  return failureOf(error)
}

/** The client reports an unreachable registry as status 400, which its calls get for no other reason. */
const failureOf = (error: unknown): AssayError => {
  const status = statusOf(error)
  if (status === 401 || status === 403) {
    return new AssayError('forbidden', 'The schema registry refuses this program. Check its credentials.', {
      cause: error,
    })
  }
  return new AssayError('unavailable', 'The schema registry cannot be reached, or does not answer as it should.', {
    cause: error,
  })
}
