import type { MessagePort } from 'node:worker_threads'
import { AssayError } from '../../runtime/errors.ts'
import type { CallMessage, CallName, Calls, Notice, ReplyMessage } from './protocol.ts'

interface Pending {
  readonly resolve: (reply: unknown) => void
  readonly reject: (error: AssayError) => void
}

export type Connection = ReturnType<typeof openConnection>

const notRunning = (): AssayError => new AssayError('unavailable', 'The log is not running.')

/** A client's end of the port: calls with replies, and notices to the members of this client. */
export const openConnection = (port: MessagePort) => {
  const pending = new Map<number, Pending>()
  const members = new Map<number, (notice: Notice) => void>()
  let lastCall = 0
  let lastMember = 0
  let closed = false

  port.on('message', (message: ReplyMessage | Notice) => {
    if ('notice' in message) return members.get(message.member)?.(message)
    const call = pending.get(message.id)
    pending.delete(message.id)
    if ('error' in message) call?.reject(new AssayError(message.error.code, message.error.message))
    else call?.resolve(message.reply)
  })
  const ended = new Promise<void>(resolve => port.once('close', resolve)).then(() => {
    closed = true
    for (const { reject } of pending.values()) reject(notRunning())
    pending.clear()
  })

  return {
    call<Name extends CallName>(
      call: Name,
      request: Calls[Name]['request'],
      transfer: readonly ArrayBuffer[] = [],
    ): Promise<Calls[Name]['reply']> {
      if (closed) return Promise.reject(notRunning())
      lastCall += 1
      const message: CallMessage<Name> = { id: lastCall, call, request }
      return new Promise((resolve, reject) => {
        // The thread replies to each call as `Calls` says.
        pending.set(message.id, { resolve: reply => resolve(reply as Calls[Name]['reply']), reject })
        port.postMessage(message, transfer)
      })
    },

    /** Registers `listener` for the notices of a new member, and returns the member's number. */
    addMember(listener: (notice: Notice) => void): number {
      lastMember += 1
      members.set(lastMember, listener)
      return lastMember
    },
    removeMember: (member: number): boolean => members.delete(member),
    hasMembers: (): boolean => members.size > 0,

    close(): Promise<void> {
      port.close()
      return ended
    },
  }
}
