import { createFeedback } from '../support/feedback.ts'
import { timed } from '../support/timing.ts'
import { createPortfolioFiller, type Portfolio } from './portfolio.ts'
import { startQuerySubject } from './subject.ts'

const SIZES: readonly Portfolio[] = [
  { signals: 10_000, claims: 500, solutions: 100 },
  { signals: 100_000, claims: 5000, solutions: 1000 },
]
const WARMING = 20
const CALLS = 200

/** Each call's tool and arguments, for the `n`-th time that it is made. */
const CALLS_MADE: Readonly<
  Record<string, (n: number, size: Portfolio, words: string) => readonly [string, Record<string, unknown>]>
> = {
  snapshot: () => ['service_orient', { mode: 'snapshot' }],
  'a claim': (n, { claims }) => ['service_lookup', { mode: 'claim', id: `CLM-${1 + ((n * 37) % claims)}` }],
  // Of the first filling: each has numbers of its own.
  'a Signal': n => ['service_lookup', { mode: 'signal', id: `SIG-${1 + ((n * 997) % 10_000)}` }],
  'a Solution': (n, { solutions }) => ['service_lookup', { mode: 'solution', id: `SOL-${1 + ((n * 7) % solutions)}` }],
  Triage: () => ['service_lookup', { mode: 'triage' }],
  board: () => ['service_lookup', { mode: 'backlog', limit: 20 }],
  'search, two words': (_n, _size, words) => [
    'service_lookup',
    { mode: 'search', query: words.split(' ').slice(2, 4).join(' ') },
  ],
  'search, a sentence': (_n, _size, words) => [
    'service_lookup',
    { mode: 'search', query: words.split(' ').slice(0, 9).join(' ') },
  ],
}

/** How long an agent waits for what it asks the most, as a workspace grows tenfold. */
export const reads = async (): Promise<void> => {
  const subject = await startQuerySubject()
  const { pool } = subject
  try {
    const fill = await createPortfolioFiller(pool, subject.workspaceId)
    const feedback = createFeedback(3)
    for (const size of SIZES) {
      await fill(size)
      console.log(`\n${size.signals} Signals, ${size.claims} claims, ${size.solutions} Solutions`)
      for (const [name, callOf] of Object.entries(CALLS_MADE)) {
        let n = 0
        const call = () => {
          const [tool, input] = callOf(n, size, feedback())
          n += 1
          return subject.agent.call(tool, input)
        }
        await timed(WARMING, call)
        const at = await timed(CALLS, call)
        console.log(`    ${name.padEnd(20)} median ${at(0.5).toFixed(1)} ms, p95 ${at(0.95).toFixed(1)} ms`)
      }
    }
  } finally {
    await subject.stop()
  }
}
