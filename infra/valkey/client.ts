import { isIP } from 'node:net'
import { Redis } from 'iovalkey'
import { AssayError } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { timerMs } from '../runtime/timers.ts'
import { parseValkeyUrl } from './config.ts'
import type { Valkey } from './port.ts'

export interface ValkeyOptions {
  readonly url: string
  readonly logger: Pick<Logger, 'warn'>
  /** Limit of a command, ms. Default 100 ms, since a request waits for it. */
  readonly commandTimeoutMs?: number
  /** Interval of checks, ms. Default one second. */
  readonly watchMs?: number
}

/** A connection that is silent for this long with pending commands is replaced, ms. */
const SILENCE_MS = 2000
const CONNECT_TIMEOUT_MS = 2000
const MAX_RECONNECT_MS = 1000

/** Runs a script that writes, as callers do: a server on which scripts or writes fail must not count as answering. */
const PROBE = "return redis.call('set', KEYS[1], 1, 'EX', 10)"
const PROBE_KEY = 'assay:probe'

/**
 * Connects in the background, and again after a loss; nothing waits for a connection. Logs once when Valkey is away and
 * once when it is back. Throws `invalid_configuration` for an invalid URL.
 */
export const createValkey = ({ url, logger, commandTimeoutMs = 100, watchMs = 1000 }: ValkeyOptions): Valkey => {
  const address = parseValkeyUrl(url)
  if (address === null) {
    throw new AssayError('invalid_configuration', 'VALKEY_URL must be of the form redis://user:password@host:6379/0.')
  }
  const client = new Redis({
    host: address.host,
    port: address.port,
    ...(address.username === '' ? {} : { username: address.username }),
    ...(address.password === '' ? {} : { password: address.password }),
    // TLS' server name must be a name, not an IP address.
    ...(address.tls ? { tls: isIP(address.host) ? {} : { servername: address.host } } : {}),
    db: address.database,
    lazyConnect: true,
    // Commands of one turn of the event loop are sent in one write and answered in one read.
    enableAutoPipelining: true,
    // A command that cannot be sent at once is dropped: its caller continues without it.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    socketTimeout: SILENCE_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: attempt => Math.min(100 * attempt, MAX_RECONNECT_MS),
  })
  let state: 'new' | 'here' | 'away' = 'new'
  let closed = false

  const setHere = () => {
    if (closed) return
    if (state === 'away') logger.warn('Valkey answers again')
    state = 'here'
  }
  const setUnavailable = (error: unknown) => {
    if (closed || state === 'away') return
    state = 'away'
    logger.warn({ reason: reasonOf(error) }, 'Valkey does not answer')
  }
  const probe = () => client.eval(PROBE, 1, PROBE_KEY).then(setHere, setUnavailable)

  // Without a listener the client writes errors to standard error.
  client.on('error', setUnavailable)
  client.on('close', () => setUnavailable(new Error('The connection was closed.')))
  client.on('ready', probe)
  client.connect().catch(setUnavailable)
  const watch = setInterval(() => client.status === 'ready' && void probe(), timerMs(watchMs)).unref()

  return {
    client,
    answers: () => state === 'here',
    assertAnswers: async () => {
      if (state !== 'here') throw new AssayError('unavailable', 'Valkey does not answer.')
    },
    failed: setUnavailable,
    close: () => {
      closed = true
      clearInterval(watch)
      client.disconnect()
    },
  }
}

/** Only the message: the error may carry the command with its values, which must not be logged. */
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown')
