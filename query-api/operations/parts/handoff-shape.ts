import { type Static, Type } from 'typebox'
import type { ConnectedHandoff } from '../../../model/handoffs/handoffs.ts'
import { HANDOFF_KINDS, reference } from '../../../schemas/domain/vocabulary.ts'
import { instant, nullable, oneOf } from './fields.ts'

/** Who wrote something, and through which key. */
export const authorFields = {
  author_name: Type.String(),
  key_label: nullable(Type.String({ description: 'The key that it came through; null for the app.' })),
}

/** A design or pull request that a Solution was handed off with. */
export const HandoffShape = Type.Object({
  kind: oneOf(HANDOFF_KINDS),
  url: Type.String(),
  pull_request: nullable(
    Type.Object(
      { repository: Type.String(), number: Type.Integer(), state: Type.String() },
      { description: 'The proposal that it confirmed, with what was last heard of it.' },
    ),
  ),
  decision: Type.String(),
  ...authorFields,
  handed_off_at: instant,
  withdrawn_at: nullable(instant),
})
export type HandoffShape = Static<typeof HandoffShape>

export const toHandoff = ({
  id: _,
  decision,
  handed_off_at,
  withdrawn_at,
  ...rest
}: ConnectedHandoff): HandoffShape => ({
  ...rest,
  decision: reference('decision', decision),
  handed_off_at: handed_off_at.toISOString(),
  withdrawn_at: withdrawn_at?.toISOString() ?? null,
})
