import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { signBits } from '../../infra/vector-index/sign-bits.ts'
import { plantVectors } from '../../infra/vector-index/testing.ts'
import { newId, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { storeVectors } from '../signals/store-vectors.ts'
import { createNeighbours, type Neighbours } from './neighbours.ts'
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
    await db.pool.query(
      `insert into signals (id, workspace_id, number, channel, text, text_hash, signal_origin, actor_role, occurred_at,
         received_at, classification, classification_confidence, classification_version)
       select gen_random_uuid(), $1, 1000000 + n, 'webhook', 'x', '', 'customer', 'user', now(), now(), 'problem', 1, '1'
       from generate_series(1, 2500) as n`,
      [one.workspaceId],
    )
    await db.pool.query(
      `insert into signal_vectors (signal_id, workspace_id, model, place, embedding)
       select id, workspace_id, $2, number - 1000000, array_fill(((number % 7) - 3)::real, array[1024])::vector
       from signals where workspace_id = $1`,
      [one.workspaceId, MODEL],
    )
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

  it('has the bits that the database has', async () => {
    const asked = await space()
    const vector = member()
    const [id] = await store(asked, [vector])
    const { rows } = await db.pool.query('select bits::text as bits from signal_vectors where signal_id = $1', [id])
    const own = Array.from(signBits(vector), word => word.toString(2).padStart(32, '0')).join('')
    assert.equal(rows[0].bits, own)
  })
})
