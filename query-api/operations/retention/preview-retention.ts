import { countSought } from '../../../model/erasures/find-signals.ts'
import { countOldActivity, countOldDeadLetters, countOldJobs } from '../../../model/retention/old-rows.ts'
import { ageLimits } from '../../../model/retention/retention.ts'
import { readOperation, Type } from '../define.ts'
import { periods } from './read-retention.ts'

const NONE = { signals: 0, occurrences: 0 }

export const previewRetention = readOperation({
  name: 'preview_retention',
  title: 'What would go by its age',
  summary: 'Counts what is older than these periods now. Changes nothing.',
  units: 10,
  role: 'owner',
  audience: 'people',
  input: Type.Object(periods),
  output: Type.Object({
    signals: Type.Integer(),
    repeats: Type.Integer(),
    kept_as_evidence: Type.Integer({ description: 'Signals and repeats that are old enough and stay.' }),
    activity: Type.Integer({ description: 'Events, beside those of Signals.' }),
    dead_letters: Type.Integer(),
    jobs: Type.Integer(),
    exports: Type.Integer(),
  }),
  run: async (input, { caller: { workspaceId }, read, services }) => {
    const now = services.now()
    const limits = ageLimits(input, now)
    const { signalsBefore, deadLettersBefore, jobsBefore, activityBefore } = limits
    const counted = await read(async transaction => {
      const goes = signalsBefore === null ? NONE : await countSought(transaction, workspaceId, limits, now)
      const old =
        signalsBefore === null
          ? NONE
          : await countSought(transaction, workspaceId, { ...limits, keepsEvidence: false }, now)
      return {
        signals: goes.signals,
        repeats: goes.occurrences,
        kept_as_evidence: old.signals + old.occurrences - goes.signals - goes.occurrences,
        dead_letters:
          deadLettersBefore === null ? 0 : await countOldDeadLetters(transaction, workspaceId, deadLettersBefore),
        ...(jobsBefore === null ? { jobs: 0, exports: 0 } : await countOldJobs(transaction, workspaceId, jobsBefore)),
      }
    })
    const activity =
      activityBefore === null ? 0 : await countOldActivity(services.analytics, workspaceId, activityBefore)
    return { data: { ...counted, activity } }
  },
})
