import type { Static } from 'typebox'
import type { ActivityItem } from '../../../model/activity/figures.ts'
import { namesOfIds } from '../../../model/references/names-of-ids.ts'
import { isUuid } from '../../../schemas/domain/ids.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import type { ReadContext } from '../define.ts'
import type { Item } from './activity-answer.ts'

const NAMED = ['claim', 'node'] as const

/** The rows with the reference and the title of what they are grouped by, where that is a claim or a node that is there. */
export const nameGroups = async (
  items: readonly ActivityItem[],
  { read }: ReadContext,
): Promise<readonly Static<typeof Item>[]> => {
  const idsOf = (field: (typeof NAMED)[number]) => [
    ...new Set(items.flatMap(({ group }) => group[field] ?? []).filter(isUuid)),
  ]
  if (NAMED.every(field => idsOf(field).length === 0)) return items
  const names = await read(transaction => namesOfIds(transaction, { claims: idsOf('claim'), nodes: idsOf('node') }))
  return items.map(item => {
    const named = NAMED.flatMap(field => {
      const name = names.get(item.group[field] ?? '')
      if (name === undefined) return []
      const shown = { reference: name.number === null ? null : reference('claim', name.number), title: name.title }
      return [[field, shown] as const]
    })
    return named.length === 0 ? item : { ...item, named: Object.fromEntries(named) }
  })
}
