import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { createLogger } from '../runtime/logger.ts'
import { embedTexts } from './built-in-embedder.ts'
import { createEmbedderThread } from './embedder-thread.ts'

const thread = createEmbedderThread(createLogger({ level: 'silent', program: 'test' }))
after(() => thread.stop())

const texts = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `The export of invoice ${at} fails when a customer has two addresses.`)

it('texts have on the thread the vectors that they have at once, in their order, however many there are', async () => {
  for (const count of [0, 1, 16, 17, 150])
    assert.deepEqual(await thread.embed(texts(count)), await embedTexts(texts(count)))
})

it('callers at the same time each get their own vectors', async () => {
  const [some, one] = await Promise.all([thread.embed(texts(40)), thread.embed(['日本語の本文です'])])
  assert.deepEqual(some, await embedTexts(texts(40)))
  assert.deepEqual(one, await embedTexts(['日本語の本文です']))
})

it('a thread that is stopped answers the texts on it, and the next text starts another', async () => {
  const ending = thread.embed(texts(64))
  await thread.stop()
  assert.equal((await ending).length, 64)
  assert.equal((await thread.embed(texts(1))).length, 1)
  await thread.stop()
  await thread.stop()
})

it('a refusal keeps its code, and the thread goes on', async () => {
  // Nobody asks for anything but strings; what is none is the one thing that the embedder cannot read.
  const broken = [undefined as unknown as string]
  await assert.rejects(thread.embed(broken), { code: 'internal' })
  assert.equal((await thread.embed(texts(1))).length, 1)
})
