import type { Classification, SignalOrigin } from '../../schemas/domain/vocabulary.ts'

/** What became of what was sent. */
type Fate = 'signal' | 'repeat' | 'dead letter' | 'erased' | 'test'

/** One thing that was sent, and all that is true of it, as the test knows from having sent it. */
export interface Said {
  id: string
  /** `SIG-7`, as the service names it; null for what has no row of its own. */
  reference: string | null
  readonly text: string
  /** The address of whoever said it; null where nobody is named. */
  readonly actor: string | null
  readonly actorName: string | null
  readonly account: string | null
  /** The sender's own word for where it comes from. */
  readonly source: string
  /** The id of the source that it was sent to. */
  readonly sourceId: string
  readonly channel: string
  readonly origin: SignalOrigin
  readonly role: string
  /** Milliseconds since the epoch. */
  readonly occurredAt: number
  fate: Fate
  /** Whether it was a repeat when it came. */
  readonly wasRepeat: boolean
  /** What it repeats, where it is a repeat. */
  original: Said | null
  classification: Classification
  /** What the service classified it as when it came. */
  readonly classifiedAs: Classification
  state: 'triage' | 'accepted' | 'dismissed'
  snoozed: boolean
  /** Whether a person classified it anew. */
  corrected: boolean
  /** Of a dead letter: somebody gave it up. */
  discarded: boolean
  /** The name of the node of the map that it is at. */
  node: string | null
}

/** A claim, with the signals that are evidence of it. */
export interface TrueClaim {
  readonly reference: string
  readonly kind: 'problem' | 'idea'
  readonly evidence: Set<Said>
  mergedInto: TrueClaim | null
  /** All of its signals are. */
  isDismissed: boolean
}

export interface TrueSolution {
  readonly reference: string
  readonly claims: Set<TrueClaim>
  state: string
  boost: number
  rank: number | null
  notes: number
  handoffs: number
  decisions: number
  /** Its Living Document, version by version. */
  readonly documents: string[]
}

/** Everything that is true of the workspace. */
export interface Truth {
  readonly said: Said[]
  readonly claims: Map<string, TrueClaim>
  readonly solutions: Map<string, TrueSolution>
  /** Requests that endpoints refused, by the id of the source. */
  readonly refused: Map<string, number>
  /** The ids of the sources by their names. */
  readonly sourceNames: Map<string, string>
  /** Nodes of the map, with the name of the one above. */
  readonly nodes: Map<string, string | null>
  merges: number
  /** The pairs of claims that the judge finds to be two. */
  readonly keptApart: Set<string>
  /** What people decided on by the first Decision. */
  decidedFirst: readonly Said[]
  /** How much each erasure took, the first one first. */
  readonly erasures: number[]
  /** Claims that erasures left without evidence. */
  emptiedClaims: number
  /** How often a claim was dismissed, or emerged again, with its signals. */
  followedClaims: number
  /** How many comments there are, by the reference of what they are on. */
  readonly comments: Map<string, number>
  /** Decisions that were made. */
  decisions: number
  /** Changes of the state of a Solution, its creation not among them. */
  moves: number
  /** The references of the Solutions that have an Outcome. */
  readonly outcomes: string[]
  /** When people worked on it, in milliseconds since the epoch. */
  madeAt: number
  /** The id of the saved Product Review. */
  review: string | null
  /** Events that the code host sent, signals among them. */
  codeHostEvents: number
  readonly metricPoints: { readonly day: string; readonly value: number }[]
}

/** Signals of their own. */
export const signalsOf = ({ said }: Truth): readonly Said[] => said.filter(({ fate }) => fate === 'signal')

export const deadOf = ({ said }: Truth): readonly Said[] => said.filter(({ fate }) => fate === 'dead letter')

/** How many dead letters nobody gave up. */
export const waitingDead = (truth: Truth): number => deadOf(truth).filter(({ discarded }) => !discarded).length

/** How many Solutions are in a state. */
export const inState = ({ solutions }: Truth, state: string): number =>
  [...solutions.values()].filter(one => one.state === state).length

export const inTriage = (truth: Truth): readonly Said[] =>
  signalsOf(truth).filter(({ state, snoozed }) => state === 'triage' && !snoozed)

export const livingClaims = ({ claims }: Truth): readonly TrueClaim[] =>
  [...claims.values()].filter(({ mergedInto }) => mergedInto === null)

export const repeatsOf = ({ said }: Truth, original: Said): readonly Said[] =>
  said.filter(one => one.fate === 'repeat' && one.original === original)

/** One person is one actor wherever their address is known; else one name of a source. */
export const actorOf = ({ actor, actorName, source }: Said): string => actor ?? `${source} ${actorName}`

/** What is behind claims: signals and their repeats, what was dismissed left out. */
export const standingBehind = (truth: Truth, claims: Iterable<TrueClaim>): readonly Said[] => {
  const evidence = new Set([...claims].flatMap(claim => [...claim.evidence]))
  const standing = [...evidence].filter(({ fate, state }) => fate === 'signal' && state !== 'dismissed')
  return standing.flatMap(one => [one, ...repeatsOf(truth, one)])
}

export const actorsOf = (said: readonly Said[]): number => new Set(said.map(actorOf)).size

const ORIGIN_WEIGHTS = { customer: 1, operational: 0.7, internal: 0.4 } as const
const HALF_LIFE_DAYS = 90
const DAY_MS = 86_400_000

/** How much of what is said weighs as of a moment: half as much after 90 days, by who says it. */
export const weightOf = (said: readonly Said[], at: number): number =>
  said.reduce(
    (sum, { origin, occurredAt }) =>
      sum + ORIGIN_WEIGHTS[origin] * 0.5 ** ((at - occurredAt) / DAY_MS / HALF_LIFE_DAYS),
    0,
  )

/** The sum over actors of ln(1 + the sum of their weights), as of a moment. */
export const priorityOf = (said: readonly Said[], at: number): number =>
  [...Map.groupBy(said, actorOf).values()].reduce((sum, ofOne) => sum + Math.log(1 + weightOf(ofOne, at)), 0)
