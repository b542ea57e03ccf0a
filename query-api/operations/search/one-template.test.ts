import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { INVOICES, mailOf, NEEDS_SAID_TWICE, PASSWORDS } from '../../../model/themes/testing.ts'
import { createFindThemesJob } from '../../../processors/jobs/find-themes/find-themes.ts'
import { runJob } from '../../../processors/jobs/testing.ts'
import { type ClusterKit, startClusterKit } from '../../../processors/steps/cluster/testing.ts'
import { embedder } from '../../../processors/steps/testing.ts'
import { type OperationsKit, startOperations, type Workspace } from '../testing.ts'

const ALONE = [...INVOICES, ...PASSWORDS, 'Please add a dark mode.', 'The search forgets what was typed before.']
const TIMES = NEEDS_SAID_TWICE.length
/** The reference of the mail that says a need for the first or the second time. */
const mail = (need: number, time: 0 | 1): string => `SIG-${ALONE.length + time * TIMES + need + 1}`

describe('Twenty mails of one template', () => {
  let cluster: ClusterKit
  let kit: OperationsKit
  let workspace: Workspace
  const come = async (text: string) => cluster.cluster(await cluster.stored(workspace.id, [text]))
  const findThemes = () => runJob(createFindThemesJob({ database: cluster.db.database, embedder }), workspace.id)
  const app = async (operation: string, input: object = {}) => (await workspace.inApp(operation, input)).data
  before(async () => {
    cluster = await startClusterKit()
    kit = await startOperations(undefined, { stored: cluster.db })
    workspace = await kit.workspace()
    const mails = [0, 1].flatMap(time =>
      NEEDS_SAID_TWICE.map((said, at) => mailOf(said[time] ?? '', at + TIMES * time)),
    )
    for (const text of [...ALONE, ...mails]) await come(text)
    await findThemes()
  })
  after(() => kit.stop())

  it('gave claims the sentence as their title in which they differ, and so does one that comes later', async () => {
    const titles = async () => (await cluster.claims(workspace.id)).map(({ title }) => title)
    const needs = [0, 1].flatMap(time => NEEDS_SAID_TWICE.map(said => said[time] ?? ''))
    assert.deepEqual((await titles()).slice(ALONE.length), needs)
    await come(mailOf('The clock on the dashboard is an hour late.', 99))
    assert.equal((await titles()).at(-1), 'The clock on the dashboard is an hour late.')
  })

  it('keeps the title that a person wrote', async () => {
    const claim = `CLM-${ALONE.length + 1}`
    await workspace.inApp('update_claim', { claim_id: claim, title: 'The ledger', version: 1 })
    await findThemes()
    assert.equal((await app('lookup_claim', { id: claim })).title, 'The ledger')
  })

  it('offers what says the same first, by meaning, with how many signals it has and how likely it is', async () => {
    for (const type of ['signal', 'claim'] as const) {
      const firsts = []
      for (const [need] of NEEDS_SAID_TWICE.entries()) {
        const { items } = await app('list_likely_same', { kind: 'signal', id: mail(need, 1), type })
        firsts.push(items[0].reference.replace('CLM', 'SIG'))
        for (const { signals, text } of items) {
          assert.equal(signals, 1)
          assert.doesNotMatch(text, /find attached/)
        }
        if (type === 'claim') assert.ok(items.some(({ chance }: { chance: number | null }) => chance !== null))
      }
      assert.deepEqual(
        firsts,
        NEEDS_SAID_TWICE.map((_, need) => mail(need, 0)),
        type,
      )
    }
  })

  it('offers for a claim what its words say nothing of, and nothing of the claim itself or what was dismissed', async () => {
    const id = mail(4, 1).replace('SIG', 'CLM')
    const offered = async () =>
      (await app('list_likely_same', { kind: 'claim', id, type: 'claim', limit: 20 })).items.map(
        ({ reference }: { reference: string }) => reference,
      )
    const first = mail(4, 0).replace('SIG', 'CLM')
    assert.equal((await offered())[0], first)
    assert.ok(!(await offered()).includes(id))
    const { version } = await app('lookup_claim', { id: first })
    await workspace.inApp('update_claim', { claim_id: first, state: 'dismissed', version })
    assert.ok(!(await offered()).includes(first))
  })

  it('lists them by the words in which they differ, for people and agents', async () => {
    const said = NEEDS_SAID_TWICE[7][1]
    const inApp = (await app('list_signals', { text: mail(7, 1) })).items[0]
    assert.ok(inApp.lead.startsWith(`…${said}`), inApp.lead)
    assert.match(inApp.text, /^Dear support team/)
    const [forAgents] = (await workspace.call('service_lookup', 'signals', { text: mail(7, 1) })).data.items
    assert.ok(forAgents.text.startsWith(`…${said}`), forAgents.text)
    assert.ok(forAgents.text_truncation.shown_characters < forAgents.text_truncation.total_characters)
    const [found] = (await app('lookup_search', { query: 'pallet counted double', types: ['signal'] })).items
    assert.equal(found.reference, mail(7, 1))
    assert.ok(found.text.startsWith(`…${said}`), found.text)
  })

  it('are evidence by what each says itself; in the app the whole beginning is there when somebody asks for it', async () => {
    const said = NEEDS_SAID_TWICE[7][1]
    const id = mail(7, 1).replace('SIG', 'CLM')
    const [forAgents] = (await workspace.call('service_lookup', 'claim', { id })).data.evidence.items
    assert.ok(forAgents.text.startsWith(`…${said}`), forAgents.text)
    const [inApp] = (await app('lookup_claim', { id, depth: 'full' })).evidence.items
    assert.ok(inApp.lead.startsWith(`…${said}`), inApp.lead)
    assert.match(inApp.text, /^Dear support team/)
    const [whole] = (await workspace.call('service_lookup', 'claim', { id, depth: 'full' })).data.evidence.items
    assert.deepEqual([whole.text, whole.lead], [inApp.text, undefined])
  })

  it('are the newest of a snapshot, and the signals of a node, by what each says itself', async () => {
    const recent = (await workspace.call('service_orient', 'snapshot')).data.recent_signals
    for (const { text } of recent) assert.doesNotMatch(text, /^Dear support team/)
    await workspace.inApp('add_map_node', { name: 'Pallets' })
    await workspace.inApp('move_signal', { signal_id: mail(7, 1), node_id: 'Pallets' })
    const said = NEEDS_SAID_TWICE[7][1]
    for (const depth of ['summary', 'standard'] as const) {
      const { signals } = (await workspace.call('service_lookup', 'node', { id: 'Pallets', depth })).data
      assert.ok(signals.items[0].text.startsWith(`…${said}`), signals.items[0].text)
    }
    const [inApp] = (await app('lookup_node', { id: 'Pallets', depth: 'full' })).signals.items
    assert.ok(inApp.lead.startsWith(`…${said}`), inApp.lead)
    assert.match(inApp.text, /^Dear support team/)
  })

  it('are proposed for a node by what each says itself', async () => {
    await workspace.inApp('add_map_node', { name: 'Calendar', examples: [mailOf(NEEDS_SAID_TWICE[8][0], 8)] })
    const { items } = await app('list_proposed_places')
    const texts = items.flatMap(({ signals }: { signals: { text: string }[] }) => signals.map(({ text }) => text))
    assert.ok(texts.some((text: string) => text.startsWith('…')))
    for (const text of texts) assert.doesNotMatch(text, /^Dear support team/)
  })

  it('stand in a theme, and are offered to it, by what each says itself where no sentence of them was chosen', async () => {
    const [{ reference: theme_id }] = (await app('list_themes')).items
    await workspace.inApp('update_theme', { theme_id, signal_ids: [mail(3, 1)] })
    const { items, quotes } = await app('lookup_theme', { id: theme_id })
    const { text } = items.find(({ reference }: { reference: string }) => reference === mail(3, 1))
    assert.ok(text.startsWith(NEEDS_SAID_TWICE[3][1]), text)
    const offered = (await app('lookup_theme', { id: theme_id, candidates: true })).items
    assert.ok(offered.length > 0)
    for (const each of [...items, ...quotes, ...offered]) assert.doesNotMatch(each.text, /^Dear support team/)
  })

  it('proposes none of them for what all of them say', async () => {
    const { items } = await app('list_merge_groups', { limit: 100 })
    const needOf = (reference: string) => (Number(reference.slice('CLM-'.length)) - ALONE.length - 1) % TIMES
    for (const { survivor, pairs } of items) {
      assert.doesNotMatch(survivor.text, /find attached/)
      for (const { claim, same_as, chance, reason } of pairs) {
        const areMails = [claim.reference, same_as].every(each => Number(each.slice('CLM-'.length)) > ALONE.length)
        if (areMails && needOf(claim.reference) !== needOf(same_as)) assert.ok(chance < 0.5, `${claim.text} ${chance}`)
        assert.doesNotMatch(reason, /attached|colleagues|judge/)
      }
    }
  })
})
