import {
  KEEPS_EVERYTHING,
  lastRunByAge,
  readRetention as read,
  type StoredRetention,
} from '../../../model/retention/retention.ts'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import { readOperation, type Static, Type } from '../define.ts'
import { instant, nullable } from '../parts/fields.ts'

const LONGEST_DAYS = 3650

const days = (least: number, description: string) =>
  nullable(Type.Integer({ minimum: least, maximum: LONGEST_DAYS, description: `${description} null: for ever.` }))

/** Days after which data is deleted. */
export const periods = {
  signals_days: days(30, 'Signals and repeats, counted from their receipt.'),
  keeps_evidence: Type.Boolean({ description: 'Whether what is evidence of a Solution stays, however old it is.' }),
  activity_days: days(30, 'What happened beside Signals. The events of a Signal go with it.'),
  dead_letters_days: days(14, 'Dead letters, counted from their last failure.'),
  jobs_days: days(14, 'Jobs that ended, and the list of exports.'),
}

export const RetentionShape = Type.Object({
  ...periods,
  set_by: nullable(Type.String()),
  set_at: nullable(instant),
  next_at: nullable(
    Type.String({ description: 'ISO 8601, UTC: the earliest moment at which something goes. null: everything stays.' }),
  ),
})

const setsSomething = ({ signals_days, activity_days, dead_letters_days, jobs_days }: StoredRetention): boolean =>
  [signals_days, activity_days, dead_letters_days, jobs_days].some(period => period !== null)

/** `lastAt`: last deletion by age; null for none. */
export const retentionShape = (
  stored: StoredRetention | null,
  { lastAt, now }: { readonly lastAt: Date | null; readonly now: Date },
): Static<typeof RetentionShape> => {
  if (stored === null) return { ...KEEPS_EVERYTHING, set_by: null, set_at: null, next_at: null }
  const { signals_days, keeps_evidence, activity_days, dead_letters_days, jobs_days, set_by_name, set_at } = stored
  const next = Math.max(now.getTime(), set_at.getTime() + DAY_MS, (lastAt?.getTime() ?? 0) + DAY_MS)
  return {
    signals_days,
    keeps_evidence,
    activity_days,
    dead_letters_days,
    jobs_days,
    set_by: set_by_name,
    set_at: set_at.toISOString(),
    next_at: setsSomething(stored) ? new Date(next).toISOString() : null,
  }
}

export const readRetention = readOperation({
  name: 'read_retention',
  title: 'How long what is received is kept',
  summary: 'Answers after how many days Signals, activity, dead letters, jobs and exports go, and when next.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({}),
  output: RetentionShape,
  run: (_input, { caller, read: inside, services }) =>
    inside(async transaction => {
      const stored = await read(transaction, caller.workspaceId)
      const lastAt = await lastRunByAge(transaction, caller.workspaceId)
      return { data: retentionShape(stored, { lastAt, now: services.now() }) }
    }),
})
