import type { Database, Transaction } from '../../../infra/postgres/port.ts'
import { asAssayError } from '../../../infra/runtime/errors.ts'
import { createFairQueue } from '../../../infra/runtime/fair-queue.ts'
import { recordActivity } from '../../../model/activity/activity-rows.ts'
import { type IdempotentCall, lockKey } from '../../../model/idempotency/stored-answers.ts'
import { following } from '../../../model/references/moved.ts'
import { SignalPending } from '../../../model/references/resolve.ts'
import { type ChangeId, newId, type TenantId } from '../../../schemas/domain/ids.ts'
import { MEMBER_ROLES } from '../../../schemas/domain/vocabulary.ts'
import { type BodyBudget, senderOf } from '../../http/body-budget.ts'
import { nameAnswer } from '../../http/failed-answers.ts'
import {
  type Answer,
  AssayError,
  type Caller,
  isProvisioning,
  type Operation,
  type ReadContext,
  type ReadOperation,
  type Services,
  type WriteContext,
  type WriteOperation,
} from '../define.ts'
import { withWhereSignalIs } from '../parts/signal-status.ts'
import type { ActivityBuffer } from './activity-buffer.ts'
import type { IncidentLimit } from './call-limits.ts'
import { createCallQueue } from './call-queue.ts'
import { retryingRead, withRepeatAdvice } from './circuit-breakers.ts'
import { acceptedInput, type Call, type CallRequest, type CallResult } from './contract.ts'
import { signCursor, withVerifiedCursor } from './cursor.ts'
import { firstAnswer, idempotentCall, storeAnswer } from './idempotency.ts'
import type { ObserveCall } from './observe.ts'
import { auditCall, recordChange, toolCall } from './record.ts'
import { readingScope, writingScope } from './standing.ts'

interface Dependencies {
  readonly database: Database
  readonly services: Services
  readonly buffer: ActivityBuffer
  readonly limit: IncidentLimit
  readonly bodies: Pick<BodyBudget, 'spending'>
  readonly evictKey: WriteContext['evictKey']
  /** Called after each call. */
  readonly observe?: ObserveCall
}

/**
 * The transaction waits for its change outside of the database. While the other system is away, at most two database
 * connections wait with it, one for each tenant.
 */
const CHANGING_OUTSIDE = { each: 1, total: 2 }

/**
 * The one path of every call, from either door: validate, permit, wait for a turn, permit again in the transaction,
 * idempotency, meter, run, shape, map errors.
 */
