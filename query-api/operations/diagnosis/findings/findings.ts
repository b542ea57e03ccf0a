import type { Facts } from '../facts.ts'
import { type Check, type Finding, SEVERITIES } from '../finding.ts'
import { findingsOfAway } from './away.ts'
import { METRIC_CHECKS } from './metrics.ts'
import { MODEL_CHECKS } from './models.ts'
import { PIPELINE_CHECKS } from './pipeline.ts'
import { REQUEST_CHECKS } from './requests.ts'
import { SOURCE_CHECKS } from './sources.ts'
import { WORK_CHECKS } from './work.ts'

const CHECKS: readonly Check[] = [
  ...SOURCE_CHECKS,
  ...PIPELINE_CHECKS,
  ...REQUEST_CHECKS,
  ...MODEL_CHECKS,
  ...METRIC_CHECKS,
  ...WORK_CHECKS,
]

/** What is wrong, the worst first. Nothing is found that the facts do not show. */
export const findingsOf = (facts: Facts): Finding[] =>
  worstFirst([...findingsOfAway(facts), ...CHECKS.flatMap(check => check(facts) ?? [])])

export const worstFirst = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted((left, right) => SEVERITIES.indexOf(left.severity) - SEVERITIES.indexOf(right.severity))
