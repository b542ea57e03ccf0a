import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { AssayError, storageError } from '../../runtime/errors.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { PostgresConnection } from '../pool.ts'
import { clockOn, newClockMemory } from './exchange-clock.ts'
import { isPrepared } from './prepare.ts'
import {
  connectionAt,
  isSocketDirectory,
  makeSocketDirectory,
  removeAbandonedSockets,
  socketNote,
} from './socket-directory.ts'
import { type Watch, watchThread } from './watchdog.ts'

/** What the thread of the embedded engine and the one that started it say to each other. */
export interface WorkerOptions {
  readonly directory: string
  readonly socketPath: string
  /** Where both see what the engine does: an `ExchangeClock`. */
  readonly clock: SharedArrayBuffer
}

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'complaint'; readonly message: string }
  /** No checkpoint is under way, and none begins until `tidy`. */
  | { readonly type: 'untidied' }
  /** Every table is rewritten, and the write-ahead log begun anew; or why that was not brought to its end. */
  | { readonly type: 'rewritten'; readonly failure: string | null }

/**
 * `open` comes first, and has the thread open the engine: until then it does no more than load its code. `untidy` has
 * it write no checkpoints until `tidy`. `rewrite` has it rewrite every table.
 */
export interface ToWorker {
  readonly type: 'open' | 'stop' | 'tidy' | 'untidy' | 'rewrite'
}

interface EmbeddedPostgresOptions {
  /** Where the data lives; made if it is missing. One process at a time: hold the data directory's lock. */
  readonly directory: string
  readonly logger: Logger
  /** Called when the engine's thread ends without being asked to. The process cannot go on. */
  readonly onCrash: (error: Error) => void
  /** How statements that are past their limit are ended; for tests. */
  readonly watch?: Watch
}

export interface EmbeddedPostgres {
  /** How pools of any thread or process of this user connect. */
  readonly connection: PostgresConnection
  /**
   * Resolves once no checkpoint is under way; none is written until the answer is called, so that the write-ahead log
   * is kept. Rejects with `unavailable` when the engine's thread ends meanwhile.
   */
  holdCheckpoints(): Promise<() => void>
  /**
   * Rewrites every table, one after the other beside traffic, and begins the write-ahead log anew: what was removed
   * before the call is in no file of the directory afterwards. Rejects with `unavailable` while checkpoints are held,
   * and when the engine ends meanwhile; done again, it begins at the beginning.
   */
  rewrite(): Promise<void>
  /** Rolls back what is open, writes a checkpoint and ends the thread. Close the pools first. */
  stop(): Promise<void>
}

/** Sockets outlive a killed process; the note beside the data says where the last one was. */
const removeStale = async (note: string): Promise<void> => {
  const stale = (await readFile(note, 'utf8').catch(() => '')).trim()
  if (isSocketDirectory(stale)) await rm(stale, { recursive: true, force: true })
}

const prepare = async (directory: string, logger: Logger): Promise<void> => {
  if (isPrepared(directory)) return
  if (!(await isEmpty(directory))) throw cannotOpen(directory, new Error('there is no PG_VERSION'))
  logger.info('making the database; this happens once and takes some seconds')
  try {
    await once(new Worker(new URL('./prepare-thread.ts', import.meta.url), { workerData: directory }), 'exit')
  } catch (error) {
    throw storageError(error, directory, 'the embedded database cannot be made there. Look whether the disk has room')
  }
}

/** What the engine says of a directory that it cannot open is a crash, whatever the reason. */
const cannotOpen = (directory: string, cause: unknown): AssayError =>
  new AssayError(
    'damaged',
    `The embedded database in ${directory} cannot be opened: its files are damaged, or some are missing. Restore the data directory from a backup.`,
    { cause },
  )

const isEmpty = async (directory: string): Promise<boolean> => (await readdir(directory).catch(() => [])).length === 0

/**
 * Sends a thread a message, and resolves with its answer. Rejects when the thread ends before it answers: one that is
 * given up never reads what it was sent, and the next one knows nothing of it.
 */
const answerOf = <Type extends FromWorker['type']>(
  worker: Worker,
  message: ToWorker,
  type: Type,
): Promise<Extract<FromWorker, { readonly type: Type }>> =>
  new Promise((resolve, reject) => {
    const isAnswer = (said: FromWorker): said is Extract<FromWorker, { readonly type: Type }> => said.type === type
    const settle = (answer: Extract<FromWorker, { readonly type: Type }> | null) => {
      worker.off('message', listen)
      worker.off('exit', exited)
      if (answer !== null) resolve(answer)
      else reject(new AssayError('unavailable', 'The embedded database ended meanwhile. Do it again.'))
    }
    const listen = (said: FromWorker) => isAnswer(said) && settle(said)
    const exited = () => settle(null)
    worker.on('message', listen)
    worker.on('exit', exited)
    worker.postMessage(message)
    // One that has ended by itself says nothing more.
    if (worker.threadId === -1) exited()
  })

