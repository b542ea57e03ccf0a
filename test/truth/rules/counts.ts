import type { Rule } from '../rules.ts'
import { signalsOf, type Truth } from '../truth.ts'

const inTriage = (truth: Truth) => signalsOf(truth).filter(({ state }) => state === 'triage')
const living = ({ claims }: Truth) => [...claims.values()].filter(({ mergedInto }) => mergedInto === null)

/** How much there is of everything. */
export const COUNTS: readonly Rule[] = [
  { numbers: /^orient_snapshot\.counts\.sources$/, expected: (_, { truth }) => truth.counts.sources },
  { numbers: /^orient_snapshot\.counts\.signals$/, expected: (_, { truth }) => signalsOf(truth).length },
  { numbers: /^orient_snapshot\.counts\.signals_in_triage$/, expected: (_, { truth }) => inTriage(truth).length },
  {
    numbers: /^orient_snapshot\.counts\.triage_by_classification\.\*$/,
    expected: ({ keys: [classification] }, { truth }) =>
      inTriage(truth).filter(one => one.classification === classification).length,
  },
  { numbers: /^orient_snapshot\.counts\.claims$/, expected: (_, { truth }) => living(truth).length },
  { numbers: /^orient_snapshot\.counts\.waiting_proposals$/, expected: (_, { truth }) => truth.counts.proposals },
  { numbers: /^orient_snapshot\.counts\.solutions$/, expected: (_, { truth }) => truth.solutions.size },
  { numbers: /^orient_snapshot\.counts\.map_nodes$/, expected: (_, { truth }) => truth.counts.nodes },
  {
    numbers: /^orient_snapshot\.counts\.waiting_dead_letters$/,
    expected: (_, { truth }) => truth.said.filter(({ fate }) => fate === 'dead letter').length,
  },
]
