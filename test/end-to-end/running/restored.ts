import assert from 'node:assert/strict'
import { rename, rm, stat } from 'node:fs/promises'
import { after, describe, it } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { connectAgent } from '../../support/agent.ts'
import { assay } from '../../support/assay.ts'
import { assertInTriage } from '../../support/conservation.ts'
import type { EmbeddedInstallation } from '../../support/installation.ts'
import { type CreatedSource, createKey, createSignalSource, signUp } from '../../support/person.ts'
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

/** A backup that is made while signals come in, and that everything which follows goes on with: the ledger at the end counts what was restored. */
export const describeBackup = (installation: () => EmbeddedInstallation): void => {
  describe('Its backup', () => {
    let file = ''
    let elsewhere = ''
    let key = ''
    let source: CreatedSource
    let before: readonly string[] = []
    after(async () => {
      for (const left of [elsewhere, file]) await rm(left, { recursive: true, force: true })
    })

    it('is made while signals are accepted, and is not to be read without its passphrase', async () => {
      const { baseUrl, dataDirectory } = installation()
      elsewhere = `${dataDirectory}.elsewhere`
      file = `${dataDirectory}.elsewhere.backup`
      const person = await signUp(baseUrl)
      source = await createSignalSource(person)
      key = (await createKey(person)).key
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

    it('takes the place of what it was made of: nothing is lost that was accepted before it', async () => {
      const { dataDirectory, baseUrl } = installation()
      const environment = { DATA_DIR: dataDirectory, BACKUP_PASSPHRASE: PASSPHRASE }
      assert.match((await assay(['restore', file], environment)).stderr, /is not empty/)
      await installation().stop()
      await rename(dataDirectory, elsewhere)
      const restored = await assay(['restore', file], environment)
      assert.deepEqual([restored.code, restored.stderr], [0, ''])
      assert.match(restored.stdout, /The key fits the data/)
      assert.equal((await assay(['key', 'new'], environment)).code, 0)
      await installation().start()
      const agent = await connectAgent(baseUrl, key)
      for (const id of before) await assertInTriage(agent, id)
      await agent.close()
    })

    it('gets another key while its sources send on, with the secrets that they have', async () => {
      const environment = { DATA_DIR: installation().dataDirectory }
      assert.match((await assay(['key'], environment)).stdout, /[1-9]\d* values are left/)
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
