import type { Transaction } from '../../infra/postgres/port.ts'
import type { DecisionId } from '../../schemas/domain/ids.ts'
import type { Identifiable } from '../references/statements.ts'

export interface DecisionRow {
  readonly id: DecisionId
  readonly number: number
  readonly statement: string
  readonly made_by: string
  readonly via: 'app' | 'key'
  readonly key_label: string | null
  readonly made_at: Date
  /** Number of the Decision that reversed this one; null while it stands. */
  readonly reversed_by: number | null
  /** Name of the person who reversed it, and the time; null while it stands. */
  readonly reversed_by_name: string | null
  readonly reversed_at: Date | null
  /** Number of the Decision that this one reverses; null otherwise. */
  readonly reverses: number | null
  readonly objects: number
  readonly routine: boolean
}

/** A Decision and the person who carried out a change under it, when that is another person. */
export interface DecisionOnObject extends DecisionRow {
  readonly carried_out_by: string | null
}

/** A change under a Decision. `number` is null for objects without a reference, `name` for deleted ones. */
export interface DecisionObjectRow {
  readonly kind: Identifiable
  readonly id: string
  readonly number: number | null
  readonly name: string | null
  readonly change: Readonly<Record<string, unknown>>
}

const decisionsWith = (further = ''): string => `
  select ${further} decisions.id, number, statement, made_by_name as made_by, through as via, key_label, made_at,
    reversed_by, reversed_by_name, reversed_at,
    (select reversed.number from decision_reversals join decisions reversed on reversed.id = decision_reversals.decision_id
      where reversal_id = decisions.id) as reverses,
    (select count(*)::integer from decision_objects where decision_objects.decision_id = decisions.id) as objects, routine
  from decisions left join lateral (
    select reversal.number as reversed_by, reversal.made_by_name as reversed_by_name, reversed_at
    from decision_reversals join decisions as reversal on reversal.id = reversal_id
    where decision_reversals.decision_id = decisions.id
  ) as back on true`
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

/** Condition: neither reversed nor a reversal. */
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

/** A page of the changes under a Decision, in the order in which they were made. */
export const objectsOfDecision = (
  transaction: Transaction,
  id: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<DecisionObjectRow[]> => transaction.query<DecisionObjectRow>(OBJECTS, [id, page.limit, page.offset])

/**
 * Decisions of one object or of all, newest first. `below` is the number of the Decision to start behind; 0 starts at
 * the newest.
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

export interface DecisionFilter {
  /** True lists routine Decisions, too. */
  readonly routine: boolean
  /** Words of the statement, a name, or a reference, in any letter case. Empty does not filter. */
  readonly text: string
}

const HAS_TEXT = `
  ($1 = '' or position(lower($1) in lower(statement)) > 0 or position(lower($1) in lower(made_by_name)) > 0
    or lower($1) = 'dec-' || number)`
const FILTERED = `
  ${decisionsWith('null as carried_out_by,')}
  where ${HAS_TEXT} and ($2 or not routine) and ($3 = 0 or number < $3) order by number desc limit $4`
const COUNTS = `
  select count(*)::integer as all, (count(*) filter (where routine))::integer as routine from decisions
  where ${HAS_TEXT}`

/**
 * A page of the filtered Decisions, newest first, with their number and the number of routine Decisions that are left
 * out.
 */
export const filteredDecisions = async (
  transaction: Transaction,
  { routine, text }: DecisionFilter,
  page: { readonly limit: number; readonly below: number },
): Promise<{ readonly count: number; readonly left_out: number; readonly rows: DecisionOnObject[] }> => {
  const [counts = { all: 0, routine: 0 }] = await transaction.query<{ all: number; routine: number }>(COUNTS, [text])
  const rows = await transaction.query<DecisionOnObject>(FILTERED, [text, routine, page.below, page.limit])
  const left_out = routine ? 0 : counts.routine
  return { count: counts.all - left_out, left_out, rows }
}

/** An object that a Decision is about, with its title or the beginning of its text. */
export interface NamedObject {
  readonly kind: 'solution' | 'claim' | 'signal'
  readonly number: number
  readonly name: string
}

