import { type Static, Type } from 'typebox'
import { oneOf } from '../parts/fields.ts'
import { NextCall } from '../parts/next-call.ts'
import { type Facts, STUCK_AFTER_MINUTES } from './facts.ts'

/** One thing that keeps the workspace from doing what is expected of it. */
export const Finding = Type.Object({
  finding: Type.String({ description: 'Its name, the same in every answer.' }),
  severity: oneOf(['broken', 'degraded', 'waiting', 'note'], {
    description:
      'broken: evidence is lost or stopped. degraded: works, less well. waiting: for a person. note: good to know.',
  }),
  cause: Type.String(),
  evidence: Type.String({ description: 'The figures that it was found by.' }),
  next: Type.Union([NextCall, Type.Null()], { description: 'The call to make; null where a person acts in the app.' }),
  remedy: Type.String({ description: 'What ends it.' }),
})
export type Finding = Static<typeof Finding>

const SILENT_AFTER_DAYS = 7
const DAY_MS = 86_400_000

type Check = (facts: Facts, now: Date) => Finding | null

const noSource: Check = ({ sources }) =>
  sources > 0
    ? null
    : {
        finding: 'no_source',
        severity: 'broken',
        cause: 'No source is connected, so no evidence arrives by itself.',
        evidence: '0 sources.',
        next: { tool: 'service_capture', mode: 'signal', why: 'An agent can add evidence one by one meanwhile.' },
        remedy: 'A person creates a source in the app under Settings → Sources.',
      }

const silent: Check = ({ sources, last_signal_at: last }, now) => {
  const days = last === null ? null : Math.floor((now.getTime() - last.getTime()) / DAY_MS)
  if (sources === 0 || (days !== null && days < SILENT_AFTER_DAYS)) return null
  return {
    finding: 'no_recent_signal',
    severity: days === null ? 'broken' : 'degraded',
    cause: 'The sources are connected but nothing arrives: the sender is not set up, or its requests are refused.',
    evidence:
      last === null ? 'No Signal ever.' : `The newest Signal was received ${last.toISOString()}, ${days} days ago.`,
    next: {
      tool: 'service_connect',
      mode: 'list',
      why: 'Shows each source’s address and when it last received something.',
    },
    remedy: 'Send a test signal with the curl line shown in the app under Settings → Sources, and read its answer.',
  }
}

const deadLetters: Check = ({ dead_letters: letters }) => {
  if (letters.length === 0) return null
  const total = letters.reduce((sum, group) => sum + group.letters, 0)
  const groups = letters.map(({ step, fault, letters: count }) => `${count} at ${step} (fault: ${fault})`).join(', ')
  const ours = letters.some(({ fault }) => fault !== 'sender')
  return {
    finding: 'dead_letters',
    severity: ours ? 'broken' : 'degraded',
    cause: ours
      ? 'Signals died in the pipeline through no fault of their sender.'
      : 'Senders sent what cannot become a Signal.',
    evidence: `${total} waiting: ${groups}.`,
    next: { tool: 'service_support', mode: 'pipeline', why: 'Lists the dead letters with step, reason and attempts.' },
    remedy: ours
      ? 'Remove the cause that the letters name, then send them again with service_support mode replay.'
      : 'Correct what the senders send, as the letters say; give these up with service_support mode discard.',
  }
}

const stuck: Check = ({ stuck_signals: count }) =>
  count === 0
    ? null
    : {
        finding: 'stuck_signals',
        severity: 'broken',
        cause: 'Signals were received and reached no end: the processors are down, behind, or wait for a dependency.',
        evidence: `${count} of the last day, older than ${STUCK_AFTER_MINUTES} minutes.`,
        next: { tool: 'service_support', mode: 'pipeline', why: 'Shows which step last did something.' },
        remedy: 'An operator checks that the processors run and that their database and models answer.',
      }

const proposals: Check = ({ waiting_proposals: count }) =>
  count === 0
    ? null
    : {
        finding: 'waiting_proposals',
        severity: 'waiting',
        cause:
          'Pairs of claims look alike, and neither a judge nor a person has confirmed that they are the same problem.',
        evidence: `${count} waiting.`,
        next: { tool: 'service_lookup', mode: 'proposals', why: 'Lists the pairs to confirm or refuse.' },
        remedy:
          'Confirm or refuse them with service_decide mode triage; an operator can configure a judge (JUDGE_URL).',
      }

const triage: Check = ({ triage_signals: count, oldest_triage_at: oldest }, now) => {
  if (oldest === null || now.getTime() - oldest.getTime() < SILENT_AFTER_DAYS * DAY_MS) return null
  return {
    finding: 'old_triage',
    severity: 'waiting',
    cause: 'Nobody has decided on Signals for a week or longer.',
    evidence: `${count} in Triage, the oldest since ${oldest.toISOString()}.`,
    next: { tool: 'service_lookup', mode: 'triage', why: 'Lists them.' },
    remedy: 'Accept, dismiss or reclassify them with service_decide mode triage.',
  }
}

const emptyMap: Check = ({ map_nodes: count }) =>
  count > 0
    ? null
    : {
        finding: 'empty_map',
        severity: 'degraded',
        cause: 'The product map has no nodes, so no Signal is anchored to a part of the product.',
        evidence: '0 nodes.',
        next: { tool: 'service_map', mode: 'add_node', why: 'Adds the first part of the product.' },
        remedy: 'Add the parts of the product, each with a description and examples of what people write about it.',
      }

const otherModels: Check = ({ nodes_of_other_models: nodes, signals_of_other_models: signals, embedder }) =>
  nodes + signals === 0
    ? null
    : {
        finding: 'vectors_of_another_model',
        severity: 'degraded',
        cause: `The embedder is ${embedder.model} now; vectors of two models are never compared.`,
        evidence: `${signals} Signals and ${nodes} map nodes have no vector of it.`,
        next: {
          tool: 'service_support',
          mode: 'jobs',
          why: 'Shows how far re_embed is, which starts by itself; mode start_job with job_kind re_embed starts it by hand.',
        },
        remedy:
          'Wait for re_embed to end, or start it. Until then Signals without a vector are found by their words alone.',
      }

const embedder: Check = ({ embedder: { model, limitation } }) =>
  limitation === null
    ? null
    : {
        finding: 'limited_embedder',
        severity: 'note',
        cause: limitation,
        evidence: `The embedder is ${model}.`,
        next: null,
        remedy: 'An operator configures an embedding model (EMBEDDINGS_URL).',
      }

const CHECKS: readonly Check[] = [
  noSource,
  silent,
  stuck,
  deadLetters,
  otherModels,
  emptyMap,
  proposals,
  triage,
  embedder,
]

const SEVERITIES = ['broken', 'degraded', 'waiting', 'note'] as const

/** What is wrong, the worst first. Nothing is found that the facts do not show. */
export const findingsOf = (facts: Facts, now: Date): Finding[] =>
  CHECKS.map(check => check(facts, now))
    .filter(finding => finding !== null)
    .sort((left, right) => SEVERITIES.indexOf(left.severity) - SEVERITIES.indexOf(right.severity))
