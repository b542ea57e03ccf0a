import { Session } from 'chdb'
import { AssayError, storageError } from '../../runtime/errors.ts'

/** An error that ClickHouse itself answered, with its code. */
export class EngineError extends Error {
  readonly code: number

  constructor(code: number, message: string, cause: unknown) {
    super(message, { cause })
    this.code = code
  }
}

interface EngineAnswer {
  readonly bytes: Uint8Array
  readonly rowsRead: number
  readonly bytesRead: number
}

/**
 * ClickHouse's engine in this process, one data directory a process. Only for the main thread: it crashes when a worker
 * ends.
 */
export interface Engine {
  /**
   * Runs statements in a session of their own, so that what they SET is gone afterwards, and answers the last. One text
   * may have several of them, but none with data: the engine would look through it all for their ends, which is half of
   * what an insert takes. Off the event loop.
   */
  run(texts: readonly string[], format: string): Promise<EngineAnswer>
  /** Call it when nothing runs any more. */
  close(): void
}

const UNKNOWN_EXCEPTION = 1002

/** chdb does not export its error classes; ClickHouse's code is a field of those that have one. */
const codeOf = (error: unknown): number =>
  error instanceof Error && 'clickhouseCode' in error && typeof error.clickhouseCode === 'number'
    ? error.clickhouseCode
    : UNKNOWN_EXCEPTION

const engineError = (error: unknown): EngineError =>
  new EngineError(codeOf(error), error instanceof Error ? error.message : String(error), error)

/** Holds the engine open between requests; opening a further session beside it takes under a millisecond. */
const openKeeper = (directory: string): Session => {
  try {
    return new Session(directory)
  } catch (error) {
    throw storageError(error, directory)
  }
}

/** The engine moves a part of a table that it cannot read aside, and goes on without its rows. */
const BROKEN_PARTS = "select path from system.detached_parts where startsWith(reason, 'broken') order by path"

/**
 * Throws `damaged` when rows of this directory are missing since the engine could not read them at this start or one
 * before.
 */
const assertComplete = (keeper: Session, directory: string): void => {
  const broken = keeper.query(BROKEN_PARTS, 'TabSeparated').trim()
  if (broken === '') return
  const folders = broken.split('\n')
  const more = folders.length > 1 ? ` and ${folders.length - 1} more` : ''
  throw new AssayError(
    'damaged',
    `The analytics data in ${directory} has damaged files, in ${folders[0]}${more}. Restore the data directory from a backup. ` +
      'To go on without the activity in them, remove these folders.',
  )
}

/** Throws `damaged` when what is in the directory cannot be read. */
export const openEngine = (directory: string): Engine => {
  const keeper = openKeeper(directory)
  try {
    assertComplete(keeper, directory)
  } catch (error) {
    keeper.close()
    throw error
  }
  return {
    async run(texts, format) {
      const session = new Session(directory)
      try {
        for (const text of texts.slice(0, -1)) await session.queryAsync(text, { format })
        const result = await session.queryAsync(texts.at(-1) ?? '', { format })
        return { bytes: result.bytes(), rowsRead: result.rowsRead, bytesRead: result.bytesRead }
      } catch (error) {
        throw engineError(error)
      } finally {
        session.close()
      }
    },
    close: () => keeper.close(),
  }
}
