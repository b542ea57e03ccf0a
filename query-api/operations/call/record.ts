import { type EventId, newId } from '../../../schemas/domain/ids.ts'
import { type ActivityRecord, activity } from '../../../schemas/events/activity.ts'
import type { Caller } from '../define.ts'

export interface CallFacts {
  readonly caller: Caller
  /** The tool, or the operation where it was called by its own name; `mode` is empty then. */
  readonly tool: string
  readonly mode: string
  /** When the call began, milliseconds since the epoch. */
  readonly at: number
  readonly durationMs: number
  readonly workUnits: number
  /** `ok`, `repeated` for an idempotent answer given again, or the code of the error. */
  readonly outcome: string
}

/** The `tool.call` activity of one call: who through what, which tool, how long, at what cost, how it ended. */
export const toolCall = ({ caller, ...facts }: CallFacts): ActivityRecord =>
  activity({
    event_id: newId<EventId>(),
    workspace_id: caller.workspaceId,
    kind: 'tool.call',
    occurred_at: facts.at,
    channel: caller.via.kind,
    source_id: caller.via.kind === 'key' ? caller.via.keyId : '',
    source: caller.via.kind === 'key' ? caller.via.label : 'app',
    actor: caller.userId,
    tool: facts.tool,
    mode: facts.mode,
    outcome: facts.outcome,
    duration_ms: facts.durationMs,
    work_units: facts.workUnits,
  })
