import { ordinalOf, STUCK_AFTER_MINUTES } from '../../../../model/diagnosis/pipeline-facts.ts'
import { MINUTE_MS } from '../../../../schemas/domain/durations.ts'
import { counted } from '../../../../schemas/domain/for-people.ts'
import { type Fault, REFUSED_BY_MODEL, reference, STEPS } from '../../../../schemas/domain/vocabulary.ts'
import { REFUSED_TEXT_REMEDY } from '../../parts/signal-status.ts'
import { type Check, daysBefore, type Facts, type Finding } from '../finding.ts'

/** Findings about signals that do not come through. */

const PIPELINE_CALL = { tool: 'service_support', mode: 'pipeline', arguments: {} } as const

/** All signals wait for these; the outage has its own finding, so no step is blamed. */
const HALTING: ReadonlySet<string> = new Set(['database', 'log', 'registry', 'processors', 'embedder'])
const halts = (away: Facts['away']): boolean => away.some(({ name }) => HALTING.has(name))

const RELAYED_WITHIN_MINUTES = 5

const processorsSilent: Check = ({ work: { relay_minutes: minutes }, now, away }) =>
  minutes === null || minutes < RELAYED_WITHIN_MINUTES || halts(away)
    ? null
    : {
        finding: 'processors_silent',
        severity: 'broken',
        cause: 'The processors do not take what the tools write for them: they are down, or cannot reach the log.',
        since: daysBefore(now, minutes / (24 * 60)),
        mended_by: 'operator',
        evidence: `The oldest activity has waited ${counted(Math.floor(minutes), 'minute')}; usual is a second.`,
        next: { ...PIPELINE_CALL, reason: 'Shows when each step last did something.' },
        remedy: 'An operator starts the processors, and looks at their log and probes.',
      }

const stepsPaused: Check = ({ paused, now }) => {
  const [first] = paused
  if (first === undefined) return null
  const descriptions = paused.map(({ step, reason, paused_at: at }) => {
    const minutes = Math.max(0, Math.floor((now.getTime() - at.getTime()) / MINUTE_MS))
    return `${step} for ${counted(minutes, 'minute')}: ${reason.slice(0, 200)}`
  })
  return {
    finding: 'steps_paused',
    severity: 'degraded',
    cause: 'People hold steps of the pipeline still, in the whole installation: what comes for them waits on the log.',
    since: first.paused_at.toISOString(),
    mended_by: 'operator',
    evidence: descriptions.join('; '),
    next: { ...PIPELINE_CALL, reason: 'Shows what is paused, and what each step did in the last hour.' },
    remedy:
      'An owner of those who run the installation resumes them in the app under Pipeline. Nothing is lost meanwhile.',
  }
}

/**
 * Signals that wait for a step. Signals before a retry are left out, because another system is unavailable; so are
 * signals that may wait before a paused step, or before a step that hands over to a paused one in memory.
 */
const stuckOf = ({ steps, paused, away }: Facts) => {
  if (halts(away)) return []
  const held = Math.max(0, ...paused.map(({ step }) => ordinalOf(step)))
  return (steps?.stuck ?? []).filter(({ outcome, reached }) => outcome !== 'retry' && reached >= held)
}

const oldestOf = (signals: readonly { readonly received_ms: number }[]): number =>
  signals.reduce((oldest, { received_ms }) => Math.min(oldest, received_ms), Number.POSITIVE_INFINITY)

/** Steps that have taken no signal newer than the oldest that waits: a slow step takes other signals meanwhile. */
const unservedOf = (facts: Facts): readonly { readonly step: string; readonly signals: number }[] => {
  const waiting = Map.groupBy(stuckOf(facts), ({ reached }) => reached + 1)
  return [...waiting].flatMap(([ordinal, signals]) => {
    const step = STEPS[ordinal - 1]
    const oldest = oldestOf(signals)
    const newest = facts.steps?.steps.find(figures => figures.step_ordinal === ordinal)?.newest_ms ?? 0
    return step === undefined || newest >= oldest ? [] : [{ step, signals: signals.length }]
  })
}

const segmentNotServed: Check = facts => {
  const [first, ...others] = unservedOf(facts)
  if (first === undefined) return null
  const descriptions = [first, ...others].map(({ step, signals }) => `${signals} before ${step}`).join(', ')
  return {
    finding: 'segment_not_served',
    severity: 'broken',
    cause: `No processor takes signals at the step ${first.step}: the segment that begins there, or with a step before it, is hosted by nobody.`,
    since: new Date(oldestOf(stuckOf(facts))).toISOString(),
    mended_by: 'operator',
    evidence: `Older than ${STUCK_AFTER_MINUTES} minutes: ${descriptions}; the step took none since.`,
    next: { ...PIPELINE_CALL, reason: 'Shows which steps worked in the last hour.' },
    remedy:
      'An operator starts a processor for it: --segments (PIPELINE_SEGMENTS) of all processes together names every head.',
  }
}

