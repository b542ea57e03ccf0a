/** One sample of the Prometheus text format: its labels and its value. */
interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const LINE = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g

/** The samples of one metric on a program's `/metrics`. */
const readMetric = async (baseUrl: string, name: string): Promise<readonly Sample[]> => {
  const response = await fetch(`${baseUrl}/metrics`)
  if (!response.ok) throw new Error(`/metrics answered ${response.status}`)
  const samples: Sample[] = []
  for (const line of (await response.text()).split('\n')) {
    const match = LINE.exec(line)
    if (match?.groups?.name !== name) continue
    const labels = Object.fromEntries(
      [...(match.groups.labels ?? '').matchAll(LABEL)].map(([, key, value]) => [key, value]),
    )
    samples.push({ labels, value: Number(match.groups.value) })
  }
  return samples
}

/** The sum of a metric's samples that carry all the labels asked for, over the programs at these addresses. */
export const sumMetric = async (
  addresses: readonly string[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number> =>
  (await Promise.all(addresses.map(address => readMetric(address, name))))
    .flat()
    .filter(sample => Object.entries(labels).every(([key, value]) => sample.labels[key] === value))
    .reduce((sum, sample) => sum + sample.value, 0)
