import { counted, plural } from '../../../../schemas/domain/for-people.ts'
import { reference } from '../../../../schemas/domain/vocabulary.ts'
import { type Check, daysBefore, type Facts, type Finding } from '../finding.ts'

/** Findings about jobs and waiting work. */

type Trouble = Facts['work']['jobs'][number]['trouble']

const TROUBLES: Readonly<Record<Trouble, Omit<Finding, 'evidence' | 'next' | 'since'>>> = {
  failed: {
    finding: 'job_failed',
    severity: 'degraded',
    cause: 'Long work on the workspace failed, and was not done since.',
    mended_by: 'member',
    remedy:
      'Remove what the message names, then start it with service_support mode start_job; a replay with mode replay.',
  },
  standing_still: {
    finding: 'job_standing_still',
    severity: 'degraded',
    mended_by: 'operator',
    cause: 'Long work is running and nobody works on it: the processors are down, or busy with other work.',
    remedy: 'An operator checks that the processors run; the job goes on by itself.',
  },
  waiting: {
    finding: 'job_waiting',
    severity: 'degraded',
    cause: 'Long work waits for something that is away.',
    mended_by: 'operator',
    remedy: 'An operator looks at what the message names; the job goes on by itself.',
  },
}

const jobIn =
  (trouble: Trouble): Check =>
  ({ work: { jobs }, now }) => {
    const found = jobs.filter(job => job.trouble === trouble)
    if (found.length === 0) return null
    const descriptions = found.map(
      ({ kind, done, total, minutes, message }) =>
        `${kind} at ${done} of ${total ?? 'an unknown number'}, ${counted(minutes, 'minute')} ago${message === null ? '' : `: ${message.slice(0, 200)}`}`,
    )
    return {
      ...TROUBLES[trouble],
      since: daysBefore(now, Math.max(...found.map(({ minutes }) => minutes)) / (24 * 60)),
      evidence: `${descriptions.join('; ')}.`,
      next: { tool: 'service_support', mode: 'jobs', arguments: {}, reason: 'Shows them with progress and message.' },
    }
  }

const OLD_AFTER_DAYS = 7

const proposals: Check = ({
  work: { waiting_proposals: count, set_aside_proposals: aside, oldest_proposal_days: days },
  now,
}) => {
  if (count === 0) return null
  const old = (days ?? 0) >= OLD_AFTER_DAYS
  return {
    finding: old ? 'old_proposals' : 'waiting_proposals',
    severity: 'waiting',
    cause: old
      ? 'Pairs of claims that look alike have waited for a person for a week or longer.'
      : 'Pairs of claims look alike, and neither a judge nor a person has confirmed that they are the same problem.',
    since: daysBefore(now, days ?? 0),
    mended_by: 'member',
    evidence: `${count} waiting, the oldest for ${counted(Math.floor(days ?? 0), 'day')}.${aside === 0 ? '' : ` ${aside} less likely ones are set aside.`}`,
    next: {
      tool: 'service_lookup',
      mode: 'merge_groups',
      arguments: { depth: 'summary' },
      reason: 'Lists the pairs to confirm or refuse, by claim.',
    },
    remedy: 'Confirm or refuse them with service_decide mode triage; an operator can configure a judge (JUDGE_URL).',
  }
}

const TRIAGE_CALL = { tool: 'service_lookup', mode: 'triage', arguments: {}, reason: 'Lists them.' } as const
const TRIAGE_REMEDY = 'Accept, dismiss or reclassify them with service_decide mode triage.'

const oldTriage: Check = ({ evidence: { triage_signals: count, oldest_triage_days: days }, now }) =>
  days === null || days < OLD_AFTER_DAYS
    ? null
    : {
        finding: 'old_triage',
        severity: 'waiting',
        cause: 'Nobody has decided on Signals for a week or longer.',
        since: daysBefore(now, days),
        mended_by: 'member',
        evidence: `${count} in Triage, the oldest for ${counted(Math.floor(days), 'day')}.`,
        next: TRIAGE_CALL,
        remedy: TRIAGE_REMEDY,
      }

/** More than a person works off in passing. */
const PILE = 200

const triagePilesUp: Check = ({ evidence: { triage_signals: count, oldest_triage_days: days, signals }, now }) =>
  count < PILE
    ? null
    : {
        finding: 'triage_piles_up',
        severity: 'waiting',
        cause: 'More Signals arrive than are decided on.',
        since: daysBefore(now, days ?? 0),
        mended_by: 'member',
        evidence: `${count} of ${counted(signals, 'Signal')} ${plural(signals, 'is', 'are')} in Triage.`,
        next: TRIAGE_CALL,
        remedy: TRIAGE_REMEDY,
      }

const mergedHandoffs: Check = ({ work: { merged_solutions: numbers, merged_days: days }, now }) => {
  const [first] = numbers
  if (first === undefined) return null
  const names = numbers.slice(0, 5).map(number => reference('solution', number))
  return {
    finding: 'merged_pull_requests',
    severity: 'waiting',
    cause: 'Pull requests that name Solutions were merged, and nobody has decided what that means for them.',
    since: daysBefore(now, days ?? 0),
    mended_by: 'member',
    evidence: `${counted(numbers.length, 'Solution')} that ${plural(numbers.length, 'is', 'are')} Planned or In Progress: ${names.join(', ')}.`,
    next: {
      tool: 'service_lookup',
      mode: 'solution',
      arguments: { id: names[0] },
      reason: 'Shows the pull requests and the moves that the Solution may make.',
    },
    remedy: 'A person decides; service_decide moves the Solution by that Decision.',
  }
}

const unusedKeys: Check = ({ unused_keys: keys, now }) => {
  const [first] = keys
  if (first === undefined) return null
  const descriptions = keys.slice(0, 5).map(({ label, last_four: four, days, ever_used: used }) => {
    const shown = Array.from(label).slice(0, 60).join('')
    return `"${shown}" (…${four}) ${used ? 'last used' : 'made and never used'} ${counted(days, 'day')} ago`
  })
  return {
    finding: 'unused_keys',
    severity: 'note',
    cause: 'Keys that nobody uses can still be used by whoever finds them.',
    since: daysBefore(now, first.days),
    mended_by: 'owner',
    evidence: `${keys.length}: ${descriptions.join('; ')}.`,
    next: {
      tool: 'service_analyze',
      mode: 'activity',
      arguments: {
        metrics: ['count'],
        group_by: ['actor'],
        filters: [{ field: 'kind', op: 'in', values: ['tool.call'] }],
      },
      reason: 'Shows who calls the tools.',
    },
    remedy: 'Their owner deletes them in the app under Settings → Account → Connect agents.',
  }
}

export const WORK_CHECKS: readonly Check[] = [
  jobIn('failed'),
  jobIn('standing_still'),
  jobIn('waiting'),
  proposals,
  oldTriage,
  triagePilesUp,
  mergedHandoffs,
  unusedKeys,
]
