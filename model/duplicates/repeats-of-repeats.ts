import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { reference } from '../../schemas/domain/vocabulary.ts'

// In two parts, each of which an index answers.
const BETWEEN = `
  select number from signals
  where id = any (array(
    select original.id from occurrences as repeat join occurrences as original on original.id = repeat.signal_id
    where repeat.id = any ($1::uuid[])
    union all
    select original.id from occurrences as original
    where original.id = any ($1::uuid[]) and exists (
      select from occurrences as repeat
      where repeat.workspace_id = original.workspace_id and repeat.signal_id = original.id)))
  order by number limit 1`

/**
 * Call after these repeats were restored. Throws `conflict` when an original was marked as a repeat since, or when a
 * repeat has repeats: nobody would find them, and two could count with each other.
 */
export const refuseRepeatsOfRepeats = async (transaction: Transaction, repeats: readonly string[]): Promise<void> => {
  if (repeats.length === 0) return
  const [between] = await transaction.query<{ number: number }>(BETWEEN, [repeats])
  if (between === undefined) return
  const name = reference('signal', between.number)
  throw new AssayError(
    'conflict',
    `${name} would repeat another Signal and have repeats of its own. Nothing was changed. First take out the repeat that was marked since: service_decide mode triage, action not_a_repeat.`,
    { context: { signal: name } },
  )
}
