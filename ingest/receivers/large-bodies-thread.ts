import { parentPort } from 'node:worker_threads'
import { ENDPOINT_RECEIVERS } from './index.ts'
import type { LargeAnswer, LargeRequest } from './large-bodies.ts'

const port = parentPort
if (port === null) throw new Error('This file is a thread of the edge: see large-bodies.ts.')

port.on('message', ({ path, request }: LargeRequest) => {
  const receiver = ENDPOINT_RECEIVERS.find(candidate => candidate.path === path)
  if (receiver === undefined) throw new Error('There is no such receiver.')
  const { buffer, byteOffset, byteLength } = request.body
  // A buffer comes as the plain array of bytes that it is.
  const body = Buffer.from(buffer, byteOffset, byteLength)
  port.postMessage(receiver.receive({ ...request, body }) satisfies LargeAnswer)
})
