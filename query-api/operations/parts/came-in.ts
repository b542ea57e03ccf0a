import { Type } from 'typebox'
import { instant } from './fields.ts'

/** What comes in so long after it happened, in milliseconds, was imported or held back somewhere. */
const LATER_MS = 3_600_000

/** Beside `occurred_at` of what somebody said. */
export const CameIn = {
  received_at: Type.Optional(
    Type.With(instant, { description: 'When it came in, where that was more than an hour after it happened.' }),
  ),
}

/** As `CameIn` has it. */
export const cameIn = (row: {
  readonly occurred_at: Date
  readonly received_at: Date
}): { readonly received_at?: string } =>
  row.received_at.getTime() - row.occurred_at.getTime() > LATER_MS ? { received_at: row.received_at.toISOString() } : {}
