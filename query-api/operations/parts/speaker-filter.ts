import type { Transaction } from '../../../infra/postgres/port.ts'
import type { SearchTexts } from '../../../model/search/search-texts.ts'
import { namesAmong } from '../../../model/signals/known-senders.ts'
import { spelledAs } from '../../../model/words/nearest-names.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { type FilterValue, namesNothing, nearestOf } from './filter-values.ts'

/** The words of the workspace, taken in until now. */
export interface Words {
  readonly texts: SearchTexts
  readonly workspaceId: WorkspaceId
}

/** How many signals with the words of a name are looked at. Where there are as many, the name alone decides. */
export const MAX_NAMED = 10_000
/** Among how many signals that share words with an unknown name the nearest ones are looked for. */
const NEAR = 100

interface Speakers {
  /** The spellings that signals have. */
  readonly names: readonly string[]
  /** The signals with the words of the name; none said where there are too many to tell. */
  readonly among: readonly (readonly string[])[]
}

/** Who is meant by a name, in any letter case. Throws `invalid_input` with the nearest names for nobody's. */
export const speakerNames = async (
  transaction: Transaction,
  { texts, workspaceId }: Words,
  given: FilterValue,
): Promise<Speakers> => {
  const { value: name } = given
  const ids = texts.having(workspaceId, name, 'signal', MAX_NAMED)
  const names = spelledAs(name, await namesAmong(transaction, ids))
  if (names.length > 0) return { names, among: ids.length < MAX_NAMED ? [ids] : [] }
  const near = texts.search(workspaceId, name, ['signal'], NEAR).map(({ id }) => id)
  const known = await namesAmong(transaction, near.length > 0 ? near : null)
  const next = nearestOf(name, known, 'No Signal says who said it.')
  throw namesNothing(given, next)
}
