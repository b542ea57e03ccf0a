import type { Transaction } from '../../../infra/postgres/port.ts'
import { readPriorityTerms } from '../../../model/board/explain.ts'
import type { BoardRow } from '../../../model/board/order.ts'
import { decisionsPage } from '../../../model/decisions/read-decisions.ts'
import { connectedHandoffs } from '../../../model/handoffs/handoffs.ts'
import { notesOfSolution } from '../../../model/knowledge/notes.ts'
import { readVersion } from '../../../model/living-documents/versions.ts'
import { nodeNames } from '../../../model/map/nodes.ts'
import { readBindings } from '../../../model/metrics/bindings.ts'
import { outcomeOf } from '../../../model/outcomes/outcomes.ts'
import { claimsOfSolution, countEvidenceOf, strongestEvidence } from '../../../model/solutions/brief.ts'
import { SOLUTION_TRANSITIONS } from '../../../model/solutions/states.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { toDecision } from '../decisions/decision.ts'
import { outlineOf } from '../documents/document.ts'
import { REST_OF_NOTES, toNote } from '../knowledge/save-knowledge.ts'
import { metricShape } from '../metrics/metric.ts'
import type { CutLists } from '../parts/cut-lists.ts'
import { excerptWithin } from '../parts/excerpt.ts'
import type { Depth } from '../parts/fields.ts'
import { repeatsOf } from '../parts/signal-shape.ts'
import { toHandoff } from '../solutions/solution.ts'

const MAX_ITEMS = 20
/** Handoffs are counted up to this number. */
const MAX_HANDOFFS = 500

export const solutionPart = (row: BoardRow, budget: ContextBudget) => {
  const name = reference('solution', row.number)
  const { state, priority_boost, actors, signals, version } = row
  return {
    reference: name,
    title: excerptWithin(row.title, budget.title, '').text,
    state,
    ...excerptWithin(row.summary, budget.summary, `service_lookup mode solution, id ${name}, depth full`),
    priority_boost,
    actors,
    signals,
    version,
    transitions: Object.entries(SOLUTION_TRANSITIONS[state]).map(([to, mode]) => `${to} by ${mode}`),
  }
}

export const claimsPart = async (
  transaction: Transaction,
  { id, number: own }: BoardRow,
  budget: ContextBudget,
  lists: CutLists,
) => {
  const claims = await claimsOfSolution(transaction, id)
  const shown = claims.slice(0, MAX_ITEMS).map(({ id: _, number, title, statement, ...rest }) => {
    const name = reference('claim', number)
    return {
      reference: name,
      ...rest,
      title: excerptWithin(title, Math.max(budget.claim, budget.quote), '').text,
      ...(budget.claim === 0
        ? { text: '', text_truncation: null }
        : excerptWithin(statement, budget.claim, `service_lookup mode claim, id ${name}, depth full`)),
    }
  })
  const rest = `service_lookup mode solution, id ${reference('solution', own)}, depth full`
  return { count: claims.length, items: lists.take('claims', shown, budget.claims, { count: claims.length, rest }) }
}

const REPEAT_CHARACTERS = 160

export const evidencePart = async (
  transaction: Transaction,
  now: Date,
  { id, number: own }: BoardRow,
  budget: ContextBudget,
  lists: CutLists,
) => {
  const explained = await readPriorityTerms(transaction, now, id, MAX_ITEMS)
  const quoted = await strongestEvidence(transaction, id, explained, MAX_ITEMS)
  const repeats = await repeatsOf(transaction, quoted, { most: budget.repeats, characters: REPEAT_CHARACTERS })
  const shown = quoted.map(({ id: signalId, number, text, actor_name, account, source, source_url, ...quote }) => {
    const name = reference('signal', number)
    const { claims, occurrences, occurred_at, signal_origin } = quote
    return {
      reference: name,
      claims: claims.map(claim => reference('claim', claim)),
      ...excerptWithin(text, budget.quote, `service_lookup mode signal, id ${name}`),
      actor_name: actor_name && excerptWithin(actor_name, 30, '').text,
      ...(actor_name === null && account !== null && { account: excerptWithin(account, 30, '').text }),
      source: source && excerptWithin(source, 30, '').text,
      source_url,
      occurrences,
      ...repeats(signalId),
      signal_origin,
      occurred_at: occurred_at.toISOString(),
    }
  })
  const rest = `service_lookup mode explain, id ${reference('solution', own)}`
  return lists.take('evidence', shown, budget.evidence, { count: await countEvidenceOf(transaction, id), rest })
}

