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

/** The data that the engine's thread is started with. */
export interface WorkerOptions {
  readonly directory: string
  readonly socketPath: string
  /** The memory of the `ExchangeClock` that both threads share. */
  readonly clock: SharedArrayBuffer
}

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'complaint'; readonly message: string }
  /** No checkpoint is under way, and none starts until `tidy`. */
  | { readonly type: 'untidied' }
  /** Every table was rewritten and a new write-ahead log started, or why not. */
  | { readonly type: 'rewritten'; readonly failure: string | null }

/**
 * `open` comes first and opens the engine; before, the thread only loads its code. `untidy` stops checkpoints until
 * `tidy`. `rewrite` rewrites every table.
 */
export interface ToWorker {
  readonly type: 'open' | 'stop' | 'tidy' | 'untidy' | 'rewrite'
}

interface EmbeddedPostgresOptions {
  /** The data directory, created if missing. Only one process may use it: hold the lock of the whole data directory. */
  readonly directory: string
  readonly logger: Logger
  /** Called when the engine's thread ends unexpectedly. The process cannot go on. */
  readonly onCrash: (error: Error) => void
  /** Timing of ending statements past their limit; for tests. */
  readonly watch?: Watch
}

export interface EmbeddedPostgres {
  /** How pools of any thread or process of this user connect. */
  readonly connection: PostgresConnection
  /**
   * Resolves once no checkpoint is under way. No checkpoint is written until the returned function is called, so that
   * the write-ahead log is kept. Rejects with `unavailable` when the engine's thread ends meanwhile.
   */
  holdCheckpoints(): Promise<() => void>
  /**
   * Rewrites every table, one after another beside normal work, and starts a new write-ahead log: rows removed before
   * the call are in no file of the directory afterwards. Rejects with `unavailable` while checkpoints are held, and
   * when the engine ends. A repeated call starts from the beginning.
   */
  rewrite(): Promise<void>
  /** Rolls back open transactions, writes a checkpoint and ends the thread. Close the pools first. */
  stop(): Promise<void>
}

/** Removes the socket of a killed process, whose path the note beside the data has. */
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

/** The error for a directory that the engine cannot open. The engine itself only crashes, whatever the reason. */
const cannotOpen = (directory: string, cause: unknown): AssayError =>
  new AssayError(
    'damaged',
    `The embedded database in ${directory} cannot be opened: its files are damaged, or some are missing. Restore the data directory from a backup.`,
    { cause },
  )

const isEmpty = async (directory: string): Promise<boolean> => (await readdir(directory).catch(() => [])).length === 0

/**
 * Sends a message to a thread, and resolves with its answer. Rejects when the thread ends before it answers: its
 * successor never gets the message.
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
    // A thread that ended by itself sends no `exit` any more.
    if (worker.threadId === -1) exited()
  })

/**
 * PostgreSQL with pgvector (PGlite) on a thread of its own, behind a Unix socket in a private directory, so that `pg`
 * connects as to a server. Transactions of clients run one after another. Clients share session settings, therefore
 * only `set local` is safe.
 *
 * The thread is starting, running, restarting or stopping. A statement past its connection's limit ends with 57014.
 * When it does not end, the thread is replaced (restarting): every connection is lost, and the new thread repeats the
 * write-ahead log as after a kill. A failed restart, or a thread that ends while running, calls `onCrash`.
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

  // On a busy machine loading the code takes as long as opening the engine, therefore the next thread is started before
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
  // Commits are on the disk: the next thread repeats the write-ahead log, as after a kill.
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
    // A thread that ended by itself sends no `exit` any more.
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
