import { parentPort } from 'node:worker_threads'
import { giveWayToOtherThreads } from '../../infra/runtime/threads.ts'
import { ENDPOINT_RECEIVERS } from './index.ts'
import type { LargeAnswer, LargeRequest } from './large-bodies.ts'

const port = parentPort
if (port === null) throw new Error('This file is a thread of the edge: see large-bodies.ts.')

giveWayToOtherThreads()

const answer = (message: LargeAnswer, body: Buffer): void => {
  // Passed back or freed at once: the garbage collector frees the memory of large bodies too late.
  const buffer = body.buffer as ArrayBuffer
  if (message.is === 'proven') port.postMessage(message, [buffer])
  else {
    buffer.transfer(0)
    port.postMessage(message)
  }
}

port.on('message', ({ ask, path, request }: LargeRequest) => {
  const receiver = ENDPOINT_RECEIVERS.find(candidate => candidate.path === path)
  if (receiver === undefined) throw new Error('There is no such receiver.')
  const { buffer, byteOffset, byteLength } = request.body
  // A transferred Buffer arrives as a plain Uint8Array.
  const body = Buffer.from(buffer, byteOffset, byteLength)
  if (ask === 'receive') return answer({ is: 'answered', answer: receiver.receive({ ...request, body }) }, body)
  const unproven = receiver.prove({ ...request, body })
  answer(unproven === null ? { is: 'proven', body } : { is: 'answered', answer: unproven }, body)
})
