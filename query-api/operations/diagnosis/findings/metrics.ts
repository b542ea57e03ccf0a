import type { MetricFacts } from '../../../../model/diagnosis/pipeline-facts.ts'
import { DAY_MS } from '../../../../schemas/domain/durations.ts'
import { counted } from '../../../../schemas/domain/for-people.ts'
import { type Check, daysBefore, type Finding, named } from '../finding.ts'

/** Metrics without values, or without readers. */

const SILENT_AFTER_DAYS = 7

type Rule = Omit<Finding, 'evidence'> & { readonly describe: (first: MetricFacts) => string }

const finding = (found: readonly MetricFacts[], rule: (first: MetricFacts) => Rule): Finding | null => {
  const [first] = found
  if (first === undefined) return null
  const { describe, ...known } = rule(first)
  return { ...known, evidence: `${found.length}: ${named(found)}; the first ${describe(first)}.` }
}

const sourceCall = ({ id }: MetricFacts, reason: string): Finding['next'] => ({
  tool: 'service_support',
  mode: 'source',
  arguments: { id },
  reason,
})

/** Day of the last point, or of the metric's creation. */
const dayOf = ({ last_point_at: last, age_days: age }: MetricFacts, now: Date): string =>
  last?.toISOString() ?? daysBefore(now, age)

const silent: Check = ({ metrics, now }) => {
  const since = now.getTime() - SILENT_AFTER_DAYS * DAY_MS
  const found = metrics.filter(
    ({ is_receiving, paused, last_point_at: last }) =>
      is_receiving && !paused && last !== null && last.getTime() < since,
  )
  return finding(found, first => ({
    finding: 'metric_silent',
    severity: 'degraded',
    cause: 'Metrics that had points get none any more: their nodes show what was.',
    next: sourceCall(first, 'Shows whether its requests are refused.'),
    remedy: 'Look at the job that sends them; its request is right if it looks like that of service_connect mode test.',
    since: dayOf(first, now),
    mended_by: 'sender',
    describe: ({ last_point_at: last }) => `had its last point received ${last?.toISOString() ?? 'never'}`,
  }))
}

const withoutPoints: Check = ({ metrics, now }) =>
  finding(
    metrics.filter(({ is_receiving, paused, age_days: age, last_point_at: last }) => {
      return is_receiving && !paused && last === null && age >= 1
    }),
    first => ({
      finding: 'metric_without_points',
      severity: 'degraded',
      cause: 'Metric webhooks were made and never received a point.',
      next: {
        ...sourceCall(first, 'A right request, ready but for the secret.'),
        tool: 'service_connect',
        mode: 'test',
      },
      remedy: 'Set up what sends them, or have a person delete the webhook.',
      since: daysBefore(now, first.age_days),
      mended_by: 'sender',
      describe: ({ age_days: age }) => `was made ${counted(Math.floor(age), 'day')} ago and has 0 points`,
    }),
  )

const unbound: Check = ({ metrics, now }) =>
  finding(
    metrics.filter(
      ({ is_receiving, last_point_at: last, node_id: node }) => is_receiving && last !== null && node === null,
    ),
    first => ({
      finding: 'metric_unbound',
      severity: 'note',
      cause: 'Metrics receive points and are bound to no node of the map, where people would see them.',
      next: {
        tool: 'service_map',
        mode: 'read',
        arguments: { depth: 'summary' },
        reason: 'Shows the nodes that it may be bound to.',
      },
      remedy: 'Bind them with service_map mode bind_metric, each with the direction that is good.',
      since: daysBefore(now, first.age_days),
      mended_by: 'member',
      describe: ({ last_point_at: last }) => `had a point received ${last?.toISOString() ?? 'never'}, with 0 bindings`,
    }),
  )

const deleted: Check = ({ metrics, now }) =>
  finding(
    metrics.filter(({ is_receiving }) => !is_receiving),
    first => ({
      finding: 'metric_deleted',
      severity: 'waiting',
      cause: 'Nodes show metrics whose webhook was deleted: no more points come.',
      next: {
        tool: 'service_map',
        mode: 'unbind_metric',
        arguments: { id: first.node_id, metric_id: first.id },
        reason: 'Takes the first off its node; its points stay.',
      },
      remedy: 'Unbind them, and bind what replaced them.',
      since: dayOf(first, now),
      mended_by: 'member',
      describe: ({ last_point_at: last }) => `had its last point received ${last?.toISOString() ?? 'never'}`,
    }),
  )

export const METRIC_CHECKS: readonly Check[] = [silent, withoutPoints, unbound, deleted]
