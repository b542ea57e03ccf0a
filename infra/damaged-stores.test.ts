import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openEngine } from './clickhouse/embedded/engine.ts'
import { startEmbeddedLog } from './log/embedded/index.ts'
import { isAssayError } from './runtime/errors.ts'

/**
 * Files of each store damaged as they lie after a kill, when no note says what they were like (see
 * runtime/data-contents.test.ts for those after a stop, postgres/embedded/index.test.ts for the database): the store
 * either has everything or is refused in one sentence that names what to restore.
 */
const root = await mkdtemp(join(tmpdir(), 'assay-damaged-'))
after(() => rm(root, { recursive: true, force: true }))

type Damage = (file: string) => Promise<void>

const DAMAGES: Readonly<Record<string, Damage>> = {
  'cut to nothing': file => truncate(file),
  'cut in half': async file => truncate(file, (await stat(file)).size >> 1),
  garbled: async file => {
    const bytes = await readFile(file)
    const step = Math.max(1, bytes.length >> 6)
    for (let at = 0; at < bytes.length; at += step) bytes[at] = (bytes[at] ?? 0) ^ 0x5a
    await writeFile(file, bytes)
  },
  removed: file => rm(file),
  'replaced by a folder': async file => {
    await rm(file)
    await mkdir(file)
  },
}

interface Store {
  readonly name: string
  /** Opens it, answers how much is there, and closes it. */
  count(directory: string): Promise<number>
  readonly all: number
}

let copies = 0

/** Whether `count` answers everything for a copy with the file damaged; else it must be refused as it should. */
const lookAt = async ({ name, count, all }: Store, pristine: string, file: string, damage: Damage): Promise<void> => {
  copies += 1
  const directory = join(root, `${name}-${copies}`)
  await cp(pristine, directory, { recursive: true, verbatimSymlinks: true })
  await damage(join(directory, file))
  try {
    assert.equal(await count(directory), all, `${file} was damaged, and it was served in silence`)
  } catch (error) {
    if (!isAssayError(error)) throw error
    assert.equal(error.code, 'damaged')
    assert.ok(error.publicMessage.includes(directory), error.publicMessage)
    assert.match(error.publicMessage, /Restore the (whole )?data directory from a backup|Give it to the user/)
    assert.doesNotMatch(error.publicMessage, /Aborted|\n|\bat /)
  }
  await rm(directory, { recursive: true, force: true })
}

const describeDamages = (store: Store, pristine: string, files: () => Promise<readonly string[]>, kinds: string[]) => {
  for (const kind of kinds) {
    test(`${store.name}: a file ${kind}`, async () => {
      for (const file of await files()) await lookAt(store, pristine, file, DAMAGES[kind] ?? assert.fail(kind))
    })
  }
}

const EVERY_KIND = Object.keys(DAMAGES)

describe('The log', () => {
  const RECORDS = 500
  const pristine = join(root, 'log')
  const topic = { name: 'n', partitions: 2, retentionMs: 3_600_000 }
  const log: Store = {
    name: 'log',
    all: RECORDS,
    async count(directory) {
      const { log, stop } = await startEmbeddedLog({ directory })
      const consumer = await log.consume({
        group: 'g',
        topics: ['n'],
        maxRecords: 1,
        onBatch: async () => ({ next: 0 }),
      })
      const places = await log.lag('g')
      await consumer.stop()
      await stop()
      return places.reduce((sum, place) => sum + place.highWatermark, 0)
    },
  }
  before(async () => {
    const live = join(root, 'live-log')
    const { log, stop } = await startEmbeddedLog({ directory: live })
    await log.ensureTopics([topic])
    const value = new Uint8Array(1000)
    for (let n = 0; n < RECORDS; n += 50) {
      await log.append(Array.from({ length: 50 }, (_, key) => ({ topic: 'n', key: String(key), value })))
    }
    // As a kill would leave it, with what was not yet moved out of the write-ahead log.
    await cp(live, pristine, { recursive: true })
    await stop()
  })
  describeDamages(
    log,
    pristine,
    async () => (await readdir(pristine)).filter(name => !name.endsWith('-shm')),
    EVERY_KIND,
  )
})

describe('The analytics engine', () => {
  const pristine = join(root, 'analytics')
  const analytics: Store = {
    name: 'analytics',
    all: 1000,
    async count(directory) {
      const engine = openEngine(directory)
      try {
        const { bytes } = await engine.run(['select count(), sum(n), max(t) from w'], 'TabSeparated')
        return Number(new TextDecoder().decode(bytes).split('\t')[0])
      } finally {
        engine.close()
      }
    },
  }
  before(async () => {
    const engine = openEngine(pristine)
    await engine.run(['create table w (n UInt32, t String) engine = MergeTree order by n'], 'Null')
    await engine.run(['insert into w select number, toString(number) from numbers(1000)'], 'Null')
    engine.close()
  })
  const files = async () => {
    const all = await readdir(pristine, { recursive: true })
    // What a part cannot do without. A garbled `data.bin` answers an error when it is read, as its checksum does not
    // fit.
    return all.filter(name => /\/all_1_1_0\/(count|columns)\.txt$|\/all_1_1_0\/data\.cmrk4$/.test(name))
  }
  describeDamages(analytics, pristine, files, ['cut to nothing', 'cut in half', 'garbled', 'removed'])
})
