import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AssayError } from '../runtime/errors.ts'
import { createLogger } from '../runtime/logger.ts'
import { createArchive } from './archive.ts'
import { copyEmbedded, type EmbeddedEngines } from './copy-embedded.ts'

test('a database that cannot begin a copy ends that of the log, which works its write-ahead log in again', async () => {
  const asked: string[] = []
  const connection = {
    call: async (name: string) => void asked.push(name),
    close: async () => void asked.push('close'),
  } as unknown as ReturnType<EmbeddedEngines['log']['openCopy']>
  const ended = new AssayError('unavailable', 'The database has ended.')
  const engines: EmbeddedEngines = {
    log: { openCopy: () => connection },
    postgres: { connection: '', holdCheckpoints: () => Promise.reject(ended) },
    clickhouse: { freeze: async () => {} },
    directory: '/nowhere',
    logger: createLogger({ level: 'silent', program: 'test' }),
  }
  await assert.rejects(
    copyEmbedded(engines, createArchive(), async () => null),
    ended,
  )
  assert.deepEqual(asked, ['copy_begin', 'copy_end', 'close'])
})
