import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS } from '../../schemas/domain/durations.ts'
import { createFeedback } from '../support/feedback.ts'
import { recordFigure, timed } from '../support/measuring.ts'
import { createPortfolioFiller, LARGEST, type Portfolio } from './portfolio.ts'
import { startQuerySubject } from './subject.ts'

const SIZES: readonly Portfolio[] = [
  { signals: 10_000, claims: 500, solutions: 100 },
  { signals: 100_000, claims: 5000, solutions: 1000 },
]
const WARMING = 20
/** Of the p95. */
const ASKED = { readMs: 20, searchMs: 50 }
const ASKED_OF_LARGEST = { readMs: 30, searchMs: 100 }
const CALLS = 200

/** Each call's tool and arguments, for the `n`-th time that it is made. */
const CALLS_MADE: Readonly<
  Record<string, (n: number, size: Portfolio, words: string) => readonly [string, Record<string, unknown>]>
> = {
  snapshot: () => ['service_orient', { mode: 'snapshot' }],
  'a claim': (n, { claims }) => ['service_lookup', { mode: 'claim', id: `CLM-${1 + ((n * 37) % claims)}` }],
  'a claim of the most': n => ['service_lookup', { mode: 'claim', id: `CLM-${1 + (n % 10)}` }],
  // Of the first filling: each has numbers of its own.
  'a Signal': n => ['service_lookup', { mode: 'signal', id: `SIG-${1 + ((n * 997) % 10_000)}` }],
  'a Solution': (n, { solutions }) => ['service_lookup', { mode: 'solution', id: `SOL-${1 + ((n * 7) % solutions)}` }],
  'a brief': (n, { solutions }) => ['service_lookup', { mode: 'context', id: `SOL-${1 + ((n * 7) % solutions)}` }],
  'why a Solution is there': (n, { solutions }) => [
    'service_lookup',
    { mode: 'explain', solution_id: `SOL-${1 + ((n * 7) % solutions)}` },
  ],
  Triage: () => ['service_lookup', { mode: 'triage' }],
  board: () => ['service_lookup', { mode: 'backlog', limit: 20 }],
  'my changes': () => ['service_orient', { mode: 'my_changes' }],
  'changes of a day': () => ['service_orient', { mode: 'changes', since: new Date(Date.now() - DAY_MS).toISOString() }],
  sources: () => ['service_orient', { mode: 'connections' }],
  diagnose: () => ['service_support', { mode: 'diagnose' }],
  'a Signal, step by step': n => ['service_support', { mode: 'signal', id: `SIG-${1 + ((n * 997) % 10_000)}` }],
  'the ledger': () => ['service_support', { mode: 'ledger' }],
  'a rare speaker': () => ['service_lookup', { mode: 'signals', actor_name: 'rosalind achterberg' }],
  'a speaker of one in seven': n => ['service_lookup', { mode: 'signals', actor_name: `Customer ${n % 7}` }],
  'an account': n => ['service_lookup', { mode: 'signals', account: `account-${n % 400}` }],
  'metadata of a third': () => ['service_lookup', { mode: 'signals', metadata: { plan: 'team' } }],
  'metadata that nobody has': n => ['service_lookup', { mode: 'signals', metadata: { plan: `unheard-of ${n}` } }],
  'search, two words': (_n, _size, words) => [
    'service_lookup',
    { mode: 'search', query: words.split(' ').slice(2, 4).join(' ') },
  ],
  'search, a sentence': (_n, _size, words) => [
    'service_lookup',
    { mode: 'search', query: words.split(' ').slice(0, 9).join(' ') },
  ],
}

/** It counts all that ever came, in both stores: of a million signals that takes seconds, and is answered again. */
const COUNTED = 'the ledger'

/** Of these the answer is a refusal, with what there is. */
const REFUSED = new Set(['metadata that nobody has'])
const CHANGES = 300

/** Changes of the agent's own: as many as a busy day has. */
const makeChanges = async ({ agent }: Awaited<ReturnType<typeof startQuerySubject>>): Promise<void> => {
  for (let n = 1; n <= CHANGES; n += 1) {
    const change = { solution_id: `SOL-${1 + (n % 100)}`, priority_boost: 1.1 + (n % 7) / 100, comment: 'Agreed.' }
    await agent.call('service_decide', { mode: 'prioritize', ...change })
  }
}

const LOOK_EVERY_MS = 500

/** The first search is answered by what was read so far; those that are measured, by all. */
const untilSearchIsWhole = async ({ agent }: Awaited<ReturnType<typeof startQuerySubject>>): Promise<void> => {
  const began = performance.now()
  const search = async () =>
    (await agent.call<{ is_partial?: boolean }>('service_lookup', { mode: 'search', query: 'export' })).data
  const since = () => ((performance.now() - began) / 1000).toFixed(1)
  let { is_partial: isPartial = false } = await search()
  console.log(`    the first search     ${since()} s`)
  while (isPartial) {
    await sleep(LOOK_EVERY_MS)
    isPartial = (await search()).is_partial ?? false
  }
  console.log(`    a search of all      ${since()} s`)
}

/** How long an agent waits for what it asks the most, as a workspace grows tenfold. */
export const reads = async (flags: readonly string[]): Promise<void> => {
  const sizes = flags.includes('--largest') ? [...SIZES, LARGEST] : SIZES
  const subject = await startQuerySubject()
  try {
    const fill = await createPortfolioFiller(subject)
    const feedback = createFeedback(3)
    for (const size of sizes) {
      const asked = size === LARGEST ? ASKED_OF_LARGEST : ASKED
      await fill(size)
      await makeChanges(subject)
      console.log(`\n${size.signals} Signals, ${size.claims} claims, ${size.solutions} Solutions`)
      await untilSearchIsWhole(subject)
      for (const [name, callOf] of Object.entries(CALLS_MADE)) {
        let n = 0
        const call = () => {
          const [tool, input] = callOf(n, size, feedback())
          n += 1
          const answer = subject.agent.call(tool, input)
          return REFUSED.has(name) ? answer.catch(() => undefined) : answer
        }
        if (name === COUNTED) console.log(`    counted for the first time ${(await timed(1, call))(0.5).toFixed(0)} ms`)
        await timed(WARMING, call)
        const at = await timed(CALLS, call)
        const atMost = name.startsWith('search') ? asked.searchMs : asked.readMs
        recordFigure(`reads: ${name}: p95`, at(0.95), 'ms', { atMost, at: size.signals })
        console.log(`    ${name.padEnd(20)} median ${at(0.5).toFixed(1)} ms, p95 ${at(0.95).toFixed(1)} ms`)
      }
    }
  } finally {
    await subject.stop()
  }
}
