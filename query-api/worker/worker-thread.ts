import { parentPort } from 'node:worker_threads'
import { asAssayError } from '../../infra/runtime/errors.ts'
import { giveWayToOtherThreads } from '../../infra/runtime/threads.ts'
import { type Question, WORK } from './work.ts'
import type { WorkAnswer } from './worker.ts'

const port = parentPort
if (port === null) throw new Error('This file is a thread of the query API: see worker.ts.')

giveWayToOtherThreads()

/** Only these fields leave the thread: the error's other texts may contain a sender's words. */
const refusedBy = (thrown: unknown): WorkAnswer => {
  const { code, publicMessage, violations, context } = asAssayError(thrown)
  return { is: 'refused', code, message: publicMessage, violations, context }
}

const perform = async ({ kind, input }: Question): Promise<WorkAnswer> => {
  try {
    // Each kind of question has the input of its work.
    return { is: 'done', value: await (WORK[kind] as (given: typeof input) => unknown)(input) }
  } catch (thrown) {
    return refusedBy(thrown)
  }
}

port.on('message', async (question: Question) => port.postMessage(await perform(question)))