const stuckSignals: Check = facts => {
  const unserved = new Set(unservedOf(facts).map(({ step }) => step))
  const found = stuckOf(facts).filter(({ reached }) => !unserved.has(STEPS[reached] ?? ''))
  const [oldest] = found
  if (oldest === undefined) return null
  return {
    finding: 'stuck_signals',
    severity: 'broken',
    cause:
      'Signals were received and reached no end, while others went through: a step is behind, or waits for a dependency.',
    since: new Date(oldest.received_ms).toISOString(),
    mended_by: 'operator',
    evidence: `${found.length} of the last day, older than ${STUCK_AFTER_MINUTES} minutes; the oldest since ${new Date(oldest.received_ms).toISOString()}.`,
    next: {
      tool: 'service_support',
      mode: 'signal',
      arguments: { id: oldest.subject_id },
      reason: 'Shows the oldest of them, step by step.',
    },
    remedy: 'An operator checks that the processors run and that their database and models answer.',
  }
}

const retrying: Check = ({ steps, away }) => {
  if (halts(away)) return null
  const found = (steps?.stuck ?? []).filter(({ outcome }) => outcome === 'retry')
  const [oldest] = found
  if (oldest === undefined) return null
  return {
    finding: 'retrying_signals',
    severity: 'degraded',
    cause: `Signals wait to be tried again at ${STEPS[oldest.reached - 1] ?? 'a step'}: what it needs does not answer as it should.`,
    since: new Date(oldest.received_ms).toISOString(),
    mended_by: 'operator',
    evidence: `${found.length} of the last day, older than ${STUCK_AFTER_MINUTES} minutes; the oldest failed last with: ${oldest.reason.slice(0, 200)}`,
    next: {
      tool: 'service_support',
      mode: 'signal',
      arguments: { id: oldest.subject_id },
      reason: 'Shows its attempts and their reasons.',
    },
    remedy:
      'An operator looks at what the reason names. Attempts go on by themselves; after the last the signal is a dead letter.',
  }
}

const SLOW_AFTER_MS = 60_000

const lag: Check = ({ steps, now }) => {
  const insert = steps?.steps.find(({ step_ordinal }) => step_ordinal === ordinalOf('insert'))
  if (insert === undefined || insert.passed === 0 || insert.p95_elapsed_ms < SLOW_AFTER_MS) return null
  return {
    finding: 'lag',
    severity: 'degraded',
    cause: 'Signals take long from receipt to being stored: the processors are behind, or a model is slow.',
    since: daysBefore(now, 1 / 24),
    mended_by: 'operator',
    evidence: `p95 ${Math.round(insert.p95_elapsed_ms / 1000)} s over ${counted(insert.passed, 'signal')} of the last hour; usual is below 2 s.`,
    next: { ...PIPELINE_CALL, reason: 'Shows how long each step takes.' },
    remedy: 'Wait while a backlog is worked off; else an operator adds processors, or a faster model.',
  }
}

const OURS = {
  severity: 'broken',
  cause: 'Signals died in the pipeline through no fault of their sender.',
  remedy: 'Remove the cause that the letters name, then send them again with service_support mode replay.',
} as const

/** By the gravest fault among the letters. */
const WHAT_DIED = {
  ours: OURS,
  transient: OURS,
  too_costly: {
    severity: 'degraded',
    cause: 'Signals used up the CPU that one record may cost, and were ended; the others went on.',
    remedy:
      'See what their source sends, and pause it if it does so on purpose. Send them again with service_support mode replay once the step costs less or an operator has raised STEP_CPU_BUDGET_MS, or give them up with mode discard.',
  },
  sender: {
    severity: 'degraded',
    cause: 'Senders sent what cannot become a Signal.',
    remedy: 'Correct what the senders send, as the letters say; give these up with service_support mode discard.',
  },
} as const satisfies Readonly<Record<Exclude<Fault, 'automatic'>, Pick<Finding, 'severity' | 'cause' | 'remedy'>>>

const MENDED_BY = {
  ours: 'operator',
  transient: 'operator',
  too_costly: 'sender',
  sender: 'sender',
} as const satisfies Readonly<Record<Exclude<Fault, 'automatic'>, Finding['mended_by']>>

const GRAVEST = ['ours', 'transient', 'too_costly', 'sender'] as const

const isRefusedText = ({ error_class: errorClass }: Facts['work']['dead_letters'][number]): boolean =>
  errorClass === REFUSED_BY_MODEL

const totalOf = (groups: Facts['work']['dead_letters']): number => groups.reduce((sum, { waiting }) => sum + waiting, 0)

