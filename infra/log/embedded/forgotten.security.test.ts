import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createByteSearch } from '../../backup/byte-search.ts'
import { searchFiles } from '../../backup/search-files.ts'
import { startFor, temporaryDirectory } from './testing.ts'

const MARK = 'zwirbelkasten'
const TOPIC = 'topic'

test('A record that was worked off is in no byte of the log’s files once the log was told to forget it', async t => {
  const directory = await temporaryDirectory(t)
  const running = await startFor(t, { directory })
  const { log } = running
  await log.ensureTopics([{ name: TOPIC, partitions: 3, retentionMs: 86_400_000 }])
  const found = async () => {
    const files = await searchFiles(directory, createByteSearch([Buffer.from(MARK)]))
    return [...files.values()].reduce((sum, [count = 0]) => sum + count, 0)
  }
  // Small and large ones, of which the large have pages of their own.
  for (let round = 0; round < 40; round += 1) {
    const records = Array.from({ length: 50 }, (_, number) => ({
      topic: TOPIC,
      key: `${MARK} ${round} ${number}`,
      headers: { said: `${MARK} ${number}` },
      value: Buffer.from(`${MARK} `.repeat(1 + (number % 7) * 150)),
    }))
    await log.append(records)
  }
  let worked = 0
  const consumer = await log.consume({
    group: 'all',
    topics: [TOPIC],
    maxRecords: 500,
    onBatch: async ({ records }, { commit }) => {
      const next = (records.at(-1)?.offset ?? -1) + 1
      await commit(next)
      worked += records.length
      return { next }
    },
  })
  while (worked < 2000) await new Promise(resolve => setTimeout(resolve, 10))
  const before = await found()
  assert.ok(before > 10_000, `${before} places`)

  const connection = running.openCopy()
  await connection.call('copy_begin', null)
  await assert.rejects(connection.call('forget', { takenUpTo: Date.now() }), { code: 'unavailable' })
  await connection.call('copy_end', null)
  await connection.call('forget', { takenUpTo: Date.now() })
  assert.equal(await found(), 0)
  await connection.close()
  await consumer.stop()
})
