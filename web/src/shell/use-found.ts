import { useDebouncedValue } from '@mantine/hooks'
import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight'
import { useNavigate } from 'react-router'
import { fits } from '../../../schemas/domain/fits.ts'
import { type Output, useOperation } from '../api/operations.ts'
import { fromStored, t } from '../language/messages.ts'
import { clip, queryOf } from '../parts/formats.ts'
import { addressOfReference } from '../parts/inline.tsx'

type Found = Output<'lookup_search'>['items'][number]

const TYPING_MS = 120
const MAX_SHOWN = 10
const MAX_NAMED = 5
/** What is found by a single letter is anything. */
const LEAST_TYPED = 2
const SHOWN_CHARACTERS = 90

const KINDS: Readonly<Record<Found['type'], string>> = {
  signal: t('Signal'),
  claim: t('Claim'),
  solution: t('Solution'),
  node: t('Node of the map'),
  decision: t('Decision'),
  living_doc: t('Document'),
  note: t('Note'),
}
/** Why it was found, where the title does not show it. */
const MATCHED: Readonly<Partial<Record<Found['matched'], string>>> = {
  text: t('in its text'),
  person: t('by the person who said it'),
  source: t('by its source'),
  detail: t('in its details'),
  cut: t('in the rest of the mail'),
  meaning: t('means the same'),
  near: t('may be about it'),
}

const addressOf = ({ type, id, reference }: Found): string | null =>
  type === 'node' ? `/app/map?node=${id}` : reference === null ? null : addressOfReference(reference)

const onlySignalOf = (item: Found): string | undefined => ('only_signal' in item ? item.only_signal : undefined)

/**
 * What the workspace has that fits what was typed: evidence and plans by the search; themes, people and sources by
 * their names.
 */
export const useFound = (
  typed: string,
): { readonly groups: SpotlightActionGroupData[]; readonly isLooking: boolean } => {
  const navigate = useNavigate()
  const trimmed = queryOf(typed)
  const [query] = useDebouncedValue(trimmed, TYPING_MS)
  const enabled = query.length >= LEAST_TYPED
  const { data, isFetching } = useOperation('lookup_search', { query, limit: MAX_SHOWN }, { enabled, keep: true })
  const { data: members } = useOperation('list_members', {}, { enabled, keep: true })
  const { data: themes } = useOperation('search_themes', { query, limit: MAX_NAMED }, { enabled, keep: true })
  const { data: sources } = useOperation('list_sources', { text: query, limit: MAX_NAMED }, { enabled, keep: true })
  if (!enabled || trimmed === '') return { groups: [], isLooking: trimmed.length >= LEAST_TYPED }

  const go = (id: string, address: string, label: string, description: string): SpotlightActionData => ({
    id,
    label: clip(label, SHOWN_CHARACTERS),
    description,
    onClick: () => navigate(address),
  })
  const items = data?.items ?? []
  const claimed = new Set(items.map(onlySignalOf))
  const found = items.flatMap(item => {
    const address = addressOf(item)
    // A claim and its only signal say one thing: the claim's line leads to both.
    if (address === null || (item.reference !== null && claimed.has(item.reference))) return []
    const said = [item.reference, onlySignalOf(item), KINDS[item.type], MATCHED[item.matched]]
      .filter(Boolean)
      .join(' · ')
    // A Decision that the app worded is found under the words that are stored.
    const title = item.type === 'decision' ? fromStored(item.title) : item.title
    return [go(`${item.type} ${item.id}`, address, title, said)]
  })
  const people = (members?.items ?? [])
    .filter(({ name, email }) => fits(`${name} ${email}`, query))
    .map(({ user_id, name, email }) => go(user_id, '/app/settings/members', name, t('Member · {email}', { email })))
  const ways = (sources?.items ?? []).map(({ id, name }) => go(id, `/app/settings/sources/${id}`, name, t('Source')))
  const spokenOf = (themes?.items ?? []).flatMap(({ id, reference, name }) => {
    const address = addressOfReference(reference)
    return address === null ? [] : [go(id, address, name, `${reference} · ${t('Theme')}`)]
  })
  // Few, and each by its name: behind what merely has the words nobody would see them.
  const groups = [
    { group: t('Themes'), actions: spokenOf },
    { group: t('People and sources'), actions: [...ways, ...people].slice(0, MAX_NAMED) },
    { group: data?.is_partial ? t('Found: not all texts could be searched') : t('Found'), actions: found },
  ]
  return { groups: groups.filter(({ actions }) => actions.length > 0), isLooking: isFetching || query !== trimmed }
}
