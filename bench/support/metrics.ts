import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One sample of the Prometheus text format. */
interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const LINE = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g

type Sum = (name: string, labels?: Readonly<Record<string, string>>) => number

/**
 * One look at the `/metrics` of the programs at these addresses: sums of a metric's samples that carry all the labels
 * asked for.
 */
export const readMetrics = async (addresses: readonly string[]): Promise<Sum> => {
  const samples = (await Promise.all(addresses.map(readProgram))).flat()
  return (name, labels = {}) =>
    samples
      .filter(sample => sample.name === name)
      .filter(sample => Object.entries(labels).every(([key, value]) => sample.labels[key] === value))
      .reduce((sum, sample) => sum + sample.value, 0)
}

/** The same for one metric. A look has its price, since lag is asked of the log: take `readMetrics` for several. */
export const sumMetric = async (
  addresses: readonly string[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number> => (await readMetrics(addresses))(name, labels)

const readProgram = async (baseUrl: string): Promise<readonly Sample[]> => {
  // A program that was busy may close a connection that idled meanwhile just as it is asked again: then a new one is
  // asked.
  const ask = () => fetch(`${baseUrl}/metrics`)
  const response = await ask().catch(ask)
  if (!response.ok) throw new Error(`/metrics answered ${response.status}`)
  const samples: Sample[] = []
  for (const line of (await response.text()).split('\n')) {
    const groups = LINE.exec(line)?.groups
    if (groups?.name === undefined) continue
    const labels = Object.fromEntries([...(groups.labels ?? '').matchAll(LABEL)].map(([, key, value]) => [key, value]))
    samples.push({ name: groups.name, labels, value: Number(groups.value) })
  }
  return samples
}

/** Linux counts in hundredths of a second, whatever its kernel's own clock. */
const TICKS_A_SECOND = 100

interface ProcessTimes {
  readonly parent: number
  readonly seconds: number
  /** Of its children that have ended. */
  readonly endedSeconds: number
}

/** The processor time of every process so far. Linux only: elsewhere there is none to read, and nothing is counted. */
const readProcesses = (): ReadonlyMap<number, ProcessTimes> => {
  const processes = new Map<number, ProcessTimes>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      // The name of the command, in brackets, may hold spaces; counted from behind it, the parent is the second field,
      // times from the twelfth on.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const ticks = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) / TICKS_A_SECOND
      processes.set(Number(name), { parent: Number(fields[1]), seconds: ticks(11), endedSeconds: ticks(13) })
    } catch {
      // It ended meanwhile.
    }
  }
  return processes
}

/** The process of each engine of a stack. */
const engineProcesses = (directory: string): readonly (readonly [engine: string, pid: number])[] =>
  readdirSync(directory).flatMap(file => {
    const [, engine] = /^(\w+)\.process\.json$/.exec(file) ?? []
    return engine === undefined ? [] : [[engine, JSON.parse(readFileSync(join(directory, file), 'utf8')).pid] as const]
  })

/** Processor seconds of each engine of a stack so far, its child processes included, those that have ended too. */
export const engineSeconds = (directory: string): Readonly<Record<string, number>> => {
  const processes = readProcesses()
  const seconds: Record<string, number> = {}
  for (const [engine, pid] of engineProcesses(directory)) {
    const own = processes.get(pid)
    let sum = own === undefined ? 0 : own.seconds + own.endedSeconds
    for (const { parent, seconds: running } of processes.values()) if (parent === pid) sum += running
    seconds[engine] = sum
  }
  return seconds
}

/**
 * Bytes that a process, and its children that have ended, gave to the file system; 0 where the system does not say, or
 * not to this user.
 */
const writtenBytes = (pid: number): number => {
  try {
    const io = readFileSync(`/proc/${pid}/io`, 'utf8')
    return Number(/^write_bytes: (\d+)$/m.exec(io)?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** The same of each engine of a stack. */
export const engineWrittenBytes = (directory: string): Readonly<Record<string, number>> => {
  const processes = readProcesses()
  return Object.fromEntries(
    engineProcesses(directory).map(([engine, pid]) => {
      const children = [...processes].filter(([, { parent }]) => parent === pid)
      return [engine, children.reduce((sum, [child]) => sum + writtenBytes(child), writtenBytes(pid))] as const
    }),
  )
}

/** What each engine, or store, took between two looks for each of so many signals. */
export const shareOfEach = (
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  signals: number,
): readonly (readonly [engine: string, share: number])[] =>
  Object.entries(after).map(([engine, total]) => [engine, (total - (before[engine] ?? 0)) / signals] as const)
