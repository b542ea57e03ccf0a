import { parentPort } from 'node:worker_threads'
import { EMBEDDING_DIMENSIONS } from '../../schemas/domain/vocabulary.ts'
import { asAssayError } from '../runtime/errors.ts'
import { embedTexts } from './built-in-embedder.ts'
import type { EmbedAnswer, EmbedQuestion } from './embedder-thread.ts'

const port = parentPort
if (port === null) throw new Error('This file is a thread: see embedder-thread.ts.')

const answerFor = async ({ id, texts }: EmbedQuestion): Promise<EmbedAnswer> => {
  try {
    const numbers = new Float32Array(texts.length * EMBEDDING_DIMENSIONS)
    for (const [at, vector] of (await embedTexts(texts)).entries()) numbers.set(vector, at * EMBEDDING_DIMENSIONS)
    return { id, kind: 'vectors', numbers }
  } catch (error) {
    // Only these fields leave the thread: the error's other texts may quote a sender.
    const { code, publicMessage: message } = asAssayError(error)
    return { id, kind: 'refused', code, message }
  }
}

let before: Promise<unknown> = Promise.resolve()

// One question after another, so that the first is answered soonest. Null ends the thread.
port.on('message', (question: EmbedQuestion | null) => {
  before = before.then(async () => {
    if (question === null) return port.close()
    const answer = await answerFor(question)
    port.postMessage(answer, answer.kind === 'vectors' ? [answer.numbers.buffer] : [])
  })
})
