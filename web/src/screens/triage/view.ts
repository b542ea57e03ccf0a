import type { Input } from '../../api/client.ts'
import { t } from '../../language/messages.ts'

/** What of Triage is shown, as the address says it; an empty text is no filter. */
export const VIEW = {
  state: 'triage',
  snoozed: '',
  classification: '',
  claim: '',
  node: '',
  source: '',
  channel: '',
  text: '',
}
export type View = { readonly [Field in keyof typeof VIEW]: string }

export type Filters = Omit<Input<'list_signals'>, 'cursor' | 'limit'>

/** The operation’s input for a view. A value that no list has, as an old link may have, is refused by the service in its own words. */
export const filtersOf = ({ node, ...view }: View): Filters =>
  Object.fromEntries(
    Object.entries({ ...view, node_id: node }).filter(([, value]) => value !== ''),
    // The address holds texts; the service checks them against its lists.
  ) as Filters

/** The kinds of waiting and done, as tabs. */
export const TABS = [
  { value: 'triage', label: t('Triage'), view: { state: 'triage', snoozed: '' } },
  { value: 'snoozed', label: t('Snoozed'), view: { state: 'triage', snoozed: 'only' } },
  { value: 'accepted', label: t('Accepted'), view: { state: 'accepted', snoozed: '' } },
  { value: 'dismissed', label: t('Dismissed'), view: { state: 'dismissed', snoozed: '' } },
] as const

export const tabOf = ({ state, snoozed }: View): string =>
  state === 'triage' && snoozed === 'only' ? 'snoozed' : state
