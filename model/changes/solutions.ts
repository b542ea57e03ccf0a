import type { Transaction } from '../../infra/postgres/port.ts'
import type { DecisionId, SolutionId } from '../../schemas/domain/ids.ts'
import type { SolutionState } from '../../schemas/domain/vocabulary.ts'
import { type Changes, counted, type Window } from './window.ts'

/** A Solution that was created (`from_state` is null) or that moved to another state. */
interface MovedSolution {
  readonly id: SolutionId
  readonly number: number
  readonly title: string
  readonly from_state: SolutionState | null
  readonly to_state: SolutionState
  readonly at: Date
}

const MOVED = `
  select solutions.id, number, title, from_state, to_state, at, count(*) over ()::integer as in_all
  from (
    select object_id as solution_id, from_state, to_state, changed_at as at, id as sequence
    from state_changes where object_kind = 'solution' and changed_at > $1 and changed_at <= $2
    union all
    select id, null, 'Backlog', created_at, 0 from solutions where created_at > $1 and created_at <= $2
  ) moved
  join solutions on solutions.id = solution_id
  order by at desc, sequence desc, number desc
  limit $3 offset $4`

/** Created and moved Solutions, newest first. */
export const movedSolutions = async (
  transaction: Transaction,
  { from, to }: Window,
  limit: number,
  offset = 0,
): Promise<Changes<MovedSolution>> =>
  counted(await transaction.query<MovedSolution & { in_all: number }>(MOVED, [from, to, limit, offset]))

interface WrittenDocument {
  readonly solution_id: SolutionId
  readonly number: number
  readonly title: string
  readonly version: number
  readonly author_name: string
  readonly at: Date
}

const WRITTEN = `
  select solution_id, number, title, latest.version, latest.author_name, latest.at, count(*) over ()::integer as in_all
  from (
    select distinct on (solution_id) solution_id, version, author_name, written_at as at
    from living_documents where written_at > $1 and written_at <= $2
    order by solution_id, version desc
  ) latest
  join solutions on solutions.id = solution_id
  order by at desc, number
  limit $3 offset $4`

/** Living Documents that were written, each with its last version in the window, newest first. */
export const writtenDocuments = async (
  transaction: Transaction,
  { from, to }: Window,
  limit: number,
  offset = 0,
): Promise<Changes<WrittenDocument>> =>
  counted(await transaction.query<WrittenDocument & { in_all: number }>(WRITTEN, [from, to, limit, offset]))

interface ChangedOutcome {
  readonly id: string
  readonly number: number
  readonly title: string
  readonly verdict: 'met' | 'partly' | 'missed' | 'unclear'
  readonly observation: string
  readonly at: Date
}

const OUTCOMES = `
  select outcomes.id, number, title, verdict, observation, outcomes.updated_at as at, count(*) over ()::integer as in_all
  from outcomes join solutions on solutions.id = solution_id
  where outcomes.updated_at > $1 and outcomes.updated_at <= $2
  order by outcomes.updated_at desc, number
  limit $3 offset $4`

/** Outcomes that were recorded or changed, newest first. */
export const changedOutcomes = async (
  transaction: Transaction,
  { from, to }: Window,
  limit: number,
  offset = 0,
): Promise<Changes<ChangedOutcome>> =>
  counted(await transaction.query<ChangedOutcome & { in_all: number }>(OUTCOMES, [from, to, limit, offset]))

interface MadeDecision {
  readonly id: DecisionId
  readonly number: number
  readonly statement: string
  readonly made_by_name: string
  readonly key_label: string | null
  readonly at: Date
}

const MADE = `
  select id, number, statement, made_by_name, key_label, made_at as at, count(*) over ()::integer as in_all
  from decisions where made_at > $1 and made_at <= $2
  order by number desc
  limit $3 offset $4`

/** Decisions that were made, newest first. */
export const madeDecisions = async (
  transaction: Transaction,
  { from, to }: Window,
  limit: number,
  offset = 0,
): Promise<Changes<MadeDecision>> =>
  counted(await transaction.query<MadeDecision & { in_all: number }>(MADE, [from, to, limit, offset]))
