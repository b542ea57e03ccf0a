import { Session } from 'chdb'

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

/** ClickHouse's engine in this process, one data directory a process. Only for the main thread: it crashes when a worker ends. */
export interface Engine {
  /** Runs statements in a session of their own, so that what they SET is gone afterwards. Off the event loop. */
  run(statements: string, format: string): Promise<EngineAnswer>
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

export const openEngine = (directory: string): Engine => {
  // Holds the engine open between requests; opening a further session beside it takes under a millisecond.
  const keeper = new Session(directory)
  return {
    async run(statements, format) {
      const session = new Session(directory)
      try {
        const result = await session.queryAsync(statements, { format })
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
