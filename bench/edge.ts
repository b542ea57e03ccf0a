import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay, setTimeout as sleep } from 'node:timers/promises'
import { startStack } from '../infra/stack/index.ts'
import { MINUTE_MS } from '../schemas/domain/durations.ts'
import { startPrograms } from '../test/support/programs.ts'
import { type LoadResult, type Peer, sendLoad, startPeer, type Target } from './support/load.ts'
import { recordFigure } from './support/measuring.ts'
import { sumMetric } from './support/metrics.ts'
import { createBenchPool } from './support/stored-rows.ts'
import { copyTargets, createTargets, quotasFor, untilKnown } from './support/subject.ts'

/** Seconds are of each peer's load in a round. */
const SIZES = {
  full: { endpoints: 2000, rounds: 3, seconds: 8, halfSeconds: 15 },
  quick: { endpoints: 600, rounds: 3, seconds: 3, halfSeconds: 5 },
}
const VIRTUAL_USERS = 64
/** At half the most that was managed, requests come when they come, whether or not the last was answered. */
const HALF = 0.5
const HALF_P99_MS = 50
const MANY_ENDPOINTS = 100_000
/** A list for each virtual user of the load takes memory: it is sent to one of so many. */
const ONE_OF = 10
const COPY_TIMEOUT_MS = 600_000
/**
 * For so long the edge asks for what is new again and again, which endpoints that came one after the other would not
 * make it do.
 */
const ASKED_AGAIN_MS = 65_000
/** Of the others' CPU a request, at most. */
const ASKED: Readonly<Record<string, number>> = {
  'Fastify + kafkajs, a send a request': 0.4,
  'Fastify + kafkajs, batched': 0.7,
  'uWebSockets.js, HMAC and 200 only': 2.5,
}

interface Round extends LoadResult {
  readonly cpuMicroseconds: number
}

