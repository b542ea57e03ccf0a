import type { Transaction } from '../../infra/postgres/port.ts'
import type { DecisionId } from '../../schemas/domain/ids.ts'
import type { Identifiable } from '../references/statements.ts'

/** A Decision as it was logged. */
export interface DecisionRow {
  readonly id: DecisionId
  readonly number: number
  readonly statement: string
  readonly made_by: string
  readonly via: 'app' | 'key'
  readonly key_label: string | null
  readonly made_at: Date
  /** The number of the Decision that undid it; null while it stands. */
  readonly reversed_by: number | null
  /** The number of the Decision that it undoes; null for any other. */
  readonly reverses: number | null
  readonly objects: number
}

/** A Decision with who made an object's change that hangs on it, where that was not who decided. */
export interface DecisionOnObject extends DecisionRow {
  readonly carried_out_by: string | null
}

/** One change that hangs on a Decision. `number` is null for what has no reference, `name` for what is gone. */
export interface DecisionObjectRow {
  readonly kind: Identifiable
  readonly id: string
  readonly number: number | null
  readonly name: string | null
  readonly change: Readonly<Record<string, unknown>>
}

const decisionsWith = (further = ''): string => `
  select ${further} decisions.id, number, statement, made_by_name as made_by, through as via, key_label, made_at,
    (select reversal.number from decision_reversals join decisions reversal on reversal.id = reversal_id
      where decision_reversals.decision_id = decisions.id) as reversed_by,
    (select reversed.number from decision_reversals join decisions reversed on reversed.id = decision_reversals.decision_id
      where reversal_id = decisions.id) as reverses,
    (select count(*)::integer from decision_objects where decision_objects.decision_id = decisions.id) as objects
  from decisions`
const DECISIONS = decisionsWith()

const ONE = `${DECISIONS} where decisions.id = $1`

const ABOUT = `decisions.id in (select decision_id from decision_objects where object_kind = $3 and object_id = $4)`

const LAST_CARRIED_OUT = `
  (select change ->> 'carried_out_by' from decision_objects
    where decision_objects.decision_id = decisions.id and object_kind = $3 and object_id = $4
    order by decision_objects.id desc limit 1) as carried_out_by,`

const pageOf = (condition: string, decisions = DECISIONS): string =>
  `${decisions} where ($1 = 0 or number < $1) and ${condition} order by number desc limit $2`
const PAGE = pageOf('true', decisionsWith('null as carried_out_by,'))
const PAGE_ABOUT = pageOf(ABOUT, decisionsWith(LAST_CARRIED_OUT))

/** Neither reversed nor a reversal. */
const STANDS = `
  and not exists (
    select from decision_reversals
    where decision_objects.decision_id in (decision_reversals.decision_id, decision_reversals.reversal_id))`

const latestChanges = (further = ''): string => `
  select latest.object_id, latest.change ->> 'carried_out_by' as carried_out_by, decided.*
  from unnest($2::uuid[]) as object (id)
    cross join lateral (
      select object_id, decision_id, change from decision_objects
      where object_kind = $1 and object_id = object.id and change ? $3 ${further}
      order by decision_objects.id desc limit 1
    ) as latest
    join (${DECISIONS}) as decided on decided.id = latest.decision_id`

const LATEST_CHANGES = latestChanges()
const LATEST_STANDING_CHANGES = latestChanges(STANDS)

const COUNT = `select count(*)::integer as count from decisions`
const COUNT_ABOUT = `
  select count(distinct decision_id)::integer as count from decision_objects where object_kind = $1 and object_id = $2`

const OBJECTS = `
  select object_kind as kind, object_id as id, change,
    coalesce(solutions.number, claims.number, signals.number) as number,
    coalesce(solutions.title, claims.title, left(signals.text, 80), groups.name, strategy_elements.title) as name
  from decision_objects
  left join solutions on object_kind = 'solution' and solutions.id = object_id
  left join claims on object_kind = 'claim' and claims.id = object_id
  left join signals on object_kind = 'signal' and signals.id = object_id
  left join groups on object_kind = 'group' and groups.id = object_id
  left join strategy_elements on object_kind = 'strategy_element' and strategy_elements.id = object_id
  where decision_id = $1
  order by decision_objects.id limit $2 offset $3`

