import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, type TenantId, type TransferId } from '../../schemas/domain/ids.ts'
import { failsWith } from '../operations/testing.ts'
import type { checkExportPart } from '../worker/export-checks.ts'
import type { Worker } from '../worker/work.ts'
import { startExportCheck } from './export-check.ts'

/** The module as a new thread has it: what another has kept of uploads is not there. */
const newThread = async (name: number): Promise<typeof checkExportPart> =>
  (await import(new URL(`../worker/export-checks.ts?thread=${name}`, import.meta.url).href)).checkExportPart

/** A thread that `end` starts again, as a part of somebody else's upload does that passes its deadline. */
const startThread = async () => {
  let names = 0
  const next = () => {
    names += 1
    return newThread(names)
  }
  let check = await next()
  const asked: string[] = []
  const run = async (_tenant: TenantId, kind: string, input: Parameters<typeof checkExportPart>[0]) => {
    assert.equal(kind, 'export')
    asked.push(input.is)
    return check(input)
  }
  const end = async () => {
    check = await next()
  }
  return { worker: { run } as unknown as Pick<Worker, 'run'>, asked, end }
}

const PARTS = ['{"assay_', 'export":', '"no version"'].map(text => Buffer.from(text))

const startUpload = async (worker: Pick<Worker, 'run'>, tenantId = newId<TenantId>()) => {
  const stored: Buffer[] = []
  const check = await startExportCheck(worker, { tenantId }, newId<TransferId>(), new Map(), async function* () {
    yield* stored
  })
  const add = async (part: Buffer) => {
    await check.add(part)
    stored.push(part)
  }
  return { add, end: check.end }
}

const WHOLE = /no version|export|version/i

test('an upload goes on, and is checked as a whole, wherever the thread is started again', async () => {
  const alone = await startThread()
  const uninterrupted = await startUpload(alone.worker)
  for (const part of PARTS) await uninterrupted.add(part)
  const said = await uninterrupted.end().then(() => assert.fail(), String)
  assert.match(said, WHOLE)
  for (let at = 0; at <= PARTS.length; at += 1) {
    const { worker, end, asked } = await startThread()
    const upload = await startUpload(worker)
    for (const [place, part] of PARTS.entries()) {
      if (place === at) await end()
      await upload.add(part)
    }
    if (at === PARTS.length) await end()
    assert.equal(await upload.end().then(() => assert.fail(), String), said)
    assert.equal(asked.filter(what => what === 'first').length, 2)
  }
})

test('an upload whose thread has no room for it any more is over: it takes nobody’s place again', async () => {
  const { worker, asked } = await startThread()
  const tenantId = newId<TenantId>()
  const first = await startUpload(worker, tenantId)
  for (let count = 0; count < 10; count += 1) await startUpload(worker, tenantId)
  await assert.rejects(first.add(Buffer.from('{')), failsWith('busy', /Upload the file again/))
  assert.equal(asked.filter(what => what === 'first').length, 11)
})
