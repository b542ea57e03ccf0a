import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { connectAgent } from '../support/agent.ts'
import { type Installation, startInstallation } from '../support/installation.ts'
import { createKey, createSignalSource, signUp } from '../support/person.ts'
import { sendSignal } from '../support/sender.ts'

const ROOT = new URL('../../', import.meta.url)

const assay = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'assay.ts', ...args], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  })

describe('The command', () => {
  it('says how it is used when it is not understood', () => {
    const { status, stderr } = assay(['everything'])
    assert.equal(status, 2)
    assert.match(stderr, /Usage: assay <command>/)
  })

  it('prints the settings in force with secrets masked, and starts nothing', () => {
    const { status, stdout } = assay(['all', '--print-config'], { PORT: '9999', JUDGE_API_KEY: 'not for the screen' })
    assert.equal(status, 0)
    assert.match(stdout, /^PORT=9999$/m)
    assert.match(stdout, /^JUDGE_API_KEY=\*+$/m)
    assert.doesNotMatch(stdout, /not for the screen/)
  })

  it('names every setting that is wrong, at once', () => {
    const { status, stderr } = assay(['all'], { PORT: '99999', LOG_LEVEL: 'loud', RETRY_DELAYS: 'soon' })
    assert.equal(status, 1)
    for (const name of ['PORT', 'LOG_LEVEL', 'RETRY_DELAYS']) assert.match(stderr, new RegExp(`^${name} is `, 'm'))
  })
})

describe('A stop that is asked for', () => {
  let installation: Installation
  before(async () => {
    installation = await startInstallation()
  })
  after(() => installation?.remove())

  it('answers what is under way, ends with code 0, and keeps what was answered', async () => {
    const person = await signUp(installation.baseUrl)
    const source = await createSignalSource(person)
    const { key } = await createKey(person)
    const texts = Array.from(
      { length: 40 },
      (_, index) => `Parcel ${index} of the ${index * 7919} arrived at gate ${index * 104_729}`,
    )
    const sending = texts.map(text => sendSignal(source, { text }).catch(() => null))
    await Promise.race(sending)
    assert.equal(await installation.stop(), 0)
    const accepted = (await Promise.all(sending)).filter(answer => answer?.status === 200)
    assert.ok(accepted.length > 0)

    await installation.start()
    const agent = await connectAgent(installation.baseUrl, key)
    for (const answer of accepted) {
      await eventually('what was answered 200 is kept', async () => {
        const { data } = await agent.call<{ signal: object | null }>('service_lookup', {
          mode: 'signal',
          id: String(answer?.body.snippet_id),
        })
        return data.signal
      })
    }
    await agent.close()
  })
})
