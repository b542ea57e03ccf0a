import type { Transaction } from '../../infra/postgres/port.ts'
import type { ChangeId } from '../../schemas/domain/ids.ts'

/** Objects that others are about: while a later change is about one, the change that made it is not taken back. */
const OBJECTS = `'solutions', 'claims', 'groups', 'strategy_elements', 'map_nodes', 'outcomes', 'sources'`

/** That an order moved on, or a version, is no change of the row. */
const changes = (row: string): string => `(${row}.columns is null or cardinality(${row}.columns) > 0)`

const IN_FORCE = `join changes on changes.id = later.change_id and changes.undone_by is null and changes.undoes is null`

// `offset 0` keeps each a look-up by index, row by row, whatever the planner knows of tables that have just grown.
// A Decision that was only logged is taken back as long as nothing hangs on it; one that was logged with a change goes with the change.
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
  ), blocking as (
    select own.change_id, changes.place
    from own
      cross join lateral (
        select change_id, columns from changed_rows as later
        where later.workspace_id = own.workspace_id and later.table_name = own.table_name and later.key = own.key
          and later.id > own.id and later.change_id <> own.change_id
        offset 0
      ) as later
      ${IN_FORCE}
    where ${changes('own')} and ${changes('later')}
      and (own.columns is null or later.columns is null or own.columns && later.columns)
    union all
    select own.change_id, changes.place
    from own
      cross join lateral (
        select change_id, table_name, columns, after from changed_rows as later
        where later.names @> array[own.made] and later.workspace_id = own.workspace_id
          and later.id > own.id and later.change_id <> own.change_id
        offset 0
      ) as later
      ${IN_FORCE}
    where own.made is not null and ${changes('later')} and case
        when own.table_name = 'decisions' then later.table_name = 'decision_objects' and later.after -> 'change' <> '{}'
        else later.table_name not in ('decisions', 'decision_objects') end
  )
  select distinct on (blocking.change_id) blocking.change_id as blocked, changes.id, changes.operation, changes.action
  from blocking join changes using (place)
  order by blocking.change_id, place desc`

interface Blocking {
  readonly blocked: ChangeId
  readonly id: ChangeId
  readonly operation: string
  readonly action: string | null
}

/** For each of the changes that a later one stands on, the last such; that has to be taken back first. */
export const blockersOf = async (
  transaction: Transaction,
  ids: readonly ChangeId[],
): Promise<ReadonlyMap<ChangeId, Blocking>> =>
  new Map((await transaction.query<Blocking>(BLOCKING, [ids])).map(row => [row.blocked, row]))
