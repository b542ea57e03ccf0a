import { parentPort } from 'node:worker_threads'
import { giveWayToOtherThreads } from '../../../infra/runtime/threads.ts'
import type { ReadRequest, ReadResponse } from './reader.ts'
import { readMail } from './reading/mail.ts'

const port = parentPort
if (port === null) throw new Error('This file is a thread of the edge: see reader.ts.')

giveWayToOtherThreads()

port.on('message', async ({ mail, sender }: ReadRequest) => {
  const reading = await readMail(Buffer.from(mail.buffer, mail.byteOffset, mail.byteLength), sender)
  port.postMessage({ reading } satisfies ReadResponse)
})
