import { type SaidByRow, saidBy } from './said-by.ts'

/** A side of two that are, or may be, the same: a claim or a signal. */
export interface SideRow {
  readonly id: string
  readonly number: number
  readonly title: string
  readonly text: string
}

export interface ProposedSideRow extends SideRow {
  readonly said_by: SaidByRow
}

/** As much of a text as people compare. */
const CHARACTERS = 1200

const claimAnd = (id: string, more: string): string => `(
  select jsonb_build_object('id', side.id, 'number', side.number, 'title', side.title, 'text', left(side.statement, ${CHARACTERS})${more})
  from claims side where side.id = ${id})`

/** A claim as JSON, for a statement that has its id under `id`. */
export const claimSide = (id: string): string => claimAnd(id, '')

/** One that people decide on: who said it too. */
export const proposedSide = (id: string): string => claimAnd(id, `, 'said_by', ${saidBy('side.id')}`)

/** A signal as JSON; its title is the beginning of its text. */
export const signalSide = (id: string): string => `(
  select jsonb_build_object('id', side.id, 'number', side.number, 'title', left(side.text, 80), 'text', left(side.text, ${CHARACTERS}))
  from signals side where side.id = ${id})`
