/**
 * A whole installation that moves to real engines and back, killed on the way: `npm run test:move`. What is copied, and
 * how it is compared, is tested in commands/move/copy.test.ts with every run.
 */
import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { renderLedger } from '../../commands/ledger-table.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { describeWithStack } from '../../infra/stack/testing.ts'
import { connectAgent } from '../support/agent.ts'
import { assay, exited, spawnAssay } from '../support/assay.ts'
import { type EmbeddedInstallation, startInstallation } from '../support/installation.ts'
import { openLedger } from '../support/ledger.ts'
import { createKey, createSignalSource, type Person, signUp } from '../support/person.ts'
import { startPrograms } from '../support/programs.ts'
import { sendSignal } from '../support/sender.ts'
import { distinctText } from '../support/texts.ts'

const THROUGH = 20
const WAITING = 30
/**
 * When the command is killed, in milliseconds after its start: while it opens stores, while it copies, while it
 * compares.
 */
const KILLED_AFTER_MS = [1500, 3000, 4500, 6000]

interface Pausable {
  readonly steps: readonly {
    readonly step: string
    readonly lanes: readonly { readonly waiting: { readonly state: string } | null }[]
  }[]
}

const isPaused = async (person: Person, name: string): Promise<boolean> => {
  const { steps } = await person.call<Pausable>('watch_pipeline')
  return steps.find(({ step }) => step === name)?.lanes.every(({ waiting }) => waiting?.state === 'paused') ?? false
}

/** What a tool says of the workspace. */
const toldBy = async (baseUrl: string, key: string): Promise<number> => {
  const agent = await connectAgent(baseUrl, key)
  const { data } = await agent.call<{ counts: { signals: number } }>('service_orient', { mode: 'snapshot' })
  await agent.close()
  return data.counts.signals
}

await describeWithStack(['kafka', 'registry', 'postgres', 'clickhouse'], stack => {
  describe('An installation that moves to engines and back', () => {
    let old: EmbeddedInstallation
    let back: string
    let settings: string
    let key: string
    let ownKey: string
    const accepted: string[] = []
    before(async () => {
      // Other delays than those that it moves with: their queue moves along.
      old = await startInstallation({ RETRY_DELAYS: '2s,20s' })
      back = `${old.dataDirectory}-back`
      settings = `${old.dataDirectory}.env`
      ownKey = (await readFile(join(old.dataDirectory, 'installation.key'), 'utf8')).trim()
      const lines = Object.entries(stack.urls).map(([name, value]) => `${name}=${value}`)
      await writeFile(settings, [...lines, `INSTALLATION_KEY=${ownKey}`, ''].join('\n'))
    })
    after(async () => {
      await old?.remove()
      for (const path of [back, settings]) await rm(path, { recursive: true, force: true })
    })

    it('holds signals, and some that wait on the log', async () => {
      const person = await signUp(old.baseUrl)
      ;({ key } = await createKey(person))
      const source = await createSignalSource(person)
      const send = async (number: number) => {
        const { status, body } = await sendSignal(source, { text: distinctText(number) })
        assert.equal(status, 200)
        accepted.push(String(body.snippet_id))
      }
      for (let number = 0; number < THROUGH; number += 1) await send(number)
      await eventually('they are stored', async () => (await toldBy(old.baseUrl, key)) === THROUGH)
      await person.call('pause_step', { step: 'anchor', reason: 'The engines are coming' })
      await eventually('the step is paused', () => isPaused(person, 'anchor'))
      for (let number = 0; number < WAITING; number += 1) await send(THROUGH + number)
      await old.killAbruptly()
    })

    it('arrives, however often it is interrupted', async () => {
      for (const ms of KILLED_AFTER_MS) {
        const child = spawnAssay(['move', '--to', settings], { DATA_DIR: old.dataDirectory })
        child.stdout.resume()
        child.stderr.resume()
        await sleep(ms)
        child.kill('SIGKILL')
        await exited(child)
      }
      const { code, stdout, stderr } = await assay(['move', '--to', settings], { DATA_DIR: old.dataDirectory })
      console.log(stdout)
      assert.equal(code, 0, stderr)
    })

    it('is not started where it was, and its data says where it went', async () => {
      const { code, stderr } = await assay(['all'], { DATA_DIR: old.dataDirectory, PORT: '0' })
      assert.equal(code, 1)
      assert.match(stderr, /was moved to the engines at/)
    })

    it('comes back with every table as it was before a program worked on it', async () => {
      const { code, stdout, stderr } = await assay(['move', '--from', settings], { DATA_DIR: back })
      console.log(stdout)
      assert.equal(code, 0, stderr)
      const installation = await startInstallation({ DATA_DIR: back })
      try {
        assert.equal(await toldBy(installation.baseUrl, key), THROUGH)
      } finally {
        await installation.remove()
      }
    })

    it('works on the engines once nobody has it elsewhere, and every signal is accounted for', async () => {
      // As the sentence of the programs says: what is left there is gone on with.
      const ledger = openLedger(stack.urls)
      await ledger.goOnHere()
      const names = ['ingest', 'processors', 'query-api'] as const
      const installation = await startPrograms(stack, { INSTALLATION_KEY: ownKey }, names)
      try {
        await ledger.resume('anchor')
        await eventually('all are stored', async () => (await toldBy(installation.baseUrl, key)) === THROUGH + WAITING)
        assert.deepEqual(await ledger.missing(accepted), [])
        const read = await eventually('the ledger is settled', async () => {
          const { verdict, ...rest } = await ledger.read()
          return verdict === 'in_progress' ? null : { verdict, ...rest }
        })
        console.log(renderLedger(read))
        const { received, inserted } = read.total
        const each = { postgres: accepted.length, clickhouse: accepted.length }
        assert.deepEqual([read.verdict, received, inserted], ['balanced', accepted.length, each])
      } finally {
        await ledger.close()
        await installation.remove()
      }
    })
  })
})
