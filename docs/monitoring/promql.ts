import { parser } from '@prometheus-io/lezer-promql'

/** What an expression of PromQL asks for. */
export interface PromqlQuery {
  /** The text around each place that is no PromQL. */
  readonly errors: readonly string[]
  readonly metrics: readonly { readonly name: string; readonly labels: readonly string[] }[]
  /** What it groups by. */
  readonly groupedBy: readonly string[]
}

type Node = ReturnType<ReturnType<typeof parser.parse>['cursor']>['node']

const textsOf = (node: Node, kind: string, of: (at: Node) => string): string[] => {
  const found: string[] = []
  node.cursor().iterate(at => {
    if (at.name === kind) found.push(of(at.node))
  })
  return found
}

/** Reads an expression with Prometheus' own grammar. Grafana's variables of time stand for five minutes. */
export const readPromql = (expression: string): PromqlQuery => {
  const source = expression.replaceAll('$__rate_interval', '5m')
  const text = ({ from, to }: Node): string => source.slice(from, to)
  const errors: string[] = []
  const metrics: PromqlQuery['metrics'][number][] = []
  const groupedBy: string[] = []
  const tree = parser.parse(source)
  tree.cursor().iterate(({ type, node }) => {
    if (type.isError) errors.push(source.slice(Math.max(0, node.from - 20), node.to + 20))
    if (type.name === 'VectorSelector') {
      const [name = ''] = textsOf(node, 'Identifier', text)
      metrics.push({ name, labels: textsOf(node, 'LabelName', text) })
    }
    if (type.name === 'GroupingLabels') groupedBy.push(...textsOf(node, 'LabelName', text))
  })
  return { errors, metrics, groupedBy }
}
