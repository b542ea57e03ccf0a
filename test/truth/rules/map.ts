import type { FoundNumber } from '../numbers.ts'
import { type Rule, rule } from '../rules.ts'
import { livingClaims, type Said, signalsOf, type Truth } from '../truth.ts'

const at = (truth: Truth, names: readonly string[]): readonly Said[] =>
  signalsOf(truth).filter(({ node }) => node !== null && names.includes(node))

/** The names of a node and of those below it. */
const below = (truth: Truth, name: string): readonly string[] => [
  name,
  ...[...truth.nodes].filter(([, parent]) => parent === name).map(([child]) => child),
]

/** A line has the path of the node alone. */
const nodeName = ({ owners: [node] }: FoundNumber): string => String(node?.name ?? [node?.path].flat().at(-1) ?? '')
const wholeNode = ({ owners }: FoundNumber): string => String(owners.at(-1)?.node?.name ?? '')

/** The claims that Signals at a node and below it are evidence of. */
const claimsAt = (truth: Truth, name: string): number => {
  const said = new Set(at(truth, below(truth, name)))
  return livingClaims(truth).filter(({ evidence }) => [...evidence].some(one => said.has(one))).length
}

/** What is at each part of the product. */
export const MAP_RULES: readonly Rule[] = [
  rule(/^orient_snapshot\.counts\.map_nodes$|^(read_map|outline_map)\.(count|nodes)$/, truth => truth.nodes.size),
  rule(/^read_map\.levels\.(shown|total)$/, () => 2),
  rule(
    /^(read_map|outline_map)\.items\[\]\.signals$|^lookup_node\.node\.signals$|^(add|update|move)_map_node\.signals$|^(un)?bind_metric\.signals$/,
    (truth, _, number) => at(truth, [nodeName(number)]).length,
  ),
  rule(/subtree_signals$/, (truth, _, number) => at(truth, below(truth, nodeName(number))).length),
  rule(/subtree_nodes$|\.children$/, (truth, _, number) => below(truth, nodeName(number)).length - 1),
  rule(/^lookup_node\.signals\.count$/, (truth, _, number) => at(truth, below(truth, wholeNode(number))).length),
  // One has a description, which is short.
  rule(/^lookup_node\.texts\.count$/, (_, { data }) => (data.node.description === '' ? 0 : 1)),
  rule(/^lookup_node\.claims\.count$/, (truth, _, number) => claimsAt(truth, wholeNode(number))),
  rule(/^lookup_node\.claims\.items\[\]\.signals$/, (truth, _, number) => {
    const claim = truth.claims.get(String(number.owners[0].reference))
    const said = new Set(at(truth, below(truth, wholeNode(number))))
    return claim === undefined ? null : [...claim.evidence].filter(one => said.has(one)).length
  }),
]
