import type { Transaction } from '../../infra/postgres/port.ts'
import type { ChangeId } from '../../schemas/domain/ids.ts'

/**
 * Tables of objects that later changes may refer to. The change that inserted such an object is not undone while a
 * later change refers to it.
 */
const OBJECTS = `'solutions', 'claims', 'groups', 'strategy_elements', 'map_nodes', 'outcomes', 'sources'`

/** Condition: the row changed. A moved position or a new version alone is no change. */
const changes = (row: string): string => `(${row}.columns is null or cardinality(${row}.columns) > 0)`

// `offset 0` makes the first part an index look-up for each row, whatever the planner knows of tables that have just
// grown. The second part reads later changes once for all inserted objects, because a row-level security policy
// prevents an index on a list. The last step keeps changes that stand. A Decision that was only logged is undone while
// nothing refers to it; one that was logged with a change is undone with the change.
const BLOCKING = `
  with own as materialized (
    select *, case
        when was <> 'insert' then null
        when table_name in (${OBJECTS}) then (key::jsonb ->> 'id')::uuid
        when table_name = 'decisions' and not exists (
          select from changed_rows as beside
          where beside.change_id = changed_rows.change_id and table_name not in ('decisions', 'decision_objects')
        ) then (key::jsonb ->> 'id')::uuid
      end as made
    from changed_rows where change_id = any ($1::uuid[])
  ), met as materialized (
    select own.change_id as blocked, later.change_id
    from own
      cross join lateral (
        select change_id, columns from changed_rows as later
        where later.workspace_id = own.workspace_id and later.table_name = own.table_name and later.key = own.key
          and later.id > own.id and later.change_id <> own.change_id
        offset 0
      ) as later
    where ${changes('own')} and ${changes('later')}
      and (own.columns is null or later.columns is null or own.columns && later.columns)
    union all
    select blocked, later.change_id
    from (
      select own.change_id as blocked, own.table_name as made_in, later.change_id, later.table_name, later.columns, later.after
      from changed_rows as later
        cross join unnest(later.names) as meant
        join own on own.made = meant
      where later.workspace_id = (select workspace_id from own limit 1)
        and later.id > (select min(id) from own where made is not null)
        and later.id > own.id and later.change_id <> own.change_id
      offset 0
    ) as later
    where ${changes('later')} and case
        when made_in = 'decisions' then later.table_name = 'decision_objects' and later.after -> 'change' <> '{}'
        else later.table_name not in ('decisions', 'decision_objects') end
  )
  select distinct on (blocked) blocked, changes.id, changes.operation, changes.action
  from met join changes on changes.id = met.change_id and changes.undone_by is null and changes.undoes is null
  order by blocked, place desc`

interface Blocking {
  readonly blocked: ChangeId
  readonly id: ChangeId
  readonly operation: string
  readonly action: string | null
}

/**
 * For each change, the last later change that is based on it and must be undone first. Changes without one are missing.
 */
export const blockersOf = async (
  transaction: Transaction,
  ids: readonly ChangeId[],
): Promise<ReadonlyMap<ChangeId, Blocking>> =>
  new Map((await transaction.query<Blocking>(BLOCKING, [ids])).map(row => [row.blocked, row]))
