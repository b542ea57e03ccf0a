import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const ROOT = new URL('../../', import.meta.url).pathname

/** A server that is loaded: another one's, or the edge. */
export interface Peer {
  readonly name: string
  readonly url: string
  /** CPU time of its process so far, user and system, in seconds. */
  cpuSeconds(): Promise<number>
  stop(): Promise<void>
}

const firstLine = async (child: ChildProcess): Promise<string> => {
  if (child.stdout === null) throw new TypeError('The peer has no output.')
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error('The peer ended before it listened.')
}

/** Starts a program of `bench/peers/`, which prints its address once it listens. */
export const startPeer = async (name: string, parameters: readonly string[]): Promise<Peer> => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...parameters], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await firstLine(child)
  return {
    name,
    url,
    async cpuSeconds() {
      const { user, system } = (await (await fetch(`${url}/cpu`)).json()) as NodeJS.CpuUsage
      return (user + system) / 1e6
    },
    async stop() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