/** Objects of a Decision that are looked at for those that its statement names. */
const LOOKED_AT = 100
/** Named objects of a Decision: those in its statement first, and of these a Solution or claim before signals. */
const NAMED_OBJECTS = 2
const NAMED = `
  select listed.decision_id, kind, named.number, left(name, 120) as name
  from unnest($1::uuid[]) as listed (decision_id) join decisions on decisions.id = listed.decision_id
    cross join lateral (
      select object_kind as kind, coalesce(solutions.number, claims.number, signals.number) as number,
        coalesce(solutions.title, claims.title, signals.text) as name
      from (
        select distinct object_kind, object_id from (
          select object_kind, object_id from decision_objects
          where decision_objects.decision_id = listed.decision_id and object_kind in ('solution', 'claim', 'signal')
          order by object_kind = 'signal', decision_objects.id limit ${LOOKED_AT}
        ) as looked_at
      ) as object
      left join solutions on object_kind = 'solution' and solutions.id = object_id
      left join claims on object_kind = 'claim' and claims.id = object_id
      left join signals on object_kind = 'signal' and signals.id = object_id
    ) as named
    cross join lateral (
      select statement ~ (case kind when 'solution' then 'SOL-' when 'claim' then 'CLM-' else 'SIG-' end || named.number || '\\M')
        as is_said
    ) as said
  where named.name is not null
  order by is_said desc, kind = 'signal', kind desc, named.number`

/** At most two objects of each Decision, by its id. */
export const namedObjectsOf = async (
  transaction: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly NamedObject[]>> => {
  const named = new Map<string, NamedObject[]>()
  for (const { decision_id, ...object } of await transaction.query<NamedObject & { decision_id: string }>(NAMED, [
    ids,
  ])) {
    const known = named.get(decision_id) ?? []
    if (known.length < NAMED_OBJECTS) named.set(decision_id, [...known, object])
  }
  return named
}

const ROUTINE_AMONG = 'select id from decisions where id = any ($1::uuid[]) and routine'

/** The routine Decisions among these. */
export const routineAmong = async (transaction: Transaction, ids: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set((await transaction.query<{ id: string }>(ROUTINE_AMONG, [ids])).map(({ id }) => id))

/** A Decision with its change of one object. */
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

/** Decisions with changes of one object, newest change first. */
export const decisionsOfObject = (
  transaction: Transaction,
  { kind, id }: { readonly kind: Identifiable; readonly id: string },
  limit: number,
): Promise<ObjectDecision[]> => transaction.query<ObjectDecision>(OF_OBJECT, [kind, id, limit])

/**
 * The Decision that last changed a field of each object. Objects whose field never changed are missing. `stands` leaves
 * out Decisions that were reversed or are reversals: the answer is then what the object's present value is based on.
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

/** The objects that a Decision was logged about have an empty change. Objects of later changes do not count. */
const LOGGED_IN_APP = `
  select from decisions
  where id = $1 and through = 'app'
    and not exists (select from decision_reversals where decision_id = decisions.id)
    and exists (
      select from decision_objects
      where decision_id = decisions.id and object_kind = $2 and object_id = $3 and change = '{}')`

/** True when a Decision was logged in the app about an object and still stands. */
export const isLoggedInApp = async (
  transaction: Transaction,
  decisionId: string,
  about: { readonly kind: Identifiable; readonly id: string },
): Promise<boolean> => (await transaction.query(LOGGED_IN_APP, [decisionId, about.kind, about.id])).length > 0

const DECIDERS = 'select distinct made_by from decisions where lower(made_by_name) = lower(trim($1)) limit 100'

/** Ids of the people who decided under a name, in any letter case. */
export const decidersNamed = async (transaction: Transaction, name: string): Promise<string[]> =>
  (await transaction.query<{ made_by: string }>(DECIDERS, [name])).map(row => row.made_by)

const MADE = `
  select number from decision_objects join solutions on solutions.id = object_id and state <> 'Dropped'
  where decision_id = $1 and object_kind = 'solution' and change ->> 'created' = 'true' order by number limit 1`

/** Number of the Solution that a Decision put on the Backlog; undefined without one, or when it was dropped since. */
export const solutionMadeBy = async (transaction: Transaction, decisionId: string): Promise<number | undefined> =>
  (await transaction.query<{ number: number }>(MADE, [decisionId]))[0]?.number
