import type { Transaction } from '../../infra/postgres/port.ts'
import type { ChangeId } from '../../schemas/domain/ids.ts'
import type { Identifiable } from '../references/identifiable.ts'

/** An object that a change was about, as it is called now. */
export interface ChangedObject {
  readonly change_id: ChangeId
  readonly kind: Identifiable
  readonly id: string
  readonly number: number | null
  readonly name: string
}

const OBJECTS = `
  with named as materialized (
    select distinct change_id, meant as id from changed_rows cross join unnest(names) as meant
    where change_id = any ($1::uuid[]) and table_name not in ('decisions', 'decision_objects') and columns is distinct from '{}'
  )
  select change_id, 'solution' as kind, id, number, title as name from named join solutions using (id)
  union all
  select change_id, 'claim', id, number, title from named join claims using (id)
  union all
  select change_id, 'signal', id, number, left(text, 80) from named join signals using (id)
  union all
  select change_id, 'group', id, null, name from named join groups using (id)
  union all
  select change_id, 'strategy_element', id, null, title from named join strategy_elements using (id)
  union all
  select change_id, 'node', id, null, name from named join map_nodes using (id)
  union all
  select change_id, 'source', id, null, name from named join sources using (id)
  order by change_id, kind, number, id`

/** What each change was about, without the Decisions that it hangs on. */
export const objectsOfChanges = async (
  transaction: Transaction,
  ids: readonly ChangeId[],
): Promise<ReadonlyMap<ChangeId, readonly ChangedObject[]>> =>
  Map.groupBy(await transaction.query<ChangedObject>(OBJECTS, [ids]), row => row.change_id)