/**
 * PostgreSQL with pgvector (PGlite) on a thread of its own, behind a Unix socket in a private directory, so that `pg`
 * connects as it would to a server. Clients' transactions run one after another; session settings are shared, so only
 * `set local` is safe. A statement past the limit of its connection ends with 57014; where it does not, the thread is
 * started again, and every connection is lost.
 */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const { directory, logger, onCrash } = options
  const note = socketNote(directory)
  await mkdir(dirname(directory), { recursive: true, mode: 0o700 })
  await Promise.all([removeStale(note), removeAbandonedSockets()])
  await prepare(directory, logger)
  const socket = await makeSocketDirectory()
  await writeFile(note, socket.host)
  const clock = newClockMemory()
  const workerData: WorkerOptions = { directory, socketPath: socket.path, clock }
  const newWorker = () => new Worker(new URL('./worker.ts', import.meta.url), { workerData, name: 'postgres' })
  let worker = newWorker()

  let state: 'starting' | 'running' | 'restarting' | 'stopping' = 'starting'
  const postToWorker = (message: ToWorker) => worker.postMessage(message)
  const start = () =>
    new Promise<void>((resolve, reject) => {
      const fail = (reason: unknown) => {
        if (state === 'running')
          onCrash(new AssayError('unavailable', 'The embedded database ended unexpectedly.', { cause: reason }))
        else reject(cannotOpen(directory, reason))
      }
      worker.on('message', (message: FromWorker) => {
        if (message.type === 'ready') resolve()
        if (message.type === 'failed') reject(cannotOpen(directory, new Error(message.message)))
        if (message.type === 'complaint')
          logger.warn({ reason: message.message }, 'the embedded database could not be tidied up')
      })
      worker.on('error', fail)
      worker.on('exit', code => {
        if (state === 'starting' || state === 'running') fail(new Error(`the thread ended with code ${code}`))
      })
      postToWorker({ type: 'open' })
    })

  const end = async () => {
    await socket.remove()
    await rm(note, { force: true })
  }

  try {
    await start()
  } catch (error) {
    state = 'stopping'
    await worker.terminate()
    await end()
    throw error
  }
  state = 'running'
  logger.debug('the embedded database is open')

  // Loading the code takes as long as opening the engine where the machine is busy, so the next thread begins before
  // this one is given up.
  let spare: Worker | null = null
  const prepareSpare = () => {
    if (spare !== null) return
    spare = newWorker()
    spare.once('error', () => {
      spare = null
    })
  }

  let restarting = Promise.resolve()
  const watch = () =>
    watchThread({
      worker,
      clock,
      logger,
      watch: options.watch,
      prepare: prepareSpare,
      restart: () => {
        restarting = restart()
      },
    })
  // What was committed is on the disk, and the write-ahead log is repeated, as after a kill.
  const restart = async (): Promise<void> => {
    state = 'restarting'
    await worker.terminate()
    await rm(socket.path, { force: true })
    clockOn(clock).end()
    state = 'starting'
    worker = spare ?? newWorker()
    spare = null
    try {
      await start()
    } catch (error) {
      onCrash(new AssayError('unavailable', 'The embedded database ended unexpectedly.', { cause: error }))
      return
    }
    state = 'running'
    watchdog = watch()
  }
  let watchdog = watch()

  let stopping: Promise<void> | null = null
  const stop = async (): Promise<void> => {
    await restarting
    watchdog.stop()
    state = 'stopping'
    const exited = once(worker, 'exit')
    postToWorker({ type: 'stop' })
    await spare?.terminate()
    // One that has ended by itself says nothing more.
    if (worker.threadId !== -1) await exited
    await end()
  }

  return {
    connection: connectionAt(socket.host),
    async holdCheckpoints() {
      await restarting
      await answerOf(worker, { type: 'untidy' }, 'untidied')
      return () => postToWorker({ type: 'tidy' })
    },
    async rewrite() {
      await restarting
      const { failure } = await answerOf(worker, { type: 'rewrite' }, 'rewritten')
      if (failure !== null)
        throw new AssayError('unavailable', `The embedded database could not be rewritten: ${failure}.`)
    },
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
}
