import { Session } from 'chdb'
import { AssayError, storageError } from '../../runtime/errors.ts'

/** ClickHouse's own error with its code. */
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
 * ClickHouse's engine in this process, with one data directory per process. Only for the main thread: the engine
 * crashes when a worker ends.
 */
export interface Engine {
  /**
   * Runs statements in a session of their own, so that their SETs end with it. Returns the last one's answer. Runs off
   * the event loop. A text may have several statements, but none with data: the engine would search the data for
   * statement ends, which takes half of an insert's time.
   */
  run(texts: readonly string[], format: string): Promise<EngineAnswer>
  /** Call when nothing runs any more. */
  close(): void
}

const UNKNOWN_EXCEPTION = 1002

/** chdb does not export its error classes; those with a ClickHouse code have it as a field. */
const codeOf = (error: unknown): number =>
  error instanceof Error && 'clickhouseCode' in error && typeof error.clickhouseCode === 'number'
    ? error.clickhouseCode
    : UNKNOWN_EXCEPTION

const engineError = (error: unknown): EngineError =>
  new EngineError(codeOf(error), error instanceof Error ? error.message : String(error), error)

/** Keeps the engine open between requests: a further session then opens in less than 1 ms. */
const openKeeper = (directory: string): Session => {
  try {
    return new Session(directory)
  } catch (error) {
    throw storageError(error, directory)
  }
}

/** The engine moves unreadable parts of a table aside, and continues without their rows. */
const BROKEN_PARTS = "select path from system.detached_parts where startsWith(reason, 'broken') order by path"

/** Throws `damaged` when the engine moved unreadable parts aside, at this start or an earlier one. */
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

/** Throws `damaged` when the directory's content cannot be read. */
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
