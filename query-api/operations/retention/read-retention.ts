import { Type } from 'typebox'
import { lastRunByAge, readRetention as read } from '../../../model/retention/retention.ts'
import { readOperation } from '../define.ts'
import { RetentionShape, retentionShape } from './retention-shape.ts'

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
