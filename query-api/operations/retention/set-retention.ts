import {
  KEEPS_EVERYTHING,
  lastRunByAge,
  type Retention,
  readRetention,
  setRetention as set,
} from '../../../model/retention/retention.ts'
import { Type, writeOperation } from '../define.ts'
import { confirmation, requireConfirmation } from '../erasures/erasure.ts'
import { expected, requireExpected } from '../parts/expected.ts'
import { periods, RetentionShape, retentionShape } from './read-retention.ts'

const PERIODS = ['signals_days', 'activity_days', 'dead_letters_days', 'jobs_days'] as const

/** True when any data is deleted sooner than before. */
const isShorter = (before: Retention, after: Retention): boolean =>
  (before.keeps_evidence && !after.keeps_evidence && after.signals_days !== null) ||
  PERIODS.some(period => (after[period] ?? Number.POSITIVE_INFINITY) < (before[period] ?? Number.POSITIVE_INFINITY))

export const setRetention = writeOperation({
  name: 'set_retention',
  title: 'Set how long what is received is kept',
  summary:
    'Sets after how many days Signals, activity, dead letters, jobs and exports go. Nothing goes for a day; then what is too old goes once a day, for good. Where something goes sooner than before, confirm it with the workspace’s name.',
  effect: 'destructive',
  units: 3,
  role: 'owner',
  audience: 'people',
  cannotBeUndone: 'Set it again as it was: within a day nothing has gone. What has gone is nowhere any more.',
  input: Type.Object({ ...periods, confirm: Type.Optional(confirmation), expected: expected(periods) }),
  output: RetentionShape,
  apply: async ({ confirm, expected: read, ...requested }, transaction, context) => {
    const { caller, services } = context
    const before = (await readRetention(transaction, caller.workspaceId)) ?? KEEPS_EVERYTHING
    requireExpected('How long it is kept has changed since you read it.', read, { ...before })
    if (isShorter(before, requested)) await requireConfirmation(transaction, context, confirm ?? '')
    const by = { id: caller.userId, name: caller.userName }
    const stored = await set(transaction, caller.workspaceId, requested, by)
    const lastAt = await lastRunByAge(transaction, caller.workspaceId)
    return { data: retentionShape(stored, { lastAt, now: services.now() }) }
  },
})
