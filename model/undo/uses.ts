import type { Transaction } from '../../infra/postgres/port.ts'
import type { ChangeId } from '../../schemas/domain/ids.ts'

const USED_BY_OTHERS = `
  select exists (
    select from changed_rows as used join changes on changes.id = used.change_id
    where used.table_name = 'decision_objects' and used.after ->> 'decision_id' = $1 and used.change_id <> $2
      and used.id > (select min(id) from changed_rows where change_id = $2)
      and changes.undone_by is null and changes.undoes is null
  ) as used`

/** Whether a change beside this one hangs on the Decision, and stands. */
export const isUsedByOthers = async (
  transaction: Transaction,
  decisionId: string,
  changeId: ChangeId,
): Promise<boolean> =>
  (await transaction.query<{ used: boolean }>(USED_BY_OTHERS, [decisionId, changeId]))[0]?.used === true
