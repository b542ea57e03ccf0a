import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

export interface Guard {
  /** Ends the guard when there is nothing left to guard. */
  dismiss(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('./reaper-program.ts', import.meta.url))

/**
 * Takes a stack down when this process ends without having done so, killed even: a small process beside it waits for
 * the end of a pipe, which the system closes with whoever holds its other end.
 */
export const guardStack = (directory: string): Guard => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const exited = once(child, 'exit')
  child.unref()
  // Node makes a socket of a pipe, though its type says less.
  const pipe = child.stdin as unknown as Socket
  pipe.unref()
  return {
    async dismiss() {
      child.ref()
      pipe.end()
      await exited
    },
  }
}
