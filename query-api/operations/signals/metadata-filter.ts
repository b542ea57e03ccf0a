import type { Transaction } from '../../../infra/postgres/port.ts'
import { metadataAmong } from '../../../model/signals/known-senders.ts'
import type { SignalSelection } from '../../../model/signals/select-signals.ts'
import { nearestNames } from '../../../model/words/nearest-names.ts'
import { listedValues, MAX_NAMED, namesNothing, nearestOf, type Words } from '../parts/filters.ts'

export const MAX_METADATA_FILTERS = 5
/** Of the signals with a value's words, so many are looked at for one that has it there. */
const LOOKED_AT = 1000

/** Which keys of metadata senders tell an account or a language by. */
const KEYS = {
  account: ['account', 'account_name', 'company', 'organization', 'organisation', 'customer'],
  language: ['language', 'lang', 'locale'],
} as const

type Wanted = NonNullable<SignalSelection['metadata']>[number] & { readonly field: string; readonly pointer: string }
type Metadata = Awaited<ReturnType<typeof metadataAmong>>

/** The filters that metadata answers. */
interface MetadataFilters {
  readonly account?: string
  readonly language?: string
  readonly metadata?: Readonly<Record<string, string>>
}

const wantedOf = ({ account, language, metadata = {} }: MetadataFilters): readonly Wanted[] => [
  ...(account === undefined ? [] : [{ field: 'account', pointer: '/account', keys: KEYS.account, value: account }]),
  ...(language === undefined
    ? []
    : [{ field: 'language', pointer: '/language', keys: KEYS.language, value: language }]),
  ...Object.entries(metadata).map(([key, value]) => ({
    field: `metadata ${JSON.stringify(key)}`,
    pointer: '/metadata',
    keys: [key],
    value,
  })),
]

const valuesOf = (stored: Metadata, { keys }: Wanted): readonly string[] =>
  stored.flatMap(metadata =>
    keys.flatMap(key => {
      const value = Object.hasOwn(metadata, key) ? metadata[key] : null
      return value === undefined || value === null || typeof value === 'object' ? [] : [String(value)]
    }),
  )

const has = (stored: Metadata, wanted: Wanted): boolean =>
  valuesOf(stored, wanted).some(value => value.toLowerCase() === wanted.value.toLowerCase())

/**
 * What the filters by metadata select: `among` are the signals whose words have each value, where they are few enough
 * to tell. Throws `invalid_input` with the nearest values, or the keys that there are, for a value that no Signal has.
 */
export const metadataSelection = async (
  transaction: Transaction,
  { texts, workspaceId }: Words,
  filters: MetadataFilters,
): Promise<{ readonly metadata: SignalSelection['metadata']; readonly among: readonly (readonly string[])[] }> => {
  const metadata: Wanted[] = []
  const among: (readonly string[])[] = []
  for (const wanted of wantedOf(filters)) {
    metadata.push(wanted)
    const ids = texts.having(workspaceId, wanted.value, 'signal', MAX_NAMED)
    if (ids.length < MAX_NAMED && has(await metadataAmong(transaction, ids.slice(0, LOOKED_AT)), wanted))
      among.push(ids)
    else await requireKnown(transaction, wanted)
  }
  return { metadata, among }
}

// Long metadata is not in the words to its end, and a value may have no words.
const requireKnown = async (transaction: Transaction, wanted: Wanted): Promise<void> => {
  const newest = await metadataAmong(transaction, null)
  if (has(newest, wanted)) return
  const known = valuesOf(newest, wanted)
  const keys = nearestNames(
    wanted.field,
    newest.flatMap(one => Object.keys(one)),
    20,
  )
  const none =
    keys.length === 0
      ? 'No Signal came with metadata.'
      : `No Signal came with it. Keys that there are: ${listedValues(keys)}.`
  throw namesNothing(wanted, nearestOf(wanted.value, known, none))
}
