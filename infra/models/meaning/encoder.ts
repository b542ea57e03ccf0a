import { readFileSync } from 'node:fs'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import model from './model.json' with { type: 'json' }
import type { TextRows } from './table.ts'

/** One thread: a text's matrices are too small to split, and other cores have other work. */
const OPTIONS: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  // The runtime writes warnings to standard error, past the log.
  logSeverityLevel: 3,
}

let session: Promise<InferenceSession> | null = null

const openSession = (): Promise<InferenceSession> => {
  session ??= InferenceSession.create(readFileSync(new URL('encoder.onnx', import.meta.url)), OPTIONS)
  return session
}

/** The meaning of a text's rows: 512 numbers, not normalized. Takes 13 µs a piece; a text has at most 64 pieces. */
export const encode = async ({ rows, count }: TextRows): Promise<Float32Array> => {
  const { meaning } = await (await openSession()).run({ rows: new Tensor('float32', rows, [count, model.dimensions]) })
  if (!(meaning?.data instanceof Float32Array)) throw new TypeError('The encoder answered no numbers.')
  return meaning.data
}
