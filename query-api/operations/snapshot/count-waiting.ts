import { Type } from 'typebox'
import { MAX_WAITING, readWaitingCounts } from '../../../model/workspaces/overview.ts'
import { readOperation } from '../define.ts'

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
  }),
  run: async (_input, { read, services }) => ({
    data: await read(transaction => readWaitingCounts(transaction, services.now())),
  }),
})
