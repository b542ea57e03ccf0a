import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLogger } from '../../infra/runtime/logger.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { newId, type SourceId } from '../../schemas/domain/ids.ts'
import { createFakeSources, postSignal, startTestEdge } from '../testing.ts'
import { createRegistry } from './registry.ts'

const logger = createLogger({ level: 'silent', program: 'ingest' })
const POLL_MS = 20

const started = async (sources = createFakeSources()) => {
  const registry = createRegistry(sources.loader, POLL_MS, logger)
  await registry.start()
  return { registry, sources }
}

describe('the registry of sources', () => {
  it('knows what exists without asking again', async () => {
    const sources = createFakeSources()
    const source = sources.add()
    const { registry } = await started(sources)
    assert.deepEqual(registry.find(source.id), { kind: 'found', source })
    assert.equal(sources.calls.find, 0)
    registry.stop()
  })

  it('finds a new source at once', async () => {
    const { registry, sources } = await started()
    const source = sources.add()
    assert.deepEqual(await registry.find(source.id), { kind: 'found', source })
    registry.stop()
  })

  it('asks once for many that want the same new source, and once for a flood of invented ids', async () => {
    const { registry, sources } = await started()
    const source = sources.add()
    const wanted = [...Array(50).fill(source.id), ...Array.from({ length: 500 }, () => newId<SourceId>())]
    const found = await Promise.all(wanted.map(id => registry.find(id)))
    assert.equal(found.filter(({ kind }) => kind === 'found').length, 50)
    assert.ok(sources.calls.find <= 3, `it asked ${sources.calls.find} times`)
    registry.stop()
  })

  it('does not ask again at once for an id that does not exist', async () => {
    const { registry, sources } = await started()
    const id = newId<SourceId>()
    for (let i = 0; i < 10; i++) assert.equal((await registry.find(id)).kind, 'unknown')
    assert.equal(sources.calls.find, 1)
    registry.stop()
  })

  it('says that it cannot tell rather than piling lookups up', async () => {
    const { registry } = await started()
    const found = await Promise.all(Array.from({ length: 3_000 }, () => registry.find(newId<SourceId>())))
    const kinds = new Set(found.map(({ kind }) => kind))
    assert.deepEqual(kinds, new Set(['unknown', 'unavailable']))
    registry.stop()
  })

  it('sees changes and deletions by itself', async () => {
    const sources = createFakeSources()
    const kept = sources.add()
    const removed = sources.add()
    const { registry } = await started(sources)
    const changed = sources.add({ ...kept, secrets: [{ value: 'a new secret', until: null }] })
    sources.remove(removed.id)
    await eventually('the deletion is seen', () => registry.size() === 1)
    assert.deepEqual(await registry.find(kept.id), { kind: 'found', source: changed })
    assert.equal((await registry.find(removed.id)).kind, 'unknown')
    registry.stop()
  })

  it('asks for what changed since the poll before and a minute more, and is told what it knows once', async () => {
    const sources = createFakeSources()
    for (let count = 0; count < 50; count += 1) sources.add()
    const { registry } = await started(sources)
    await eventually('it asked some times', () => sources.calls.polls > 5)
    assert.equal(sources.calls.states, 0)
    assert.ok(sources.calls.within > 60_000)
    sources.setUnavailable(true)
    const [asked, within] = [sources.calls.polls, sources.calls.within]
    await eventually('it asked in vain', () => sources.calls.polls > asked + 5)
    assert.ok(sources.calls.within > within, 'it reaches back to the last poll that was answered')
    sources.setUnavailable(false)
    sources.add()
    await eventually('the new one is known', () => registry.size() === 51)
    assert.equal(sources.calls.states, 1)
    registry.stop()
  })

  it('keeps what it knows while the store is away, cannot tell about others, and recovers', async () => {
    const sources = createFakeSources()
    const source = sources.add()
    const { registry } = await started(sources)
    sources.setUnavailable(true)
    const asked = sources.calls.polls
    await eventually('it asked in vain', () => sources.calls.polls > asked + 1)
    assert.equal((await registry.find(source.id)).kind, 'found')
    assert.equal((await registry.find(newId<SourceId>())).kind, 'unavailable')
    sources.setUnavailable(false)
    sources.remove(source.id)
    await eventually('it is up to date again', () => registry.size() === 0)
    registry.stop()
  })

  it('makes an edge answer 503 rather than 404 until the store was reached once', async () => {
    const sources = createFakeSources()
    sources.setUnavailable(true)
    const source = sources.add()
    const edge = await startTestEdge({}, { sources: sources.loader })
    try {
      const early = await postSignal(edge.url, source.id, { text: 'x' })
      assert.equal(early.status, 503)
      assert.ok(Number(early.headers.get('retry-after')) > 0)
      assert.equal((await fetch(`${edge.url}/readyz`)).status, 503)
      sources.setUnavailable(false)
      await eventually('the sources were loaded', async () => (await fetch(`${edge.url}/readyz`)).status === 200)
      assert.equal((await postSignal(edge.url, source.id, { text: 'x' })).status, 200)
    } finally {
      await edge.stop()
    }
  })
})