export const readDecision = async (transaction: Transaction, id: string): Promise<DecisionRow | undefined> =>
  (await transaction.query<DecisionRow>(ONE, [id]))[0]

/** A page of what hangs on a Decision, in the order in which it was done. */
export const objectsOfDecision = (
  transaction: Transaction,
  id: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<DecisionObjectRow[]> => transaction.query<DecisionObjectRow>(OBJECTS, [id, page.limit, page.offset])

/**
 * Decisions, of one object or of all, the newest first; from `below` on, which is the number of one or 0 for the
 * newest.
 */
export const decisionsPage = async (
  transaction: Transaction,
  about: { readonly kind: string; readonly id: string } | null,
  page: { readonly limit: number; readonly below: number },
): Promise<{ readonly count: number; readonly rows: DecisionOnObject[] }> => {
  const of = about === null ? [] : [about.kind, about.id]
  const [counted] = await transaction.query<{ count: number }>(about === null ? COUNT : COUNT_ABOUT, of)
  const statement = about === null ? PAGE : PAGE_ABOUT
  const rows = await transaction.query<DecisionOnObject>(statement, [page.below, page.limit, ...of])
  return { count: counted?.count ?? 0, rows }
}

/** A Decision with what it changed of one object. */
export interface ObjectDecision
  extends Pick<DecisionRow, 'id' | 'number' | 'statement' | 'made_by' | 'via' | 'key_label' | 'made_at'> {
  readonly change: Readonly<Record<string, unknown>>
}

const OF_OBJECT = `
  select decisions.id, number, statement, made_by_name as made_by, through as via, key_label, made_at, change
  from decision_objects join decisions on decisions.id = decision_id
  where object_kind = $1 and object_id = $2
  order by decision_objects.id desc
  limit $3`

/** What hangs on Decisions of one object, the newest change first. */
export const decisionsOfObject = (
  transaction: Transaction,
  { kind, id }: { readonly kind: Identifiable; readonly id: string },
  limit: number,
): Promise<ObjectDecision[]> => transaction.query<ObjectDecision>(OF_OBJECT, [kind, id, limit])

/**
 * The Decision that a field of each object was last changed by; an object whose field never changed is absent. With
 * `stands`, the last that was neither reversed nor reverses another one: what the object hangs on by now.
 */
export const lastChangesOf = async (
  transaction: Transaction,
  kind: Identifiable,
  ids: readonly string[],
  field: string,
  { stands = false } = {},
): Promise<ReadonlyMap<string, DecisionOnObject>> => {
  const statement = stands ? LATEST_STANDING_CHANGES : LATEST_CHANGES
  const rows = await transaction.query<DecisionOnObject & { object_id: string }>(statement, [kind, ids, field])
  return new Map(rows.map(({ object_id, ...decision }) => [object_id, decision]))
}

/**
 * What a Decision was logged about has an empty change; a change that was hung on it later does not make it about the
 * object.
 */
const LOGGED_IN_APP = `
  select from decisions
  where id = $1 and through = 'app'
    and not exists (select from decision_reversals where decision_id = decisions.id)
    and exists (
      select from decision_objects
      where decision_id = decisions.id and object_kind = $2 and object_id = $3 and change = '{}')`

/** Whether a Decision was logged in the app about an object, and still stands. */
export const isLoggedInApp = async (
  transaction: Transaction,
  decisionId: string,
  about: { readonly kind: Identifiable; readonly id: string },
): Promise<boolean> => (await transaction.query(LOGGED_IN_APP, [decisionId, about.kind, about.id])).length > 0

const DECIDERS = 'select distinct made_by from decisions where lower(made_by_name) = lower(trim($1)) limit 100'

/** The people who decided under a name, in any letter case, by their ids. */
export const decidersNamed = async (transaction: Transaction, name: string): Promise<string[]> =>
  (await transaction.query<{ made_by: string }>(DECIDERS, [name])).map(row => row.made_by)
