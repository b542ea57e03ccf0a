import assert from 'node:assert/strict'
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { assertInTriage } from '../../support/accounting.ts'
import { connectAgent } from '../../support/agent.ts'
import { assay } from '../../support/assay.ts'
import type { EmbeddedInstallation } from '../../support/installation.ts'
import {
  type CreatedSource,
  createKey,
  createSignalSource,
  type Person,
  signInAgain,
  signUp,
} from '../../support/person.ts'
import { sendSignal } from '../../support/sender.ts'
import { distinctText } from '../../support/texts.ts'

const SENDERS = 3
const PASSPHRASE = 'a passphrase of a backup'
/** Far from those of others who send the same texts. */
const FIRST_TEXT = 1000

/** Resolves once nothing is left to do. */
export const settled = (installation: EmbeddedInstallation) =>
  eventually('nothing waits on the log', async () => {
    const metrics = await (await fetch(`${installation.metricsUrl}/metrics`)).text()
    const lags = [...metrics.matchAll(/^assay_consumer_lag_records\{.*\} (\d+)$/gm)].map(([, lag]) => lag)
    return lags.length > 0 && lags.every(lag => lag === '0')
  })

const NAME = 'Anna Lindqvist'
const ADDRESS = 'anna.lindqvist@example.com'

interface Erasures {
  readonly items: readonly {
    readonly finished_at: string | null
    readonly erased_signals: number
    readonly proof: readonly { readonly found: number | null }[] | null
  }[]
}

/** The newest erasure, once it is done. */
const doneErasure = (person: Person) =>
  eventually('the erasure is done', async () => {
    const { items } = await person.call<Erasures>('list_erasures')
    return items[0]?.finished_at ? items[0] : null
  })

const nameOfWorkspace = async (person: Person): Promise<string> => {
  const { items } = await person.call<{ items: { name: string; current: boolean }[] }>('list_workspaces')
  return items.find(({ current }) => current)?.name ?? ''
}

const foundBy = ({ proof }: Erasures['items'][number]): number =>
  (proof ?? []).reduce((sum, { found }) => sum + (found ?? 0), 0)

/**
 * A backup that is made while signals come in, and that everything which follows goes on with: the ledger at the end
 * counts what was restored.
 */
export const describeBackup = (installation: () => EmbeddedInstallation): void => {
  describe('Its backup', () => {
    let file = ''
    let elsewhere = ''
    let key = ''
    let source: CreatedSource
    let person: Person
    let folder = ''
    let before: readonly string[] = []
    after(async () => {
      for (const left of [elsewhere, folder]) await rm(left, { recursive: true, force: true })
    })

    it('is made while signals are accepted, and is not to be read without its passphrase', async () => {
      const { baseUrl, dataDirectory } = installation()
      elsewhere = `${dataDirectory}.elsewhere`
      folder = `${dataDirectory}.backups`
      file = join(folder, 'one.backup')
      await mkdir(folder)
      person = await signUp(baseUrl)
      source = await createSignalSource(person)
      key = (await createKey(person)).key
      for (const text of [distinctText(FIRST_TEXT - 1), distinctText(FIRST_TEXT - 2)])
        assert.equal((await sendSignal(source, { text, actor_name: NAME, actor_email: ADDRESS })).status, 200)
      const accepted: string[] = []
      let index = FIRST_TEXT
      let isDone = false
      const sender = async () => {
        while (!isDone) {
          index += 1
          const answer = await sendSignal(source, { text: distinctText(index) })
          if (answer.status === 200) accepted.push(String(answer.body.snippet_id))
        }
      }
      const senders = Array.from({ length: SENDERS }, sender)
      await eventually('signals are accepted', async () => accepted.length > 20)
      before = [...accepted]
      const environment = { DATA_DIR: dataDirectory, BACKUP_PASSPHRASE: PASSPHRASE }
      const made = await assay(['backup', file], environment)
      isDone = true
      await Promise.all(senders)
      assert.deepEqual([made.code, made.stderr], [0, ''])
      assert.match(made.stdout, /It is encrypted/)
      assert.ok(accepted.length > before.length)
      assert.equal((await stat(file)).mode & 0o777, 0o600)
    })

    it('has a person who is erased after it, of whom the list beside it names nobody', async () => {
      const { dataDirectory } = installation()
      await settled(installation())
      const asked = { person: { address: ADDRESS, name: NAME } }
      const { actors } = await person.call<{ actors: readonly { actor: string }[] }>('preview_erasure', asked)
      await person.call('erase_person', {
        ...asked,
        actors: actors.map(({ actor }) => actor),
        masks_words: true,
        confirm: await nameOfWorkspace(person),
      })
      const done = await doneErasure(person)
      assert.deepEqual([done.erased_signals, foundBy(done)], [2, 0])
      const saved = await assay(['erasures', 'save', folder], { DATA_DIR: dataDirectory })
      assert.deepEqual([saved.code, saved.stderr], [0, ''])
      assert.doesNotMatch(await readFile(join(folder, 'assay.erasures'), 'utf8'), /anna|lindqvist/i)
    })

    it('takes the place of what it was made of: nothing is lost that was accepted before it', async () => {
      const { dataDirectory, baseUrl } = installation()
      const environment = { DATA_DIR: dataDirectory, BACKUP_PASSPHRASE: PASSPHRASE }
      assert.match((await assay(['restore', file], environment)).stderr, /is not empty/)
      await installation().stop()
      await rename(dataDirectory, elsewhere)
      const restored = await assay(['restore', file], environment)
      assert.deepEqual([restored.code, restored.stderr], [0, ''])
      assert.match(restored.stdout, /The key fits the data/)
      assert.match(restored.stdout, /goes again in 1 workspace/)
      assert.equal((await assay(['key', 'new'], environment)).code, 0)
      await installation().start()
      const agent = await connectAgent(baseUrl, key)
      for (const id of before) await assertInTriage(agent, id)
      await agent.close()
    })

    it('is without the person who was erased after it, and proves it', async () => {
      person = await signInAgain(person)
      const done = await doneErasure(person)
      assert.deepEqual([done.erased_signals, foundBy(done)], [2, 0])
      const asked = { person: { address: ADDRESS, name: NAME } }
      const looked = await person.call<{ actors: unknown[]; mentions: unknown[] }>('preview_erasure', asked)
      assert.deepEqual([looked.actors, looked.mentions], [[], []])
    })

    it('gets another key while its sources send on, with the secrets that they have', async () => {
      const environment = { DATA_DIR: installation().dataDirectory }
      assert.match((await assay(['key'], environment)).stdout, /[1-9]\d* values? (?:is|are) left/)
      let isDone = false
      const statuses = new Set<number>()
      const sending = (async () => {
        for (let index = 0; !isDone; index += 1)
          statuses.add((await sendSignal(source, { text: distinctText(2 * FIRST_TEXT + index) })).status)
      })()
      const rotated = await assay(['key', 'rotate'], environment)
      isDone = true
      await sending
      assert.deepEqual([rotated.code, rotated.stderr], [0, ''])
      assert.match(rotated.stdout, /Everything is sealed with the new key/)
      // A source may send so many a second, whatever its secret.
      statuses.delete(429)
      assert.deepEqual([...statuses], [200])
      assert.match((await assay(['key', 'rotate'], environment)).stderr, /nothing to seal anew/)
    })
  })
}
