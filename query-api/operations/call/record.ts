import { type AuditActor, type AuditSubject, recordAudit } from '../../../model/audit/audit-log.ts'
import { beginChange, forgetChange, storeChange } from '../../../model/undo/changes.ts'
import { type ChangeId, type EventId, newId } from '../../../schemas/domain/ids.ts'
import type { AUDITED_OPERATIONS, AuditAction } from '../../../schemas/domain/vocabulary.ts'
import { type ActivityRecord, activity } from '../../../schemas/events/activity.ts'
import type { Answer, Caller, Transaction, WriteContext, WriteOperation } from '../define.ts'
import type { Operations } from '../registry.ts'

interface CallFacts {
  readonly caller: Caller
  /** The tool, or the operation for a call by its own name; then `mode` is empty. */
  readonly tool: string
  readonly mode: string
  /** Start of the call, milliseconds since the epoch. */
  readonly at: number
  readonly durationMs: number
  readonly workUnits: number
  /** `ok`, `repeated` for a stored idempotent answer, or the error's code. */
  readonly outcome: string
}

/** The `tool.call` activity of a call: caller, tool, duration, cost and outcome. */
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

interface Recorded {
  readonly answer: Answer<unknown>
  /** Null when nothing changed or the change cannot be undone. */
  readonly changeId: ChangeId | null
}

interface Recording {
  readonly context: WriteContext
  readonly input: Readonly<Record<string, unknown>>
  readonly at: Date
}

/** Runs a write, and stores its changes under the context's `changeId` for `undo_change`. */
export const recordChange = async (
  transaction: Transaction,
  operation: WriteOperation,
  { context: { caller, changeId }, input, at }: Recording,
  apply: () => Promise<Answer<unknown>>,
): Promise<Recorded> => {
  // Writes with another role change who may enter, or empty a whole workspace.
  if (operation.cannotBeUndone !== undefined || operation.databaseRole !== undefined) {
    return { answer: await apply(), changeId: null }
  }
  await beginChange(transaction, changeId)
  const answer = await apply()
  if (answer.isUndoable === false) {
    await forgetChange(transaction, changeId)
    return { answer, changeId: null }
  }
  const stored = await storeChange(transaction, caller, {
    id: changeId,
    operation: operation.name,
    action: typeof input.action === 'string' ? input.action : null,
    forPeople: operation.audience === 'people',
    at,
    undoes: answer.undoes ?? null,
  })
  return { answer, changeId: stored ? changeId : null }
}

type AuditSubjects = {
  readonly [Name in (typeof AUDITED_OPERATIONS)[number]]: (
    input: Operations[Name]['input'],
    data: Operations[Name]['output'],
  ) => AuditSubject | null
}

/**
 * Audit facts of each operation: the person or object, and details worth knowing. Names that the team gave, ids and
 * references; never a sender's words or a secret. Null when this call changed nothing.
 */
const AUDIT_SUBJECTS: AuditSubjects = {
  accept_invitation: (_, { workspace_id, workspace_name, role }) => ({
    id: workspace_id,
    name: workspace_name,
    detail: { role },
  }),
  change_role: ({ user_id }, { role }) => ({ id: user_id, detail: { role } }),
  invite_member: (_, { id, label, role, sent_to }) => ({
    id,
    name: label,
    detail: { role, by_mail: sent_to !== null },
  }),
  remove_member: (_, { user_id, name }) => ({ id: user_id, name }),
  revoke_invitation: (_, { id }) => ({ id }),
  create_key: ({ label }, { id }) => ({ id, name: label }),
  delete_key: (_, { id }) => ({ id }),
  create_source: ({ kind, name }, { id }) => ({ id, name: name ?? kind, detail: { kind } }),
  create_connection: ({ name }, { id }) => ({ id, name, detail: { kind: 'connection' } }),
  update_source: ({ paused, rotate_secret }, { source, is_applied }) =>
    is_applied ? { id: source.id, name: source.name, detail: { paused, rotate_secret } } : null,
  rotate_source_secret: ({ id }) => ({ id }),
  replace_ingestion_address: ({ id }, made) => ({ id, detail: { replaced_by: made.id } }),
  delete_source: (_, { id }) => ({ id }),
  create_workspace: (_, { id, name }) => ({ id, name }),
  rename_workspace: (_, { id, name }) => ({ id, name }),
  set_workspace_rules: ({ expected: _, ...rules }) => ({ detail: rules }),
  delete_workspace: ({ confirm }) => ({ name: confirm }),
  remove_sandbox: () => ({}),
  reset_sandbox: () => ({}),
  pause_step: ({ step }) => ({ id: step, name: step }),
  resume_step: ({ step }) => ({ id: step, name: step }),
  start_export: (_, { id, name }) => ({ id, name }),
  start_import: (_, { id, name, format }) => ({ id, name, detail: { format } }),
  discard_transfer: ({ id }) => ({ id }),
  take_back_import: (_, { id, name }) => ({ id, name }),
  erase_person: (_, { id }) => ({ id }),
  erase_signal: (_, { id, label }) => ({ id, name: label }),
  erase_source: (_, { id, label }) => ({ id, name: label }),
  resume_erasure: (_, { id }) => ({ id }),
  set_retention: ({ confirm: _, expected: _read, ...periods }) => ({ detail: periods }),
}

const AUDITED: Readonly<Record<string, ((input: never, data: never) => AuditSubject | null) | undefined>> =
  AUDIT_SUBJECTS

const actorOf = ({ userId, userName, via }: Caller): AuditActor =>
  via.kind === 'key'
    ? { kind: 'key', id: userId, name: userName, label: via.label }
    : { kind: 'person', id: userId, name: userName }

/** Adds a write on accounts, keys, sources, roles or settings to the audit log, in its own transaction. */
export const auditCall = async (
  transaction: Transaction,
  caller: Caller,
  call: { readonly operation: string; readonly input: object; readonly data: unknown },
): Promise<void> => {
  // `call` has checked the input; `data` is the operation's own answer.
  const subject = AUDITED[call.operation]?.(call.input as never, call.data as never)
  if (subject == null) return
  await recordAudit(transaction, {
    ...subject,
    // The list above has this name.
    action: call.operation as AuditAction,
    by: actorOf(caller),
    workspaceId: caller.workspaceId,
  })
}
