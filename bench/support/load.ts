import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { madeUpWord, numbers } from './feedback.ts'

const PHRASES = 4_000
const WORDS_A_PHRASE = 16

/**
 * Phrases of made-up words, always the same. Texts of a few of them share little, so that the benchmark measures
 * signals that are inserted, not repeats that dedup skips.
 */
const phrases = (): readonly string[] => {
  const next = numbers(1)
  return Array.from({ length: PHRASES }, () => Array.from({ length: WORDS_A_PHRASE }, () => madeUpWord(next)).join(' '))
}

const ROOT = new URL('../../', import.meta.url).pathname
const CACHED = join(ROOT, '.cache/bin/k6')
const VERSION = 'v1.8.1'

/** The k6 on the path or in the cache; built with Go into the cache when there is none. Throws with what to install. */
const findK6 = (): string => {
  if (spawnSync('k6', ['version']).status === 0) return 'k6'
  if (existsSync(CACHED)) return CACHED
  console.log(`Building k6 ${VERSION} with Go, once; this takes a few minutes.`)
  const built = spawnSync('go', ['install', `go.k6.io/k6@${VERSION}`], {
    env: { ...process.env, GOBIN: join(ROOT, '.cache/bin') },
    stdio: 'inherit',
  })
  if (built.status !== 0)
    throw new Error('The benchmarks need k6: put it on the path, or install Go so that it can be built.')
  return CACHED
}

export interface Target {
  readonly url: string
  readonly secret: string
}

interface LoadOptions {
  readonly targets: readonly Target[]
  readonly seconds: number
  readonly virtualUsers: number
  /** Requests a second at a constant arrival rate; absent, as many as the virtual users manage. */
  readonly rate?: number
}

export interface LoadResult {
  readonly accepted: number
  readonly refused: number
  readonly seconds: number
  /** Milliseconds. */
  readonly latency: { readonly median: number; readonly p95: number; readonly p99: number; readonly max: number }
}

/** What k6 writes with `--summary-export`, as far as it is read here. */
interface Summary {
  readonly metrics: Readonly<Record<string, Readonly<Record<string, number>> | undefined>>
}

/** Sends signed signals to the targets from a k6 of its own process. */
export const sendLoad = async (options: LoadOptions): Promise<LoadResult> => {
  const k6 = findK6()
  const directory = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  try {
    const targets = join(directory, 'targets.json')
    const vocabulary = join(directory, 'phrases.json')
    const summaryFile = join(directory, 'summary.json')
    writeFileSync(targets, JSON.stringify(options.targets))
    writeFileSync(vocabulary, JSON.stringify(phrases()))
    await promisify(execFile)(
      k6,
      ['run', '--quiet', '--no-usage-report', '--summary-export', summaryFile, join(ROOT, 'bench/k6/signals.js')],
      {
        env: {
          ...process.env,
          TARGETS: targets,
          PHRASES: vocabulary,
          VUS: String(options.virtualUsers),
          DURATION: `${options.seconds}s`,
          ...(options.rate === undefined ? {} : { RATE: String(options.rate) }),
        },
      },
    )
    const { metrics } = JSON.parse(readFileSync(summaryFile, 'utf8')) as Summary
    const latency = metrics.http_req_duration ?? {}
    return {
      accepted: metrics.accepted?.count ?? 0,
      refused: metrics.refused?.count ?? 0,
      seconds: options.seconds,
      latency: {
        median: latency.med ?? Number.NaN,
        p95: latency['p(95)'] ?? Number.NaN,
        p99: latency['p(99)'] ?? Number.NaN,
        max: latency.max ?? Number.NaN,
      },
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

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
