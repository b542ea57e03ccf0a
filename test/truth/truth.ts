import type { Classification, SignalOrigin } from '../../schemas/domain/vocabulary.ts'

/** What became of what was sent. */
type Fate = 'signal' | 'repeat' | 'dead letter' | 'erased' | 'test'

/** One thing that was sent, and all that is true of it, as the test knows from having sent it. */
export interface Said {
  readonly id: string
  readonly text: string
  /** The address of whoever said it; null where nobody is named. */
  readonly actor: string | null
  readonly actorName: string | null
  readonly source: string
  readonly channel: string
  readonly origin: SignalOrigin
  /** Milliseconds since the epoch. */
  readonly occurredAt: number
  fate: Fate
  /** What it repeats, where it is a repeat. */
  original: Said | null
  classification: Classification
  state: 'triage' | 'accepted' | 'dismissed'
  /** The node of the map that it is at. */
  node: string | null
}

/** A claim, with the signals that are evidence of it. */
export interface TrueClaim {
  readonly reference: string
  readonly evidence: Set<Said>
  mergedInto: TrueClaim | null
}

interface TrueSolution {
  readonly reference: string
  readonly claims: Set<TrueClaim>
  state: string
}

/** Everything that is true of the workspace. */
export interface Truth {
  readonly said: Said[]
  readonly claims: Map<string, TrueClaim>
  readonly solutions: Map<string, TrueSolution>
  readonly counts: {
    sources: number
    nodes: number
    proposals: number
  }
}

/** Signals of their own. */
export const signalsOf = ({ said }: Pick<Truth, 'said'>): readonly Said[] =>
  said.filter(({ fate }) => fate === 'signal')
