import { codeOf } from './errors.ts'

/**
 * Lets a command finish its work when the reader of its output has closed the pipe, as in `assay restore … | head`.
 * Node would end the process with a stack trace at the first write (EPIPE).
 */
export const outliveReaders = (streams: readonly NodeJS.EventEmitter[] = [process.stdout, process.stderr]): void => {
  for (const stream of streams)
    stream.on('error', (error: unknown) => {
      if (codeOf(error) !== 'EPIPE') throw error
    })
}
