import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createLogger } from '../../infra/runtime/logger.ts'
import { mergeTexts } from '../../model/living-documents/differences.ts'
import { previewSignals } from '../../model/transfers/signals/preview.ts'
import { newId, type TenantId, type TransferId } from '../../schemas/domain/ids.ts'
import { CALL_BODY } from '../operations/parts/body-limits.ts'
import { failsWith } from '../operations/testing.ts'
import { createWorker } from './worker.ts'

const worker = createWorker(createLogger({ level: 'silent', program: 'test' }))
after(() => worker.stop())

const lines = (words: readonly string[], count: number): string =>
  Array.from({ length: count }, (_, at) => `${words[at % words.length]}${at % 7}`).join('\n')
const MERGE = { base: lines(['a', 'b'], 40_000), ours: lines(['b', 'a'], 40_000), theirs: lines(['c'], 40_000) }
const tenants = () => [newId<TenantId>(), newId<TenantId>()] as const

test('what is done on the thread is what is done at once', async () => {
  const [tenant] = tenants()
  const small = { base: 'a\nb\nc', ours: 'A\nb\nc', theirs: 'a\nb\nC' }
  assert.deepEqual(await worker.run(tenant, 'merge', small), mergeTexts(small.base, small.ours, small.theirs))
  const csv = {
    format: 'csv',
    bytes: Buffer.from('text,date\nIt hangs,31.01.2026\n'),
    reading: null,
    remembered: [],
    now: Date.UTC(2026, 5, 1),
  } as const
  assert.deepEqual(await worker.run(tenant, 'preview', csv), await previewSignals(csv))
  const json = { bytes: Buffer.from('{"a":[1,null,"x"]}'), limits: CALL_BODY }
  assert.deepEqual(await worker.run(tenant, 'json', json), { a: [1, null, 'x'] })
})

test('a refusal keeps its code and its words, and what broke says nothing of what was sent', async () => {
  const [tenant] = tenants()
  const deep = { bytes: Buffer.from('['.repeat(100)), limits: CALL_BODY }
  await assert.rejects(worker.run(tenant, 'json', deep), failsWith('too_large', /at most 64 objects and arrays/))
  const upload = newId<TransferId>()
  await assert.rejects(
    worker.run(tenant, 'export', { is: 'end', upload, thread: 'another' }),
    failsWith('busy', /Upload the file again/),
  )
})

test('another tenant’s work waits for one piece of the hostile one’s, not for all', async () => {
  const [hostile, good] = tenants()
  const ended: string[] = []
  const dear = Array.from({ length: 8 }, () => worker.run(hostile, 'merge', MERGE).then(() => ended.push('hostile')))
  await worker.run(good, 'merge', { base: 'a', ours: 'b', theirs: 'a' })
  ended.push('good')
  await Promise.all(dear)
  assert.ok(ended.indexOf('good') <= 1, ended.join(' '))
})

test('no more of a tenant’s work waits than memory is kept for', async () => {
  const [hostile] = tenants()
  const asked = Array.from({ length: 30 }, () => worker.run(hostile, 'merge', { base: 'a', ours: 'b', theirs: 'c' }))
  const results = await Promise.allSettled(asked)
  const refused = results.filter(({ status }) => status === 'rejected')
  assert.equal(refused.length, 9)
})

test('a hundred uploads of one tenant interrupt none of another, and keep at most ten unfinished lines', async () => {
  const [hostile, good] = tenants()
  const rules = new Map()
  const begin = async (tenant: TenantId) => {
    const upload = newId<TransferId>()
    const { thread } = await worker.run(tenant, 'export', { is: 'first', upload, tenant, rules })
    return { upload, thread }
  }
  const goOn = (tenant: TenantId, begun: { readonly upload: TransferId; readonly thread: string }) =>
    worker.run(tenant, 'export', { is: 'next', ...begun, bytes: Buffer.from('{"assay_export":') })
  const honest = await begin(good)
  const uploads: Awaited<ReturnType<typeof begin>>[] = []
  for (let count = 0; count < 100; count += 1) uploads.push(await begin(hostile))
  await goOn(good, honest)
  const kept = []
  for (const upload of uploads)
    kept.push(
      await goOn(hostile, upload).then(
        () => upload,
        () => null,
      ),
    )
  assert.deepEqual(kept.filter(Boolean), uploads.slice(-10))
  // Nor do those of many tenants, who have ten each.
  const others = Array.from({ length: 5 }, () => newId<TenantId>())
  for (const tenant of others) for (let count = 0; count < 10; count += 1) await begin(tenant)
  await goOn(good, honest)
})

test('a tenant whose work ends its thread interrupts no upload of another', async () => {
  const [hostile, good] = tenants()
  const upload = newId<TransferId>()
  const { thread } = await worker.run(good, 'export', { is: 'first', upload, tenant: good, rules: new Map() })
  // What this answers are functions, which end the thread: they cannot be copied.
  await assert.rejects(worker.run(hostile, 'valueOf' as string as 'merge', MERGE), failsWith('too_costly'))
  const part = { is: 'next', upload, thread, bytes: Buffer.from('{"assay_export":') } as const
  assert.equal((await worker.run(good, 'export', part)).thread, thread)
})
