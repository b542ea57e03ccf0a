import type { ChildProcess } from 'node:child_process'
import { eventually } from '../../infra/runtime/testing.ts'
import { freePorts } from '../../infra/stack/engine.ts'
import { exited, spawnAssay } from './assay.ts'

const READY_DEADLINE_MS = 120_000
const STOP_DEADLINE_MS = 30_000

/** One of the programs in a process of its own, as a user would start it. */
export interface RunningProgram {
  readonly baseUrl: string
  /** Everything that it printed, over all its starts. */
  output(): string
  /** Of the process that runs; null while none does. */
  pid(): number | null
  /** Starts the process, again on the same port if it ended. Does not wait for it. */
  start(): void
  /** Resolves when `/readyz` answers 200; rejects when the process ends before that. */
  ready(): Promise<void>
  /** Ends it as a power cut would, and waits until it is gone. */
  killAbruptly(): Promise<void>
  /** Asks it to stop, and answers its exit code; null when a signal had to end it. */
  stop(): Promise<number | null>
}

export const freePort = async (): Promise<number> => {
  const [port = 0] = await freePorts(1)
  return port
}

/**
 * A program on a free port, not started yet. `environment` is added to the process's own; `repository` is this one
 * unless told.
 */
export const createProgram = async (
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
  repository?: string,
): Promise<RunningProgram> => {
  const port = environment.PORT ?? String(await freePort())
  const baseUrl = `http://127.0.0.1:${port}`
  let child: ChildProcess | null = null
  let output = ''

  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child === null) return null
    const ending = child
    child = null
    ending.kill(signal)
    const forced = setTimeout(() => ending.kill('SIGKILL'), STOP_DEADLINE_MS)
    const code = await exited(ending)
    clearTimeout(forced)
    return code
  }

  return {
    baseUrl,
    output: () => output,
    pid: () => child?.pid ?? null,
    start() {
      const started = spawnAssay(parameters, { ...environment, PORT: port }, repository)
      for (const stream of [started.stdout, started.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          output += chunk.toString()
        })
      }
      child = started
    },
    async ready() {
      const started = child
      const { ended } = await eventually(
        `assay ${parameters.join(' ')} becomes ready, or ends`,
        async () => {
          if (started?.exitCode !== null) return { ended: started?.exitCode }
          const response = await fetch(`${baseUrl}/readyz`)
          if (!response.ok) throw new Error(`It is not ready: ${await response.text()}`)
          return { ended: null }
        },
        READY_DEADLINE_MS,
      ).catch(error => {
        throw new Error(`assay ${parameters.join(' ')} did not become ready:\n${output}`, { cause: error })
      })
      if (ended !== null) throw new Error(`assay ${parameters.join(' ')} ended with code ${ended}:\n${output}`)
    },
    killAbruptly: async () => {
      await end('SIGKILL')
    },
    stop: () => end('SIGTERM'),
  }
}
