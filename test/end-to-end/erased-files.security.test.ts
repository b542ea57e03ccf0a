import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { countInFile, createByteSearch } from '../../infra/backup/byte-search.ts'
import { searchFiles } from '../../infra/backup/search-files.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { assay } from '../support/assay.ts'
import { type EmbeddedInstallation, startInstallation } from '../support/installation.ts'
import { MAIL_ENVIRONMENT, postMail } from '../support/mail.ts'
import { type CreatedSource, createSignalSource, type Person, signUp } from '../support/person.ts'
import { sendSignal } from '../support/sender.ts'
import { distinctText } from '../support/texts.ts'
import { settled } from './running/restored.ts'

const NAME = 'Ottilie Querfeldt'
const ADDRESS = 'ottilie.querfeldt@example.com'
const PERSON = { person: { address: ADDRESS, name: NAME } }
/** Words that nothing else says: what is left of a signal has one of them. */
const MARKS = ['zwirbelkasten', 'quastenflosser', 'Querfeldt', 'querfeldt@']
/** Of several pages, and not to be compressed to less than one. */
const LONG = Array.from({ length: 900 }, (_, index) => `quastenflosser ${(index * 7_919_993) % 999_983}`).join(' ')
const SIGNALS = 20
const REWRITTEN_MS = 300_000

interface Erasure {
  readonly finished_at: string | null
  readonly proof: readonly { readonly store: string; readonly place: string; readonly found: number | null }[] | null
}

const search = createByteSearch(MARKS.map(mark => Buffer.from(mark)))

describe('What is erased, on the embedded default', () => {
  let installation: EmbeddedInstallation
  let person: Person
  let source: CreatedSource
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-erased-'))
    installation = await startInstallation(MAIL_ENVIRONMENT)
    person = await signUp(installation.baseUrl)
    source = await createSignalSource(person)
  })
  after(async () => {
    await installation?.remove()
    await rm(folder, { recursive: true, force: true })
  })

  /** Where the marks stand in the files of the data directory, and how often. */
  const inFiles = async () =>
    Object.fromEntries(
      [...(await searchFiles(installation.dataDirectory, search))].filter(([, counts]) => counts.some(Boolean)),
    )
  const inBackup = async () => {
    const file = join(folder, `${process.hrtime.bigint()}.backup`)
    const { code, stderr } = await assay(['backup', file], { DATA_DIR: installation.dataDirectory })
    assert.equal(code, 0, stderr)
    assert.ok((await stat(file)).size > 1_000_000)
    return countInFile(search, file)
  }
  const send = async (text: string, more: object = {}): Promise<string> => {
    const { status, body } = await sendSignal(source, { text, ...more })
    assert.equal(status, 200)
    return String(body.snippet_id)
  }
  const listed = async () => (await person.call<{ items: unknown[] }>('list_signals', { limit: 100 })).items.length
  const newest = async (): Promise<Erasure> => {
    const { items } = await person.call<{ items: Erasure[] }>('list_erasures')
    return items[0] ?? assert.fail('nothing was erased')
  }
  const finished = () =>
    eventually('the rows are erased', async () => ((await newest()).finished_at === null ? null : newest()), 120_000)
  const searched = () =>
    eventually(
      'the files were searched',
      async () => {
        const { proof } = await newest()
        return proof?.every(({ found }) => found !== null) ? proof : null
      },
      REWRITTEN_MS,
    )
  const confirm = async () => {
    const { items } = await person.call<{ items: { name: string; current: boolean }[] }>('list_workspaces')
    return items.find(({ current }) => current)?.name
  }
  const erasePerson = async (): Promise<void> => {
    const { actors } = await person.call<{ actors: { actor: string }[] }>('preview_erasure', PERSON)
    assert.ok(actors.length > 0)
    await person.call('erase_person', {
      ...PERSON,
      actors: actors.map(({ actor }) => actor),
      masks_words: true,
      confirm: await confirm(),
    })
  }
  const fill = async (): Promise<void> => {
    const hers = { actor_name: NAME, actor_email: ADDRESS }
    for (let number = 0; number < SIGNALS; number += 1) {
      await send(`${distinctText(number)} and the zwirbelkasten ${number} does not open`, hers)
      await send(distinctText(500 + number), { actor_name: 'Bo' })
    }
    await send(LONG, hers)
    await settled(installation)
  }

  it('stands in many files before: rows, the write-ahead log, the log', async () => {
    const mailbox = await person.call<CreatedSource>('create_source', { kind: 'email', name: 'Mailbox' })
    const mail = `From: ${NAME} <${ADDRESS}>\r\nSubject: The zwirbelkasten by mail\r\n\r\nThe quastenflosser of the mailbox is lost.\r\n\r\nOn Tue, 4 Mar 2025 at 10:12, ${NAME} <${ADDRESS}> wrote:\r\n\r\n> The quastenflosser was there on Monday.\r\n`
    assert.equal((await postMail(installation.baseUrl, mailbox, Buffer.from(mail))).status, 200)
    const quoted = await send('The zwirbelkasten of the second floor was left open overnight.', {
      actor_name: NAME,
      actor_email: ADDRESS,
    })
    await fill()
    await person.call('write_comment', {
      id: quoted,
      text: `${NAME} says: “The zwirbelkasten of the second floor was left open overnight.”`,
    })
    const found = await inFiles()
    assert.deepEqual(Object.keys(found).sort(), ['log', 'postgres'])
    assert.ok((found.postgres?.[0] ?? 0) > 50, JSON.stringify(found))
  })

  it('is in no file of the data directory after its erasure, nor in a backup that is made then', async () => {
    await erasePerson()
    const { proof } = await finished()
    assert.deepEqual(
      proof?.filter(({ found }) => found !== 0),
      [
        { store: 'files', place: 'data directory', looked_for: 'texts', found: null },
        { store: 'backup', place: 'backup made afterwards', looked_for: 'texts', found: null },
      ],
    )
    const lines = await searched()
    assert.deepEqual(
      lines.filter(({ found }) => found !== 0),
      [],
    )
    const places = lines.filter(({ store }) => store === 'files').map(({ place }) => place)
    assert.deepEqual(places.toSorted(), ['clickhouse', 'log', 'other files', 'postgres'])
    assert.deepEqual(await inFiles(), {})
    assert.deepEqual(await inBackup(), [0, 0, 0, 0])
    assert.equal(await listed(), SIGNALS)
  })

  it('goes although the process is killed again and again while files are written anew', async () => {
    await fill()
    await erasePerson()
    await finished()
    for (const pauseMs of [2200, 2600, 3000]) {
      await new Promise(resolve => setTimeout(resolve, pauseMs))
      await installation.killAbruptly()
      await installation.start()
    }
    const lines = await searched()
    assert.deepEqual(
      lines.filter(({ found }) => found !== 0),
      [],
    )
    assert.deepEqual([await inFiles(), await inBackup()], [{}, [0, 0, 0, 0]])
    assert.equal(await listed(), SIGNALS)
  })
})
