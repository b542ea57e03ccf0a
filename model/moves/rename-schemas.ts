import type { OwnerQuery } from '../../infra/postgres/owner.ts'
import type { Sealer } from '../../infra/runtime/secrets.ts'
import { withSchemaIds } from './copy-log.ts'

const PAGE = 100

interface Kept {
  readonly signal_id: string
  readonly step: string
  readonly sealed: boolean
  readonly record: Uint8Array
}

/** Null for what was sealed with a key that is lost: nobody reads it here or there. */
const openedBy = (unseal: Sealer['unseal'], sealed: Uint8Array): Buffer | null => {
  try {
    return Buffer.from(unseal(sealed), 'base64')
  } catch {
    return null
  }
}

/** Has the records of dead letters name their schemas as the log that the installation has moved to does. */
export const renameSchemas = async (
  query: OwnerQuery,
  ids: ReadonlyMap<number, number>,
  { seal, unseal }: Pick<Sealer, 'seal' | 'unseal'>,
): Promise<void> => {
  if ([...ids].every(([id, other]) => id === other)) return
  let after = ['00000000-0000-0000-0000-000000000000', '']
  for (;;) {
    const letters = await query<Kept>(
      `select signal_id, step, sealed, record from dead_letters where (signal_id, step) > ($1, $2)
       order by signal_id, step limit ${PAGE}`,
      after,
    )
    for (const { signal_id, step, sealed, record } of letters) {
      after = [signal_id, step]
      const bytes = sealed ? openedBy(unseal, record) : record
      if (bytes === null) continue
      const renamed = Buffer.from(withSchemaIds(bytes, ids))
      await query('update dead_letters set record = $3 where signal_id = $1 and step = $2', [
        signal_id,
        step,
        sealed ? Buffer.from(seal(renamed.toString('base64'))) : renamed,
      ])
    }
    if (letters.length < PAGE) return
  }
}
