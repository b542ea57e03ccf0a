/** One sample of the Prometheus text format. */
interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const LINE = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g

type Sum = (name: string, labels?: Readonly<Record<string, string>>) => number

/** One look at the `/metrics` of the programs at these addresses: sums of a metric's samples that carry all the labels asked for. */
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
  // A program that was busy may close a connection that idled meanwhile just as it is asked again: then a new one is asked.
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
