import type { ActivityItem } from '../../../model/activity/figures.ts'
import { claimTitles } from '../../../model/claims/claims.ts'
import { nodeNames } from '../../../model/map/nodes.ts'
import { peopleOf } from '../../../model/members/people.ts'
import { themeNames } from '../../../model/themes/settings.ts'
import { isUuid } from '../../../schemas/domain/ids.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import type { ReadContext, Static } from '../define.ts'
import type { Item } from './activity.ts'

/**
 * The rows with the reference and title of their claim, theme or node, if it exists, and with the name of an actor that
 * has one.
 */
export const nameGroups = async (
  items: readonly ActivityItem[],
  actorNames: ReadonlyMap<string, string> = new Map(),
  { read }: ReadContext,
): Promise<readonly Static<typeof Item>[]> => {
  const valuesOf = (field: 'claim' | 'theme' | 'node' | 'actor') => [
    ...new Set(items.flatMap(({ group }) => group[field] ?? [])),
  ]
  const idsOf = (field: 'claim' | 'theme' | 'node') => valuesOf(field).filter(isUuid)
  const ids = { claims: idsOf('claim'), themes: idsOf('theme'), nodes: idsOf('node') }
  const hasMembers = valuesOf('actor').some(isUuid)
  const isNamed = Object.values(ids).some(some => some.length > 0) || actorNames.size > 0 || hasMembers
  if (!isNamed) return items
  const { claims, themes, nodes, members } = await read(async transaction => ({
    claims: await claimTitles(transaction, ids.claims),
    themes: await themeNames(transaction, ids.themes),
    nodes: await nodeNames(transaction, ids.nodes),
    members: hasMembers ? await peopleOf(transaction) : [],
  }))
  const actors = new Map([...actorNames, ...members.map(({ id, name }) => [id, name] as const)])
  return items.map(item => {
    const claim = claims.get(item.group.claim ?? '')
    const theme = themes.get(item.group.theme ?? '')
    const node = nodes.get(item.group.node ?? '')
    const actor = actors.get(item.group.actor ?? '')
    const named = {
      ...(claim && { claim: { reference: reference('claim', claim.number), title: claim.title } }),
      ...(theme && { theme: { reference: reference('theme', theme.number), title: theme.name } }),
      ...(node !== undefined && { node: { reference: null, title: node } }),
      ...(actor !== undefined && { actor: { reference: null, title: actor } }),
    }
    return Object.keys(named).length === 0 ? item : { ...item, named }
  })
}
