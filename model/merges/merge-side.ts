import { happenedAt } from '../signals/happened.ts'

/** Who said what a claim says. */
interface SaidByRow {
  /** Signals and their repeats. */
  readonly signals: number
  readonly actors: number
  /** The newest of them, each with who said it. */
  readonly speakers: readonly {
    readonly actor_name: string | null
    readonly source: string
    readonly source_url: string | null
    /** ISO 8601. */
    readonly occurred_at: string
  }[]
}

const SPEAKERS = 3
/** Of a claim with much behind it, only what came last is looked at: a list has many of them. */
const LOOKED_AT = 20

const told = (row: string): string =>
  `${row}.actor_name, coalesce(${row}.source, ${row}.channel) as source, ${row}.source_url, ${happenedAt(row)} as at`

/** As JSON, for a statement that has a claim's id under `id`. */
const saidBy = (id: string): string => `(
  select jsonb_build_object(
    'signals', coalesce((select signals from priority_totals where target_id = ${id}), 0),
    'actors', coalesce((select actors from priority_totals where target_id = ${id}), 0),
    'speakers', coalesce((
      with behind as materialized (
        select signal_id from claim_evidence where claim_id = ${id} order by signal_id desc limit ${LOOKED_AT}
      )
      select jsonb_agg(jsonb_build_object('actor_name', actor_name, 'source', source, 'source_url', source_url, 'occurred_at', at)
        order by at desc)
      from (
        select * from (
          select ${told('signals')} from behind join signals on signals.id = signal_id
          union all
          select told.* from behind cross join lateral (
            select ${told('occurrences')} from occurrences
            where occurrences.signal_id = behind.signal_id order by at desc limit ${SPEAKERS}
          ) as told
        ) as said order by at desc limit ${SPEAKERS}
      ) as newest), '[]')))`

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
