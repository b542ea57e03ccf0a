import { countActivity, countActivityWith } from '../../../model/erasures/activity.ts'
import { finishErasure, type ProofLine } from '../../../model/erasures/erasures.ts'
import { searchPostgres } from '../../../model/erasures/proof.ts'
import { clickHousePattern } from '../../../model/erasures/words.ts'
import type { Erasing, PhaseResult } from './phase.ts'
import { readGroups } from './wait-for-log.ts'

/** Searches every store for what was to go, and ends the erasure with what was found. */
export const prove = async (erasing: Erasing): Promise<PhaseResult> => {
  const { id, workspaceId, sought, askedAt, dependencies, inside } = erasing
  const { analytics } = dependencies
  const pattern = sought.what === 'person' ? clickHousePattern(sought) : null
  const clickHouse: ProofLine[] = [
    {
      store: 'clickhouse',
      place: 'activity, first_receipts',
      looked_for: 'signals',
      found: await countActivity(analytics, { workspaceId, erasureId: id }),
    },
  ]
  if (pattern !== null) {
    const found = await countActivityWith(analytics, workspaceId, pattern)
    clickHouse.push({ store: 'clickhouse', place: 'activity', looked_for: 'words', found })
  }
  const waiting = (await readGroups(dependencies)).filter(
    ({ oldestUncommittedAt }) => oldestUncommittedAt !== null && oldestUncommittedAt < askedAt.getTime(),
  )
  const log: ProofLine = {
    store: 'log',
    place: 'records that wait since before',
    looked_for: 'records',
    found: waiting.reduce((sum, { committed, highWatermark }) => sum + highWatermark - committed, 0),
  }
  await inside(async transaction => {
    const postgres = await searchPostgres(transaction, erasing)
    await finishErasure(transaction, id, [...postgres, ...clickHouse, log])
  })
  return { after: null, done: 0 }
}
