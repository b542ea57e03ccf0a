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

// Each id is looked up by itself (`offset 0`): otherwise whole tables are read for the few that a page of changes is about.
const named = (kind: Identifiable, table: string, number: string, name: string): string => `
  select change_id, '${kind}' as kind, id, number, name from named cross join lateral (
    select ${number} as number, ${name} as name from ${table} where ${table}.id = named.id offset 0
  ) as found`

const OBJECTS = `
  with named as materialized (
    select distinct change_id, meant as id from changed_rows cross join unnest(names) as meant
    where change_id = any ($1::uuid[]) and table_name not in ('decisions', 'decision_objects') and columns is distinct from '{}'
  )
  ${[
    named('solution', 'solutions', 'number', 'title'),
    named('claim', 'claims', 'number', 'title'),
    named('signal', 'signals', 'number', 'left(text, 80)'),
    named('group', 'groups', 'null::integer', 'name'),
    named('strategy_element', 'strategy_elements', 'null::integer', 'title'),
    named('node', 'map_nodes', 'null::integer', 'name'),
    named('source', 'sources', 'null::integer', 'name'),
  ].join('\n  union all')}
  order by change_id, kind, number, id`

/** What each change was about, without the Decisions that it hangs on. */
export const objectsOfChanges = async (
  transaction: Transaction,
  ids: readonly ChangeId[],
): Promise<ReadonlyMap<ChangeId, readonly ChangedObject[]>> =>
  Map.groupBy(await transaction.query<ChangedObject>(OBJECTS, [ids]), row => row.change_id)
