import type { Input } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'

/** What of Triage is shown, as the address says it; an empty text is no filter. */
export const VIEW = {
  state: 'triage',
  snoozed: '',
  classification: '',
  /** `noise`: only what asks for nothing. */
  perhaps: '',
  claim: '',
  node: '',
  theme: '',
  source: '',
  channel: '',
  owner: '',
  account: '',
  plan: '',
  language: '',
  tag: '',
  order: '',
  text: '',
  /** Where the cursor is, by its reference; empty: on the first one. */
  signal: '',
}
export type View = { readonly [Field in keyof typeof VIEW]: string }

export type Filters = Omit<Input<'list_signals'>, 'cursor' | 'limit'>

/**
 * The operation’s input for a view. A value that no list has, as an old link may have, is refused by the service in its
 * own words.
 */
export const filtersOf = ({ node, theme, order, signal: _, ...view }: View): Filters =>
  Object.fromEntries(
    Object.entries({ ...view, node_id: node, theme_id: theme, order_by: order }).filter(([, value]) => value !== ''),
    // The address holds texts; the service checks them against its lists.
  ) as Filters

/** The kinds of waiting and done, as tabs. */
export const TABS = [
  { value: 'triage', label: t('Triage'), view: { state: 'triage', snoozed: '', perhaps: '' } },
  { value: 'snoozed', label: t('Snoozed'), view: { state: 'triage', snoozed: 'only', perhaps: '' } },
  { value: 'accepted', label: t('Accepted'), view: { state: 'accepted', snoozed: '', perhaps: '' } },
  { value: 'dismissed', label: t('Dismissed'), view: { state: 'dismissed', snoozed: '', perhaps: '' } },
  // Its count comes late: the last one moves no other.
  { value: 'noise', label: t('Noise'), view: { state: 'triage', snoozed: '', perhaps: 'noise' } },
] as const

export const tabOf = ({ state, snoozed, perhaps }: View): string => {
  if (state !== 'triage') return state
  if (snoozed === 'only') return 'snoozed'
  return perhaps === 'noise' ? 'noise' : state
}

/** A view that somebody gave a name: the address’s own text, so that a link to it is the view. */
export interface StoredView {
  readonly name: string
  readonly search: string
}

/** The address of a view, whichever of its lines the cursor is on. */
export const searchOfView = (search: string): string => {
  const parameters = new URLSearchParams(search)
  parameters.delete('signal')
  return parameters.size === 0 ? '' : `?${parameters}`
}

const STORED = 'assay-triage-views'
export const MAX_VIEWS = 30

/** Whatever is stored, as far as it is what was stored there. */
export const readViews = (storage: Pick<Storage, 'getItem'>): readonly StoredView[] => {
  try {
    const stored: unknown = JSON.parse(storage.getItem(STORED) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isView).slice(0, MAX_VIEWS) : []
  } catch {
    return []
  }
}

const isView = (value: unknown): value is StoredView =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  'search' in value &&
  typeof value.name === 'string' &&
  typeof value.search === 'string'

/** Under a name that there is, the new one takes the place of the old one. */
export const withView = (views: readonly StoredView[], view: StoredView): readonly StoredView[] =>
  [...withoutView(views, view.name), view]
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .slice(0, MAX_VIEWS)

export const withoutView = (views: readonly StoredView[], name: string): readonly StoredView[] =>
  views.filter(each => each.name !== name)

export const storeViews = (storage: Pick<Storage, 'setItem'>, views: readonly StoredView[]): void =>
  storage.setItem(STORED, JSON.stringify(views))