export const createCall = ({ database, services, buffer, limit, bodies, evictKey, observe }: Dependencies): Call => {
  const turn = createCallQueue()
  const outside = createFairQueue<TenantId>(CHANGING_OUTSIDE)
  return async (operation, request) => {
    nameAnswer({ operation: operation.name })
    const began = performance.now()
    const at = services.now()
    const factsOf = (outcome: string, workUnits: number) =>
      toolCall({
        caller: request.caller,
        tool: request.tool?.name ?? operation.name,
        mode: request.tool?.mode ?? '',
        at: at.getTime(),
        durationMs: performance.now() - began,
        workUnits,
        outcome,
      })

    const ended = (outcome: string, workUnits: number) => {
      const milliseconds = performance.now() - began
      observe?.({ caller: request.caller, operation: operation.name, outcome, milliseconds, workUnits })
    }

    const shape = (answer: Answer<unknown>): CallResult => ({
      data: answer.data,
      meta: {
        timestamp: services.now().toISOString(),
        work_units: unitsOf(operation, answer),
        next_cursor: answer.nextCursor ?? null,
        workspace: request.caller.workspaceId,
        ...(answer.note ? { note: answer.note } : {}),
      },
    })
    const shapeWrite = (answer: Answer<unknown>, change_id: ChangeId | null): CallResult => {
      const { data, meta } = shape(answer)
      return { data, meta: { ...meta, change_id } }
    }

    const read: ReadContext['read'] = work => database.transaction(readingScope(operation, request.caller), work)
    const context: ReadContext = { caller: request.caller, services, idempotencyKey: request.idempotencyKey, read }
    const followed = new Set<string>()
    const readingContext: ReadContext = {
      ...context,
      read: work => read(transaction => work(following(transaction, followed))),
    }

    const answerRead = async (reading: ReadOperation, input: CallRequest['input']): Promise<CallResult> => {
      const own = withVerifiedCursor(reading, request.caller, input)
      const { nextCursor = null, ...answer } = await retryingRead(() => reading.run(own, readingContext))
      const sealed = nextCursor && signCursor(reading, request.caller, input, nextCursor)
      const note = [answer.note, ...followed].filter(Boolean).join(' ')
      const answered = shape({ ...answer, nextCursor: sealed, note })
      buffer.add(factsOf('ok', answered.meta.work_units))
      return answered
    }

    /**
     * The write's preparation, or the stored answer of its key. When the first call of the key commits meanwhile, the
     * preparation may fail; then the stored answer exists.
     */
    const prepare = async (
      writing: WriteOperation,
      input: CallRequest['input'],
      once: IdempotentCall | null,
    ): Promise<{ readonly repeated?: CallResult; readonly prepared?: unknown }> => {
      if (writing.prepare === undefined) return {}
      const answeredBefore = async () => once && (await read(transaction => firstAnswer(transaction, once)))
      const repeated = await answeredBefore()
      if (repeated) return { repeated }
      try {
        return { prepared: await writing.prepare(input, context) }
      } catch (error) {
        const meanwhile = await answeredBefore()
        if (meanwhile) return { repeated: meanwhile }
        throw error
      }
    }

    const write = async (writing: WriteOperation, input: CallRequest['input']): Promise<CallResult> => {
      const { caller, idempotencyKey } = request
      const once = idempotencyKey === null ? null : idempotentCall(caller, idempotencyKey, operation.name, input)
      const { repeated, prepared } = await prepare(writing, input, once)
      if (repeated) {
        buffer.add(factsOf('repeated', 0))
        return repeated
      }
      await writing.changeBefore?.(prepared, services)
      let afterCommit: Answer<unknown>['afterCommit']
      const store = async (transaction: Transaction): Promise<CallResult> => {
        const earlier = once && (await lockedAnswer(transaction, once))
        if (earlier) {
          await recordActivity(transaction, [factsOf('repeated', 0)])
          return earlier
        }
        const writeContext = { caller, services, evictKey, changeId: newId<ChangeId>() }
        const apply = () => writing.apply(input, transaction, writeContext, prepared)
        const { answer, changeId } = await recordChange(
          transaction,
          writing,
          { context: writeContext, input, at },
          apply,
        )
        afterCommit = answer.afterCommit
        const answered = shapeWrite(answer, changeId)
        await auditCall(transaction, caller, { operation: operation.name, input, data: answer.data })
        if (once) await storeAnswer(transaction, once, answered, answer.secretFields)
        await recordActivity(transaction, [factsOf('ok', answered.meta.work_units)])
        await writing.changeOutside?.(prepared, services)
        return answered
      }
      const stored = () => database.transaction(writingScope(writing, caller), store)
      const answered = await (writing.changeOutside ? outside(caller.tenantId, stored) : stored())
      afterCommit?.()
      return answered
    }

    try {
      const { tool } = request
      const called = tool ? `${tool.name} ${tool.mode}` : operation.name
      const from = senderOf(request.caller)
      const input = bodies.spending(from, () => acceptedInput(operation, request.input, called))
      // A person called no operation, but pressed something.
      permit(operation, request.caller, request.caller.via.kind === 'app' ? 'This' : called)
      await limit.admit(request.caller, operation.units)
      const answered = await turn(request.caller, () =>
        operation.effect === 'read' ? answerRead(operation, input) : write(operation, input),
      )
      await limit.add(request.caller, answered.meta.work_units - operation.units)
      ended('ok', answered.meta.work_units)
      return answered
    } catch (thrown) {
      const located = thrown instanceof SignalPending ? await withWhereSignalIs(thrown, context) : asAssayError(thrown)
      const error = withRepeatAdvice(located, operation, request.idempotencyKey)
      buffer.add(factsOf(error.code, 0))
      // The cached rights of the key may be outdated, so its next call looks them up.
      const { via } = request.caller
      if (via.kind === 'key' && (error.code === 'unauthorized' || error.code === 'forbidden')) evictKey(via.keyId)
      ended(error.code, 0)
      throw error
    }
  }
}

const lockedAnswer = async (transaction: Transaction, once: IdempotentCall): Promise<CallResult | null> => {
  await lockKey(transaction, once)
  return firstAnswer(transaction, once)
}

const unitsOf = ({ units }: Operation, { size = 1 }: Answer<unknown>): number => units * Math.max(1, size)

/** Lowest first. */
const RANKS = [...MEMBER_ROLES].reverse()

/** Throws `forbidden` with the `called` name. */
const permit = (operation: Operation, caller: Caller, called: string): void => {
  const provisions = isProvisioning(caller)
  if (provisions && operation.provisioning !== true) {
    throw new AssayError(
      'forbidden',
      'This key’s scope is provisioning: it calls create_workspace and list_workspaces. For all else use a key of the workspace, which a member makes in the app.',
    )
  }
  if (operation.audience === 'people' && caller.via.kind !== 'app' && !provisions) {
    throw new AssayError('forbidden', `${called} is for signed-in people in the app; no key may call it.`)
  }
  if (operation.role === 'administrator') {
    if (caller.via.kind === 'app' && caller.via.administers) return
    throw new AssayError(
      'forbidden',
      `${called} needs the role administrator of the installation: it concerns everybody’s workspaces. Settings → Installation says who has it.`,
    )
  }
  if (RANKS.indexOf(caller.role) < RANKS.indexOf(operation.role)) {
    throw new AssayError(
      'forbidden',
      `${called} needs the role ${operation.role} in this workspace; yours is ${caller.role}. An owner can change that.`,
    )
  }
}