/** Sends a load to a peer; what it cost the peer's process for each accepted request. */
const loadPeer = async (
  peer: Peer,
  targets: readonly Target[],
  options: { readonly seconds: number; readonly rate?: number },
): Promise<Round> => {
  const own = targets.map(({ url, secret }) => ({ url: `${peer.url}${new URL(url).pathname}`, secret }))
  const before = await peer.cpuSeconds()
  const result = await sendLoad({ targets: own, virtualUsers: VIRTUAL_USERS, ...options })
  const spent = (await peer.cpuSeconds()) - before
  return { ...result, cpuMicroseconds: (spent / result.accepted) * 1e6 }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const describeRound = ({ cpuMicroseconds, accepted, refused, seconds, latency }: Round): string =>
  [
    `${cpuMicroseconds.toFixed(0)} µs CPU a request`,
    `${(accepted / seconds).toFixed(0)} accepted/s`,
    `median ${latency.median.toFixed(1)} ms, p99 ${latency.p99.toFixed(1)} ms`,
    `${refused} refused`,
  ].join(', ')

/** The round that does not count: the runtime compiles what it runs meanwhile. */
const WARMING = 0

/** Rounds alternate, so that what else the machine does meets all of them alike. */
const compare = async (
  peers: readonly Peer[],
  targets: readonly Target[],
  size: { readonly rounds: number; readonly seconds: number },
): Promise<ReadonlyMap<Peer, Round[]>> => {
  const rounds = new Map<Peer, Round[]>(peers.map(peer => [peer, []]))
  for (let round = WARMING; round <= size.rounds; round += 1) {
    for (const [peer, own] of rounds) {
      const result = await loadPeer(peer, targets, { seconds: size.seconds })
      if (round > WARMING) own.push(result)
      console.log(`${round > WARMING ? `round ${round}` : 'warming'}  ${peer.name.padEnd(34)} ${describeRound(result)}`)
    }
  }
  return rounds
}

const costOf = (rounds: readonly Round[] = []): number => median(rounds.map(round => round.cpuMicroseconds))

const report = (rounds: ReadonlyMap<Peer, readonly Round[]>, edge: Peer): void => {
  const own = costOf(rounds.get(edge))
  console.log('\nCPU of the edge a request, as a ratio (medians of the rounds)')
  recordFigure('edge: CPU a request', own, 'µs')
  for (const [peer, others] of rounds) {
    if (peer === edge) continue
    const ratio = own / costOf(others)
    const atMost = ASKED[peer.name]
    recordFigure(`edge: CPU, of ${peer.name}`, ratio, 'times', atMost === undefined ? {} : { atMost })
    console.log(`  ${ratio.toFixed(2)} of ${peer.name}`)
  }
}

/**
 * What a request costs an edge that knows a hundred thousand endpoints, as a ratio of what it cost with fewer; sent to
 * ten thousand of them.
 */
const loadMany = async (own: Peer, databaseUrl: string, targets: readonly Target[], fewer: readonly Round[]) => {
  const pool = createBenchPool(databaseUrl, COPY_TIMEOUT_MS)
  const copies = await copyTargets(pool, targets, MANY_ENDPOINTS).finally(() => pool.end())
  await untilKnown([own.url], MANY_ENDPOINTS)
  await sleep(ASKED_AGAIN_MS)
  console.log(`\nWith ${MANY_ENDPOINTS} endpoints`)
  const loaded = copies.filter((_, place) => place % ONE_OF === 0)
  const rounds = await compare([own], loaded, { rounds: fewer.length, seconds: SIZES.full.seconds })
  const ratio = costOf(rounds.get(own)) / costOf(fewer)
  recordFigure(`edge: CPU, with ${MANY_ENDPOINTS} endpoints`, ratio, 'times', { atMost: 1.2 })
  console.log(`  ${ratio.toFixed(2)} of what it was with ${targets.length}`)
}

/** The edge against other ways to write it, on one Kafka; then its latency at half of what it can take. */
export const edge = async (form: keyof typeof SIZES = 'full'): Promise<void> => {
  const size = SIZES[form]
  const directory = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  const stack = await startStack({ engines: ['kafka', 'registry', 'postgres', 'clickhouse'] })
  const stops: (() => Promise<void>)[] = [() => rm(directory, { recursive: true, force: true }), stack.stop]
  try {
    const installation = await startPrograms(stack, quotasFor(size.endpoints), ['ingest', 'query-api'])
    stops.push(installation.remove)
    const targets = await createTargets(installation.baseUrl, size.endpoints)
    const targetsFile = join(directory, 'targets.json')
    await writeFile(targetsFile, JSON.stringify(targets))
    const ingestUrl = installation.programs.ingest[0]?.baseUrl ?? ''
    await untilKnown([ingestUrl], size.endpoints)

    const own: Peer = {
      name: 'assay ingest',
      url: ingestUrl,
      cpuSeconds: () => sumMetric([ingestUrl], 'process_cpu_seconds_total'),
      stop: async () => {},
    }
    const brokers = stack.urls.KAFKA_BROKERS ?? ''
    const others = [
      await startPeer('Fastify + kafkajs, a send a request', [
        'bench/peers/fastify.ts',
        'single',
        targetsFile,
        brokers,
      ]),
      await startPeer('Fastify + kafkajs, batched', ['bench/peers/fastify.ts', 'batched', targetsFile, brokers]),
      await startPeer('uWebSockets.js, HMAC and 200 only', ['bench/peers/uws.ts', targetsFile]),
    ]
    stops.push(...others.map(peer => peer.stop))
    const rounds = await compare([own, ...others], targets, size)
    report(rounds, own)

    const most = Math.max(...(rounds.get(own) ?? []).map(({ accepted, seconds }) => accepted / seconds))
    const rate = Math.floor(most * HALF)
    console.log(`\nAt a constant arrival rate of ${rate}/s, half of the most`)
    const half = await loadPeer(own, targets, { seconds: size.halfSeconds, rate })
    recordFigure('edge: p99 at half the most', half.latency.p99, 'ms', { atMost: HALF_P99_MS })
    console.log(`  ${describeRound(half)}`)
    if (form === 'full') await loadMany(own, stack.urls.DATABASE_URL ?? '', targets, rounds.get(own) ?? [])
  } finally {
    for (const stop of stops.toReversed()) await stop()
  }
}

const ENDPOINTS = 2000
const RATE = 500
const MEMORY_VIRTUAL_USERS = 200
const MINUTES = 10
const STALL_SECONDS = 60

/** The edge's memory over minutes of load, and over a broker that stands still with its connections open. */
export const edgeMemory = async (): Promise<void> => {
  const stack = await startStack({ engines: ['kafka', 'registry', 'postgres', 'clickhouse'] })
  try {
    const installation = await startPrograms(stack, quotasFor(ENDPOINTS), ['ingest', 'query-api'])
    const edge = installation.programs.ingest[0]?.baseUrl ?? ''
    const created = await createTargets(installation.baseUrl, ENDPOINTS)
    const targets = created.map(target => ({ ...target, url: target.url.replace(installation.baseUrl, edge) }))
    await untilKnown([edge], ENDPOINTS)

    const tell = async (when: string): Promise<void> => {
      const [resident, heap, inFlight] = await Promise.all(
        ['process_resident_memory_bytes', 'nodejs_heap_size_used_bytes', 'assay_ingest_in_flight_bytes'].map(name =>
          sumMetric([edge], name),
        ),
      )
      const mebibytes = [resident, heap, inFlight].map(bytes => ((bytes ?? 0) / 1024 / 1024).toFixed(1))
      console.log(`${when.padEnd(24)} resident ${mebibytes[0]} MiB, heap ${mebibytes[1]}, in flight ${mebibytes[2]}`)
    }
    const load = (seconds: number) => sendLoad({ targets, seconds, virtualUsers: MEMORY_VIRTUAL_USERS, rate: RATE })

    await tell('before')
    let isLoading = true
    const loading = load(MINUTES * 60).finally(() => {
      isLoading = false
    })
    for (let minute = 1; isLoading && minute <= MINUTES; minute += 1) {
      await Promise.race([delay(MINUTE_MS), loading])
      await tell(`${minute} min at ${RATE}/s`)
    }
    const { accepted, refused, latency } = await loading
    console.log(`${accepted} accepted, ${refused} refused, p99 ${latency.p99.toFixed(1)} ms`)

    stack.stallEngine('kafka')
    const stalled = load(STALL_SECONDS)
    for (let part = 1; part <= 4; part += 1) {
      await delay((STALL_SECONDS * 1000) / 4)
      await tell(`stalled for ${(STALL_SECONDS / 4) * part} s`)
    }
    stack.resumeEngine('kafka')
    const during = await stalled
    console.log(`${during.accepted} accepted, ${during.refused} refused while the broker stood still`)
    const after = await load(60)
    console.log(`${after.accepted} accepted, ${after.refused} refused in the minute after`)
    await tell('a minute after')
    await installation.remove()
  } finally {
    await stack.stop()
  }
}
