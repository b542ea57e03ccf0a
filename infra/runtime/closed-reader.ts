import { codeOf } from './errors.ts'

/**
 * Has a command go on to its end when nobody reads what it prints any more, as in `assay restore … | head`: what it
 * does is worth more than what it says. Node would end it with a stack.
 */
export const outliveReaders = (streams: readonly NodeJS.EventEmitter[] = [process.stdout, process.stderr]): void => {
  for (const stream of streams)
    stream.on('error', (error: unknown) => {
      if (codeOf(error) !== 'EPIPE') throw error
    })
}
