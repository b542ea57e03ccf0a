import type { Depth } from '../parts/fields.ts'

/** Tokens that each part may take: those of a depth together stay below what one answer holds. */
export interface ContextBudget {
  readonly title: number
  readonly summary: number
  readonly claims: number
  readonly claim: number
  readonly evidence: number
  readonly quote: number
  /** How many repeats of a quoted Signal. */
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
    summary: 45,
    claims: 90,
    claim: 0,
    evidence: 90,
    quote: 30,
    repeats: 0,
    document: 40,
    outline: 30,
    decisions: 80,
    decision: 45,
    others: 0,
    outcome: 20,
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
