import type { Static } from 'typebox'
import type { ActivityItem } from '../../../model/activity/figures.ts'
import { claimTitles } from '../../../model/claims/read-claims.ts'
import { nodeNames } from '../../../model/map/nodes.ts'
import { isUuid } from '../../../schemas/domain/ids.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import type { ReadContext } from '../define.ts'
import type { Item } from './activity-answer.ts'

/** The rows with the reference and the title of what they are grouped by, where that is a claim or a node that is there. */
export const nameGroups = async (
  items: readonly ActivityItem[],
  { read }: ReadContext,
): Promise<readonly Static<typeof Item>[]> => {
  const idsOf = (field: 'claim' | 'node') => [
    ...new Set(items.flatMap(({ group }) => group[field] ?? []).filter(isUuid)),
  ]
  const ids = { claims: idsOf('claim'), nodes: idsOf('node') }
  if (ids.claims.length + ids.nodes.length === 0) return items
  const { claims, nodes } = await read(async transaction => ({
    claims: await claimTitles(transaction, ids.claims),
    nodes: await nodeNames(transaction, ids.nodes),
  }))
  return items.map(item => {
    const claim = claims.get(item.group.claim ?? '')
    const node = nodes.get(item.group.node ?? '')
    if (claim === undefined && node === undefined) return item
    const named = {
      ...(claim && { claim: { reference: reference('claim', claim.number), title: claim.title } }),
      ...(node !== undefined && { node: { reference: null, title: node } }),
    }
    return { ...item, named }
  })
}
