import { isAssayError } from '../../../infra/runtime/errors.ts'
import { countMentions } from '../../../model/comments/comments.ts'
import { MAX_WAITING, readWaitingCounts } from '../../../model/workspaces/overview.ts'
import { readOperation, Type } from '../define.ts'

const waiting = (what: string) => Type.Integer({ description: `${what}, counted to ${MAX_WAITING} and no further.` })

export const countWaiting = readOperation({
  name: 'count_waiting',
  title: 'How much waits for somebody',
  summary: 'Answers how much of each kind waits for a person to decide: what the app’s navigation shows.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({}),
  output: Type.Object({
    signals: waiting('Signals in Triage that are not snoozed'),
    proposals: waiting('Proposed merges'),
    dead_letters: waiting('Dead letters'),
    in_review: waiting('Solutions In Review'),
    mentions: Type.Integer({ description: 'Comments that name you and that you have not read: at most 100.' }),
  }),
  run: async (_input, { caller, read, services }) => ({
    data: await read(async transaction => {
      const counts = await readWaitingCounts(transaction, services.now())
      return { ...counts, mentions: (await countMentions(transaction, caller.userId)).unread }
    }).catch(nothingWhileImported),
  }),
})

const NOTHING = { signals: 0, proposals: 0, dead_letters: 0, in_review: 0, mentions: 0 }

/** A workspace is closed during an import, but every screen asks for these counts; the answer is then 0. */
const nothingWhileImported = (error: unknown): { readonly [Kind in keyof typeof NOTHING]: number } => {
  if (isAssayError(error) && error.code === 'conflict') return NOTHING
  throw error
}