const deadLetters: Check = ({ work: { dead_letters: all }, now }) => {
  const waiting = all.filter(group => !isRefusedText(group))
  const [most] = waiting
  if (most === undefined) return null
  const groups = waiting.map(({ step, fault, waiting: count }) => `${count} at ${step} (fault: ${fault})`).join(', ')
  const worst = GRAVEST.find(one => waiting.some(({ fault }) => fault === one)) ?? 'ours'
  return {
    finding: 'dead_letters',
    ...WHAT_DIED[worst],
    evidence: `${totalOf(waiting)} waiting: ${groups}.`,
    since: daysBefore(now, Math.max(...waiting.map(({ days }) => days))),
    mended_by: MENDED_BY[worst],
    next: {
      ...PIPELINE_CALL,
      arguments: { step: most.step },
      reason: 'Lists the dead letters with reason and attempts.',
    },
  }
}

const refusedTexts: Check = ({ work: { dead_letters: all }, now }) => {
  const refused = all.filter(isRefusedText)
  const [most] = refused
  if (most === undefined) return null
  return {
    finding: 'texts_refused_by_model',
    severity: 'broken',
    cause: 'A model refuses texts for good, while it answers others: these Signals are not stored.',
    evidence: `${totalOf(refused)} at ${most.step}. ${most.message ?? ''}`.trim(),
    since: daysBefore(now, Math.max(...refused.map(({ days }) => days))),
    mended_by: 'sender',
    next: {
      tool: 'service_support',
      mode: 'dead_letter',
      arguments: { signal_id: most.signal_id, step: most.step },
      reason: 'Shows the newest of them, text and all.',
    },
    remedy: REFUSED_TEXT_REMEDY,
  }
}

const diedAgain: Check = ({ work: { dead_letters: waiting }, now }) => {
  const found = waiting.filter(({ dead_lettered_again: again }) => again > 0)
  const [first] = found
  if (first === undefined) return null
  return {
    finding: 'replays_die_again',
    severity: 'degraded',
    cause: 'Dead letters were sent through again and died again: their cause is still there.',
    evidence: found.map(({ step, dead_lettered_again: again }) => `${again} at ${step}`).join(', '),
    since: daysBefore(now, Math.max(...found.map(({ days }) => days))),
    mended_by: MENDED_BY[GRAVEST.find(one => found.some(({ fault }) => fault === one)) ?? 'ours'],
    next: {
      ...PIPELINE_CALL,
      arguments: { step: first.step },
      reason: 'Lists them with their deaths and last reasons.',
    },
    remedy: 'Read one with service_support mode dead_letter before the next replay, and remove what it names.',
  }
}

const misplacedEvidence: Check = ({ evidence: { misplaced_evidence: count }, now }) =>
  count === 0
    ? null
    : {
        finding: 'evidence_on_merged_claims',
        severity: 'broken',
        cause:
          'Evidence, or a Solution’s link, hangs on a claim that was merged into another: nobody sees it there. The database refuses that, so its reference was taken away, or a restore went past it.',
        evidence: `${counted(count, 'row')}.`,
        since: daysBefore(now, 0),
        mended_by: 'operator',
        next: {
          tool: 'service_support',
          mode: 'ledger',
          arguments: {},
          reason: 'Counts them, and what has no claim at all.',
        },
        remedy:
          'An operator runs the statements of schemas/postgres/0050_evidence_of_living_claims.sql up to its first alter table, which move them to the claims that live on, and adds its references again.',
      }

const NAMED_SIGNALS = 5

const strandedSignals: Check = ({ evidence: { stranded }, now, paused, away }) => {
  const { signals, numbers, days } = stranded
  if (signals === 0 || paused.length > 0 || halts(away)) return null
  const names = numbers.slice(0, NAMED_SIGNALS).map(number => reference('signal', number))
  return {
    finding: 'signals_without_claim',
    severity: 'broken',
    cause:
      'Problems or ideas are evidence of no claim, though each starts one where it joins no other. Undo lost such evidence in versions before this one; or the step cluster has not come to them.',
    evidence: `${signals} of the newest Signals, stored more than an hour ago: ${names.join(', ')}${signals > names.length ? ' and others' : ''}.`,
    since: daysBefore(now, days ?? 0),
    mended_by: 'member',
    next: {
      tool: 'service_lookup',
      mode: 'signal',
      arguments: { id: names[0] },
      reason: 'Shows what it says and what was decided about it.',
    },
    remedy:
      'Promote each with service_decide mode triage, action promote: with claim_id to the claim that it belonged to, or with kind to one of its own; or dismiss it.',
  }
}

export const PIPELINE_CHECKS: readonly Check[] = [
  processorsSilent,
  stepsPaused,
  segmentNotServed,
  stuckSignals,
  deadLetters,
  refusedTexts,
  retrying,
  diedAgain,
  lag,
  misplacedEvidence,
  strandedSignals,
]