export const documentPart = async (transaction: Transaction, { id, number }: BoardRow, budget: ContextBudget) => {
  const document = await readVersion(transaction, id)
  if (document === undefined) return null
  const rest = `service_lookup mode living_doc, id ${reference('solution', number)}, depth full`
  const { version, markdown } = document
  return { version, sections: outlineOf(markdown, budget.outline), ...excerptWithin(markdown, budget.document, rest) }
}

export const decisionsPart = async (
  transaction: Transaction,
  { id, number: own }: BoardRow,
  budget: ContextBudget,
  lists: CutLists,
) => {
  const { count, rows } = await decisionsPage(transaction, { kind: 'solution', id }, { limit: MAX_ITEMS, below: 0 })
  const shown = rows.map(row => {
    const decision = toDecision(row)
    const rest = `service_lookup mode decision, id ${decision.reference}`
    return { ...decision, ...excerptWithin(row.statement, budget.decision, rest) }
  })
  const rest = `service_lookup mode decision, about ${reference('solution', own)}`
  return { count, items: lists.take('decisions', shown, budget.decisions, { count, rest }) }
}

export const handoffsPart = async (
  transaction: Transaction,
  { id, number: own }: BoardRow,
  budget: ContextBudget,
  lists: CutLists,
) => {
  const handoffs = await connectedHandoffs(transaction, id, MAX_HANDOFFS)
  const rest = `service_lookup mode decision, about ${reference('solution', own)}`
  return { count: handoffs.length, items: lists.take('handoffs', handoffs.map(toHandoff), budget.others, { rest }) }
}

export const metricsPart = async (
  transaction: Transaction,
  nodes: readonly string[],
  budget: ContextBudget,
  lists: CutLists,
) => {
  const bindings = await readBindings(transaction, nodes)
  const names = await nodeNames(transaction, nodes)
  const shown = bindings.map(binding => {
    const { name, direction, target, newest, change } = metricShape(binding)
    const { value = null, occurred_at = null } = newest ?? {}
    return { node: names.get(binding.node_id) ?? '', name, direction, target, value, occurred_at, change }
  })
  const rest = 'service_lookup mode node, of each'
  return { count: bindings.length, items: lists.take('metrics', shown, budget.others, { rest }) }
}

export const notesPart = async (
  transaction: Transaction,
  id: string,
  nodes: readonly string[],
  budget: ContextBudget,
  lists: CutLists,
) => {
  const notes = await notesOfSolution(transaction, id, nodes, MAX_ITEMS)
  const shown = notes.map(note => toNote(note, budget.others / 2))
  const count = notes[0]?.in_all ?? 0
  return { count, items: lists.take('notes', shown, budget.others, { count, rest: REST_OF_NOTES }) }
}

export const outcomePart = async (transaction: Transaction, { id, number }: BoardRow, budget: ContextBudget) => {
  const outcome = await outcomeOf(transaction, id)
  if (outcome === undefined) return null
  const rest = `service_lookup mode outcome, id ${reference('solution', number)}`
  return { verdict: outcome.verdict, ...excerptWithin(outcome.observation, budget.outcome, rest) }
}

/** Tokens of each part: the parts of a depth together stay below the limit of an answer. */
interface ContextBudget {
  readonly title: number
  readonly summary: number
  readonly claims: number
  readonly claim: number
  readonly evidence: number
  readonly quote: number
  /** Repeats of a quoted signal. */
  readonly repeats: number
  readonly document: number
  readonly outline: number
  readonly decisions: number
  readonly decision: number
  readonly others: number
  readonly outcome: number
}

export const CONTEXT_BUDGET: Readonly<Record<Depth, ContextBudget>> = {
  summary: {
    title: 40,
    summary: 30,
    claims: 90,
    claim: 0,
    evidence: 90,
    quote: 30,
    repeats: 0,
    document: 25,
    outline: 30,
    decisions: 80,
    decision: 30,
    others: 0,
    outcome: 15,
  },
  standard: {
    title: 300,
    summary: 400,
    claims: 700,
    claim: 100,
    evidence: 800,
    quote: 100,
    repeats: 1,
    document: 900,
    outline: 200,
    decisions: 500,
    decision: 200,
    others: 300,
    outcome: 150,
  },
  full: {
    title: 450,
    summary: 800,
    claims: 1200,
    claim: 160,
    evidence: 1700,
    quote: 260,
    repeats: 2,
    document: 1900,
    outline: 300,
    decisions: 700,
    decision: 280,
    others: 450,
    outcome: 250,
  },
}
