import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../../infra/runtime/testing.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const START_DEADLINE_MS = 120_000
const STOP_DEADLINE_MS = 30_000

/** A whole Assay in a process of its own, on a data directory of its own, as a user would start it. */
export interface Installation {
  readonly baseUrl: string
  readonly dataDirectory: string
  /** Everything that the process printed, for a failing test to show. */
  output(): string
  /** Ends the process as a power cut would, and waits until it is gone. */
  killAbruptly(): Promise<void>
  /** Asks it to stop, and answers its exit code. */
  stop(): Promise<number | null>
  /** Starts it again on the same data and the same port. */
  start(): Promise<void>
  /** Stops it and removes its data. */
  remove(): Promise<void>
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })

const exited = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise(resolve => child.once('exit', code => resolve(code)))

/** Starts an installation and waits until it is ready. `environment` is added to the process's own. */
export const startInstallation = async (environment: Readonly<Record<string, string>> = {}): Promise<Installation> => {
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const dataDirectory = await mkdtemp(join(tmpdir(), 'assay-test-'))
  let child: ChildProcess | null = null
  let output = ''

  const start = async (): Promise<void> => {
    const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'assay.ts', 'all'], {
      cwd: ROOT,
      env: { ...process.env, PORT: String(port), DATA_DIR: dataDirectory, BASE_URL: baseUrl, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    const keep = (chunk: Buffer): void => {
      output += chunk.toString()
    }
    started.stdout.on('data', keep)
    started.stderr.on('data', keep)
    const ready = await eventually(
      'the installation becomes ready, or ends',
      async () => {
        if (started.exitCode !== null) return { ended: started.exitCode }
        const response = await fetch(`${baseUrl}/readyz`)
        return response.ok ? { ended: null } : null
      },
      START_DEADLINE_MS,
    )
    if (ready.ended !== null) throw new Error(`The installation ended with code ${ready.ended}:\n${output}`)
  }

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

  await start().catch(async error => {
    await end('SIGKILL')
    await rm(dataDirectory, { recursive: true, force: true })
    throw error
  })
  return {
    baseUrl,
    dataDirectory,
    output: () => output,
    start,
    stop: () => end('SIGTERM'),
    killAbruptly: async () => {
      await end('SIGKILL')
    },
    remove: async () => {
      await end('SIGTERM')
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}
