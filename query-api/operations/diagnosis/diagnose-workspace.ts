import { isAssayError } from '../../../infra/runtime/errors.ts'
import { readOperation, Type } from '../define.ts'
import { listDepth } from '../parts/fields.ts'
import { beginningOf, lineOf, listed, listOf } from '../parts/lists.ts'
import { type Check, type Facts, Finding, readAway, readFacts, SEVERITIES } from './finding.ts'
import { findingsOfAway } from './findings/away.ts'

import { METRIC_CHECKS } from './findings/metrics.ts'
import { MODEL_CHECKS } from './findings/models.ts'
import { PIPELINE_CHECKS } from './findings/pipeline.ts'
import { REQUEST_CHECKS } from './findings/requests.ts'
import { SEARCH_CHECKS } from './findings/search.ts'
import { SOURCE_CHECKS } from './findings/sources.ts'
import { WORK_CHECKS } from './findings/work.ts'

const CHECKS: readonly Check[] = [
  ...SOURCE_CHECKS,
  ...PIPELINE_CHECKS,
  ...REQUEST_CHECKS,
  ...MODEL_CHECKS,
  ...METRIC_CHECKS,
  ...WORK_CHECKS,
  ...SEARCH_CHECKS,
]

/** Findings, worst first; each is supported by the facts. */
const findingsOf = (facts: Facts): Finding[] =>
  worstFirst([...findingsOfAway(facts), ...CHECKS.flatMap(check => check(facts) ?? [])])

const worstFirst = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted((left, right) => SEVERITIES.indexOf(left.severity) - SEVERITIES.indexOf(right.severity))

const LINE = ['finding', 'severity', 'since', 'evidence', 'mended_by'] as const

/** The figures of a finding are complete within this many tokens. */
const FIGURES_TOKENS = 45

/** A finding as a line, with the next call and its arguments. */
const toLine = (finding: Finding): object => {
  const { tool, mode, arguments: sent } = finding.next
  const evidence = beginningOf(finding.evidence, FIGURES_TOKENS)
  return { ...lineOf(finding, LINE), evidence, next: { tool, mode, arguments: sent } }
}

export const diagnoseWorkspace = readOperation({
  name: 'diagnose_workspace',
  title: 'Why the workspace does not behave as expected',
  summary:
    'Checks the whole workspace and answers findings, the worst first, each with its cause, the figures it was found by, since when, what ends it and who can, and the next call, arguments and all. What is away (a store, the processors, a model) is named first. No findings: everything that is checked is as it should be.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({ depth: listDepth }),
  output: Type.Object({
    healthy: Type.Boolean({ description: 'Nothing is broken or degraded.' }),
    count: Type.Integer(),
    items: listOf(Finding, [...LINE, 'next'], {
      description: 'All in one answer: one for each thing that is checked.',
    }),
  }),
  run: async (input, context) => {
    const [away, read] = await Promise.all([readAway(context.services), settled(readFacts(context))])
    const facts = unlessAway(away, read)
    const items =
      facts === null
        ? worstFirst(findingsOfAway({ now: context.services.now(), away }))
        : findingsOf({ ...facts, away })
    const healthy = items.every(({ severity }) => severity !== 'broken' && severity !== 'degraded')
    const { items: shown } = listed(input, items, { line: toLine, isWhole: true })
    return { data: { healthy, count: items.length, items: shown } }
  },
})

/** The outcome of a promise. Never rejects. */
const settled = async <Value>(promise: Promise<Value>): Promise<PromiseSettledResult<Value>> => {
  const [result] = await Promise.allSettled([promise])
  return result
}

/** Null when the facts could not be read because of a known outage. */
const unlessAway = <Value>(
  away: Awaited<ReturnType<typeof readAway>>,
  read: PromiseSettledResult<Value>,
): Value | null => {
  if (read.status === 'fulfilled') return read.value
  if (away.length > 0 && isAssayError(read.reason) && read.reason.retriable) return null
  throw read.reason
}
