import type { ActivityItem } from '../../../model/activity/figures.ts'
import { claimTitles } from '../../../model/claims/claims.ts'
import { nodeNames } from '../../../model/map/nodes.ts'
import { peopleOf } from '../../../model/members/people.ts'
import { isUuid } from '../../../schemas/domain/ids.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import type { ReadContext, Static } from '../define.ts'
import type { Item } from './activity.ts'

/**
 * The rows with the reference and the title of what they are grouped by, where that is a claim or a node that is there,
 * and with the name of an actor who has one.
 */
export const nameGroups = async (
  items: readonly ActivityItem[],
  actorNames: ReadonlyMap<string, string> = new Map(),
  { read }: ReadContext,
): Promise<readonly Static<typeof Item>[]> => {
  const valuesOf = (field: 'claim' | 'node' | 'actor') => [...new Set(items.flatMap(({ group }) => group[field] ?? []))]
  const ids = { claims: valuesOf('claim').filter(isUuid), nodes: valuesOf('node').filter(isUuid) }
  const hasMembers = valuesOf('actor').some(isUuid)
  if (ids.claims.length + ids.nodes.length + actorNames.size === 0 && !hasMembers) return items
  const { claims, nodes, members } = await read(async transaction => ({
    claims: await claimTitles(transaction, ids.claims),
    nodes: await nodeNames(transaction, ids.nodes),
    members: hasMembers ? await peopleOf(transaction) : [],
  }))
  const actors = new Map([...actorNames, ...members.map(({ id, name }) => [id, name] as const)])
  return items.map(item => {
    const claim = claims.get(item.group.claim ?? '')
    const node = nodes.get(item.group.node ?? '')
    const actor = actors.get(item.group.actor ?? '')
    const named = {
      ...(claim && { claim: { reference: reference('claim', claim.number), title: claim.title } }),
      ...(node !== undefined && { node: { reference: null, title: node } }),
      ...(actor !== undefined && { actor: { reference: null, title: actor } }),
    }
    return Object.keys(named).length === 0 ? item : { ...item, named }
  })
}
