/**
 * The released version on real engines, upgraded under load, rolled back, and upgraded again, with every signal
 * accounted for: `npm run test:upgrade`. Prints the ledger at the end.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { describeWithStack } from '../../infra/stack/testing.ts'
import { assertAccounted } from '../support/accounting.ts'
import { exited, spawnAssay } from '../support/assay.ts'
import { type LedgerReader, openLedger } from '../support/ledger.ts'
import { createLanes, type Lane, type Load, startLoad } from '../support/load.ts'
import { createModels, type TestModels } from '../support/models.ts'
import { signUp } from '../support/person.ts'
import { createProgram, freePort, type RunningProgram } from '../support/program.ts'
import { type ProgramName, startProxy } from '../support/programs.ts'
import { installRelease, RELEASED, type Release } from './released.ts'

const NAMES: readonly ProgramName[] = ['ingest', 'ingest', 'processors', 'processors', 'query-api']
const MORE_SIGNALS = 15
const BETWEEN_SIGNALS_MS = 150

await describeWithStack(['kafka', 'registry', 'postgres', 'clickhouse'], stack => {
  describe(`The version of ${RELEASED.slice(0, 8)} and this one, on the same engines`, () => {
    let release: Release
    let models: TestModels
    let environment: Record<string, string>
    let proxy: Awaited<ReturnType<typeof startProxy>>
    let ledger: LedgerReader
    let lanes: readonly Lane[]
    let load: Load
    /** Each at a port of its own, whichever version has it. */
    const places: { readonly name: ProgramName; readonly port: string }[] = []
    const running: RunningProgram[] = []

    const migrate = async (repository?: string) => {
      const child = spawnAssay(['migrate'], environment, repository)
      const [code, printed, complained] = await Promise.all([exited(child), text(child.stdout), text(child.stderr)])
      return { code, said: printed + complained }
    }
    const startAt = async (index: number, repository?: string): Promise<void> => {
      const place = places[index]
      assert.ok(place)
      const program = await createProgram([place.name], { ...environment, PORT: place.port }, repository)
      running[index] = program
      program.start()
      await program.ready()
    }
    /** One after the other, as an operator does it, while signals come. */
    const replaceAll = async (repository?: string): Promise<void> => {
      for (const index of places.keys()) {
        await running[index]?.stop()
        await startAt(index, repository)
        await load.untilMore(1)
      }
      await load.untilMore(MORE_SIGNALS)
    }

    before(async () => {
      release = installRelease()
      models = await createModels()
      await models.start()
      const port = await freePort()
      const baseUrl = `http://127.0.0.1:${port}`
      environment = {
        ...stack.urls,
        ...models.environment,
        INSTALLATION_KEY: randomBytes(32).toString('base64'),
        BASE_URL: baseUrl,
        CLIENT_ADDRESS_HEADER: 'x-forwarded-for',
        SIGN_UP: 'open',
        RETRY_DELAYS: '2s,4s,8s',
      }
      for (const name of NAMES) places.push({ name, port: String(await freePort()) })
      const addressesOf = (wanted: ProgramName) =>
        places.filter(({ name }) => name === wanted).map(place => `http://127.0.0.1:${place.port}`)
      proxy = await startProxy(() => ({ ingest: addressesOf('ingest'), queryApi: addressesOf('query-api') }), port)
      assert.deepEqual((await migrate(release.directory)).code, 0)
      await Promise.all(places.map((_, index) => startAt(index, release.directory)))
      lanes = await createLanes(await signUp(baseUrl))
      load = startLoad(lanes, { edges: addressesOf('ingest'), betweenSignalsMs: BETWEEN_SIGNALS_MS })
      await load.untilMore(MORE_SIGNALS)
      ledger = openLedger(environment)
    })
    after(async () => {
      await load?.finish()
      await Promise.all((lanes ?? []).map(({ agent }) => agent.close()))
      await Promise.all(running.map(program => program.stop()))
      await ledger?.close()
      await proxy?.stop()
      await models?.stop()
      release?.remove()
    })

    it('is upgraded while signals come', async () => {
      const { code, said } = await migrate()
      assert.equal(code, 0, said)
      await load.untilMore(MORE_SIGNALS)
      await replaceAll()
    })

    it('is rolled back: the released programs start on the newer schema and work', async () => {
      // As a deployment does that runs it first.
      const { code, said } = await migrate(release.directory)
      assert.equal(code, 0, said)
      await replaceAll(release.directory)
    })

    it('goes forward again', async () => {
      assert.equal((await migrate()).code, 0)
      await replaceAll()
    })

    it('has every signal once, through all of it', async () => {
      await load.finish()
      console.log('answers:', JSON.stringify(load.outcomes()))
      await assertAccounted(ledger, lanes, 'upgrade, rollback and upgrade')
    })
  })
})
