import { type Caller, type Operation, Type } from '../define.ts'

/** What a call of any operation takes and answers, from either door. */

/** What accompanies `data` in every answer. */
interface Meta {
  /** When the answer was made, ISO 8601, UTC. */
  readonly timestamp: string
  readonly work_units: number
  readonly next_cursor: string | null
  /** The id of the workspace that answered. */
  readonly workspace: string
  /** Such as that fewer items fit than were asked for. */
  readonly note?: string
  /**
   * Of a write: what takes it back. Null where nothing was changed, or what was cannot be taken back; absent of a read.
   */
  readonly change_id?: string | null
}

export interface CallResult {
  readonly data: unknown
  readonly meta: Meta
}

export const MetaSchema = Type.Object({
  timestamp: Type.String({ format: 'date-time', description: 'When the answer was made, UTC.' }),
  work_units: Type.Integer({ minimum: 0, description: 'What the call cost.' }),
  next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'Continues the list; null at its end.' }),
  workspace: Type.String({ format: 'uuid', description: 'The workspace that answered.' }),
  note: Type.Optional(Type.String({ description: 'Such as that fewer items fit than were asked for.' })),
  change_id: Type.Optional(
    Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
      description:
        'Of a write: service_decide mode undo takes it back by this id. Null where nothing was changed, or what was cannot be taken back.',
    }),
  ),
})

export interface CallRequest {
  /** Authenticated by the door that the call came through. */
  readonly caller: Caller
  readonly input: Readonly<Record<string, unknown>>
  readonly idempotencyKey: string | null
  /** The tool and mode that were called; absent when the operation was called by its own name. */
  readonly tool?: { readonly name: string; readonly mode: string }
}

/**
 * Runs an operation for a caller. Rejects with an AssayError; `InvalidArguments` when the input does not fit its
 * schema.
 */
export type Call = (operation: Operation, request: CallRequest) => Promise<CallResult>
