import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalId } from '../../schemas/domain/ids.ts'
import { DOUBTFUL_BELOW } from './find-themes.ts'
import { membersIn } from './read-themes.ts'

const SURE = `
  select signal_id from (${membersIn('$1')}) as member
  where theme_id = $1 and (is_confirmed or likeness >= $2)
  order by is_confirmed desc, likeness desc, number limit $3`

/** Members of a theme that are confirmed or not doubtful, surest first. */
export const sureMembers = async (
  transaction: Transaction,
  themeId: string,
  most: number,
): Promise<readonly SignalId[]> =>
  (await transaction.query<{ signal_id: SignalId }>(SURE, [themeId, DOUBTFUL_BELOW, most])).map(
    ({ signal_id }) => signal_id,
  )
