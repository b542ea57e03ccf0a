import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Database } from '../../infra/postgres/port.ts'
import { countTransactions, startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { inBackground } from '../../infra/runtime/yielding.ts'
import { createScannedIndex, signBits } from '../../infra/vector-index/sign-bits.ts'
import { plantVectors } from '../../infra/vector-index/testing.ts'
import { newId, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { storeVectors } from '../signals/store-signals.ts'
import { createNeighbours, type Neighbours } from './neighbours.ts'
import { createSnapshots } from './snapshots.ts'
import type { VectorSpace } from './stored-bits.ts'

const MODEL = 'test-model'
const { member, at } = plantVectors(4)

describe('Neighbours', () => {
  let db: TestDatabase
  let numbers = 0
  before(async () => {
    db = await startTestDatabase()
  })
  after(() => db.stop())

  const space = async (model = MODEL): Promise<VectorSpace> => {
    const [workspaceId] = await db.workspaces(1)
    assert.ok(workspaceId)
    return { workspaceId, model }
  }
  const signal = async (workspaceId: WorkspaceId): Promise<SignalId> => {
    const id = newId<SignalId>()
    numbers += 1
    await db.pool.query(
      `insert into signals (id, workspace_id, number, channel, text, text_hash, signal_origin, actor_role, occurred_at,
         received_at, classification, classification_confidence, classification_version)
       values ($1, $2, $3, 'webhook', 'x', '', 'customer', 'user', now(), now(), 'problem', 1, '1')`,
      [id, workspaceId, numbers],
    )
    return id
  }
  const store = async ({ workspaceId, model }: VectorSpace, vectors: readonly Float32Array[]): Promise<SignalId[]> => {
    const ids: SignalId[] = []
    for (const _ of vectors) ids.push(await signal(workspaceId))
    await db.database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, transaction =>
      storeVectors(
        transaction,
        vectors.map((vector, index) => ({ signalId: ids[index] as SignalId, workspaceId, model, vector })),
      ),
    )
    return ids
  }
  /** At the places behind `after`. */
  /** How many vectors one statement makes: on a busy machine more of them take longer than a statement may. */
  const VECTORS_A_STATEMENT = 250
  const storeMany = async ({ workspaceId, model }: VectorSpace, after: number, count: number): Promise<void> => {
    for (let from = after; from < after + count; from += VECTORS_A_STATEMENT) {
      const to = Math.min(from + VECTORS_A_STATEMENT, after + count)
      await db.pool.query(
        `insert into signals (id, workspace_id, number, channel, text, text_hash, signal_origin, actor_role, occurred_at,
           received_at, classification, classification_confidence, classification_version)
         select gen_random_uuid(), $1, 1000000 + n, 'webhook', 'x', '', 'customer', 'user', now(), now(), 'problem', 1, '1'
         from generate_series($2::int + 1, $3::int) as n`,
        [workspaceId, from, to],
      )
      await db.pool.query(
        `insert into signal_vectors (signal_id, workspace_id, model, place, embedding)
         select id, workspace_id, $2, number - 1000000, array(select hashint4(number * 1024 + i)::real from generate_series(1, 1024) as i)::vector
         from signals where workspace_id = $1 and number > 1000000 + $3::int`,
        [workspaceId, model, from],
      )
    }
  }
  const refresh = (neighbours: Neighbours, asked: VectorSpace) =>
    db.database.transaction({ role: 'assay_pipeline', workspaceIds: [asked.workspaceId] }, transaction =>
      neighbours.refresh(transaction, [asked]),
    )
  const fresh = () => createNeighbours({ maxBytes: 1024 * 1024 })
  const namesOf = (neighbours: Neighbours, asked: VectorSpace, vector: Float32Array) =>
    neighbours.nearest(asked, signBits(vector), 10).map(({ signalId }) => signalId)

  it('holds what was stored when it was refreshed, and takes in the rest at the next time', async () => {
    const asked = await space()
    const probe = member()
    const first = await store(asked, [at(0.7, probe), at(0.9, probe)])
    const neighbours = fresh()
    await refresh(neighbours, asked)
    assert.deepEqual(namesOf(neighbours, asked, probe), first.toReversed())
    assert.equal(neighbours.through(asked), 2)
    const second = await store(asked, [probe])
    await refresh(neighbours, asked)
    assert.deepEqual(namesOf(neighbours, asked, probe), [...second, ...first.toReversed()])
    assert.equal(neighbours.nearest(asked, signBits(probe), 1)[0]?.distance, 0)
  })

  it('takes each row in once when two read at the same time', async () => {
    const asked = await space()
    const ids = await store(asked, [member(), member()])
    const neighbours = fresh()
    await Promise.all([refresh(neighbours, asked), refresh(neighbours, asked), neighbours.warm(db.database, [asked])])
    assert.equal(namesOf(neighbours, asked, member()).length, ids.length)
  })

  it('keeps workspaces and models apart', async () => {
    const asked = await space()
    const [otherModel, elsewhere] = [{ ...asked, model: 'another' }, await space()]
    const probe = member()
    await store(asked, [probe])
    const neighbours = fresh()
    for (const one of [asked, otherModel, elsewhere]) await refresh(neighbours, one)
    assert.equal(namesOf(neighbours, asked, probe).length, 1)
    assert.deepEqual(namesOf(neighbours, otherModel, probe), [])
    assert.deepEqual(namesOf(neighbours, elsewhere, probe), [])
  })

  it('finds an old signal that got a vector of the model late', async () => {
    const asked = await space()
    const old = await signal(asked.workspaceId)
    const neighbours = fresh()
    await store(asked, [member()])
    await refresh(neighbours, asked)
    const probe = member()
    await db.database.transaction({ role: 'assay_pipeline', workspaceIds: [asked.workspaceId] }, transaction =>
      storeVectors(transaction, [{ signalId: old, ...asked, vector: probe }]),
    )
    await refresh(neighbours, asked)
    assert.equal(neighbours.nearest(asked, signBits(probe), 1)[0]?.signalId, old)
  })

  it('reads a cold space page by page, and forgets the one that was used least recently when there is no room', async () => {
    const [one, other] = [await space(), await space()]
    await storeMany(one, 0, 2500)
    await store(other, [member()])
    const neighbours = createNeighbours({ maxBytes: 1000 })
    await neighbours.warm(db.database, [one])
    assert.equal(neighbours.through(one), 2500)
    await neighbours.warm(db.database, [other])
    assert.equal(neighbours.through(other), 1)
    assert.equal(neighbours.through(one), 0)
    await refresh(neighbours, one)
    assert.equal(neighbours.through(one), 2500)
  })

  /** A database whose second transaction waits until it is let go, or fails. */
  const holdSecond = (isFailing = false) => {
    const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const counted = countTransactions(db.database)
    const database: Database = {
      ...counted.database,
      transaction: async (scope, work) => {
        if (counted.begun() === 1) {
          reached.resolve()
          if (isFailing) throw new AssayError('unavailable', 'Away.')
          await gate.promise
        }
        return counted.database.transaction(scope, work)
      },
    }
    return { database, begun: counted.begun, reached: reached.promise, letGo: gate.resolve }
  }

  it('goes on with a cold space where its reading failed, before any transaction of a step', async () => {
    const asked = await space()
    await storeMany(asked, 0, 2500)
    const neighbours = fresh()
    await assert.rejects(neighbours.warm(holdSecond(true).database, [asked]), { code: 'unavailable' })
    assert.equal(neighbours.through(asked), 2000)
    const { database, begun } = countTransactions(db.database)
    await neighbours.warm(database, [asked])
    assert.deepEqual([neighbours.through(asked), begun()], [2500, 1])
  })

  it('shares the reading of a cold space, which is whole for whoever asked meanwhile', async () => {
    const [asked, other] = [await space(), await space()]
    await storeMany(asked, 0, 2500)
    await store(other, [member()])
    const neighbours = createNeighbours({ maxBytes: 1 << 24 })
    const { database, begun, reached, letGo } = holdSecond()
    const first = neighbours.warm(database, [asked])
    await reached
    assert.equal(neighbours.through(asked), 2000)
    const meanwhile = countTransactions(db.database)
    const second = neighbours.warm(meanwhile.database, [asked, other])
    letGo()
    await second
    assert.deepEqual([neighbours.through(asked), neighbours.through(other)], [2500, 1])
    await first
    assert.deepEqual([begun(), meanwhile.begun()], [2, 1])
  })

  it('does not wait in front for what is read in the background, and takes each row in once', async () => {
    const asked = await space()
    await storeMany(asked, 0, 2500)
    const neighbours = createNeighbours({ maxBytes: 1 << 24, createIndex: createScannedIndex })
    const { database, reached, letGo } = holdSecond()
    const behind = inBackground(() => neighbours.warm(database, [asked]))
    await reached
    await neighbours.warm(db.database, [asked])
    assert.equal(neighbours.through(asked), 2500)
    letGo()
    await behind
    assert.equal(neighbours.nearest(asked, signBits(member()), 3000).length, 2500)
  })

  it('keeps a space that is being read where there is no room, and has it at the end', async () => {
    const [asked, other] = [await space(), await space()]
    await storeMany(asked, 0, 2500)
    await store(other, [member()])
    const neighbours = createNeighbours({ maxBytes: 1000 })
    const { database, begun, reached, letGo } = holdSecond()
    const first = neighbours.warm(database, [asked])
    await reached
    await neighbours.warm(db.database, [other])
    letGo()
    await first
    assert.deepEqual([neighbours.through(asked), begun()], [2500, 2])
  })

  it('begins with the snapshot of a large space, and with none that holds more or less than the database', async () => {
    const path = await mkdtemp(join(tmpdir(), 'assay-snapshots-'))
    try {
      const asked = await space()
      await storeMany(asked, 0, 2500)
      const { database, begun } = countTransactions(db.database)
      const start = () => createNeighbours({ maxBytes: 1 << 24, snapshots: createSnapshots(path, 2100) })
      const keptNow = async (places: string) =>
        eventually('it is kept', async () => {
          const names = (await readdir(path)).filter(name => !name.startsWith('writing-'))
          return names.length === 1 && names[0]?.endsWith(`-${places}`) === true
        })
      const first = start()
      await first.warm(database, [asked])
      await keptNow('2500')
      const probe = member()
      const [newest] = await store(asked, [probe])

      const before = begun()
      const second = start()
      await second.warm(database, [asked])
      assert.equal(begun() - before, 2, 'one to prove the snapshot, one for what came since')
      assert.equal(second.through(asked), 2501)
      assert.deepEqual(namesOf(second, asked, probe)[0], newest)
      for (const vector of [member(), member()]) {
        const [one, other] = [first, second].map(each => each.nearest(asked, signBits(vector), 1)[0]?.distance)
        assert.ok(one !== undefined && other !== undefined && other <= one)
      }
      // Not again before it is a quarter larger.
      await second.warm(database, [asked])
      await keptNow('2500')
      await storeMany(asked, 3000, 700)
      await refresh(second, asked)
      await second.warm(database, [asked])
      await keptNow('3700')

      const file = join(path, (await readdir(path))[0] ?? assert.fail(), 'graph')
      const graph = await readFile(file)
      await writeFile(file, graph.subarray(0, graph.length / 2))
      const third = start()
      await third.warm(db.database, [asked])
      assert.equal(third.through(asked), 3700, 'a broken one is not read')
      await keptNow('3700')
      await eventually('it is whole again', async () => (await stat(file)).size > graph.length / 2)

      await createSnapshots(path).sweep(db.database)
      assert.equal((await readdir(path)).length, 1, 'what is true stays')
      await db.pool.query('delete from signals where id = $1', [newest])
      await createSnapshots(path).sweep(db.database)
      assert.deepEqual(await readdir(path), [], 'what holds an erased signal goes')
    } finally {
      await rm(path, { recursive: true })
    }
  })

  it('has the bits that the database has', async () => {
    const asked = await space()
    const vector = member()
    const [id] = await store(asked, [vector])
    const { rows } = await db.pool.query('select bits::text as bits from signal_vectors where signal_id = $1', [id])
    const own = Array.from(signBits(vector), word => word.toString(2).padStart(32, '0')).join('')
    assert.equal(rows[0].bits, own)
  })
})
