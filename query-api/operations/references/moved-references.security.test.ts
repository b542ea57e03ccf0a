import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import { newId } from '../../../schemas/domain/ids.ts'
import type { AssayError, Operation } from '../define.ts'
import { registry } from '../registry.ts'
import { type OperationsKit, startOperations, type Workspace } from '../testing.ts'
import { idFieldsOf, inputsThatReach, type OwnIds } from '../testing-reach.ts'
import { everythingOf, idsOf } from '../testing-rows.ts'
import { seedEverything } from '../testing-seed.ts'

/** A write never acts on another object than the one that it names, and says where that is now. */

let kit: OperationsKit
let workspace: Workspace
let own: OwnIds
/** By each of its names: a merged claim, and two repeats, one of which has a row of its own. */
let moved: Readonly<Record<string, { readonly name: string; readonly livesIn: string }>>
let erased: string

before(async () => {
  kit = await startOperations()
  await kit.database.pool.query(
    `insert into account_users (id, name, email) values (gen_random_uuid(), 'Administrator', 'administrator@example.com')`,
  )
  workspace = await kit.workspace()
  await seedEverything(kit, workspace, 'bell')
  own = Object.fromEntries(await idsOf(kit, workspace))
  const [survivor, merged] = [await workspace.claim('Survivor'), await workspace.claim('It was merged')]
  await workspace.run('merge_claims', { claim_id: merged.id, into_claim_id: survivor.id })
  const original = await workspace.signal({ text: 'It stands.' })
  const repeat = await workspace.signal({ text: 'It stands, too.' })
  const asMarked = { action: 'duplicate', signal_ids: [repeat.id], original_signal_id: original.id }
  await workspace.run('triage_signals', asMarked)
  const rowless = await workspace.occurrence(original.id)
  const gone = await workspace.signal({ text: 'It goes.' })
  erased = gone.reference
  await kit.database.pool.query('delete from signals where id = $1', [gone.id])
  const at = { claim: survivor.reference, signal: original.reference }
  moved = {
    "a merged claim's id": { name: merged.id, livesIn: at.claim },
    "a merged claim's reference": { name: merged.reference, livesIn: at.claim },
    "a merged claim's title": { name: 'It was merged', livesIn: at.claim },
    'a pair with a merged claim': { name: `${merged.reference}/CLM-1`, livesIn: at.claim },
    "a repeat's id": { name: rowless, livesIn: at.signal },
    "a stored repeat's id": { name: repeat.id, livesIn: at.signal },
    "a stored repeat's reference": { name: repeat.reference, livesIn: at.signal },
  }
})
after(() => kit.stop())

const refusal = async (operation: Operation, input: Readonly<Record<string, unknown>>): Promise<AssayError> => {
  try {
    await workspace.run(operation, input)
  } catch (error) {
    assert.ok(isAssayError(error), String(error))
    return error
  }
  assert.fail(`${operation.name} took ${JSON.stringify(input)}`)
}

/** These take a merge or a repeat back: they name what was merged, or what repeats another, itself. */
const NAMES_IT_ITSELF: readonly string[] = [
  'triage undo claim_id',
  'triage undo signal_id',
  'triage not_a_repeat signal_id',
]

const writes = [...registry.values()].filter(({ effect, role }) => effect !== 'read' && role !== 'administrator')
/** The fields that claims and Signals can be named in, as they were found. */
const takesClaims = new Set<string>()
const takesSignals = new Set<string>()

for (const operation of writes) {
  for (const field of idFieldsOf(operation)) {
    test(`${operation.name} refuses in ${field.path} what lives elsewhere now, and says where`, async () => {
      const unknown = newId()
      const inputs = await inputsThatReach({ operation, field, id: unknown, own, refusal })
      assert.ok(inputs.length > 0)
      const before = await everythingOf(kit, workspace, ['outbox'])
      for (const input of inputs) {
        const action = input(unknown).action
        if (NAMES_IT_ITSELF.includes(`${operation.name} ${action} ${field.name}`)) continue
        for (const [what, { name, livesIn }] of Object.entries(moved)) {
          const { code, publicMessage, context } = await refusal(operation, input(name))
          if (code === 'not_found' || code === 'invalid_input') continue
          assert.equal(code, 'conflict', `${what}: ${publicMessage}`)
          assert.equal((context as { readonly lives_in?: string }).lives_in, livesIn, `${what}: ${publicMessage}`)
          assert.match(publicMessage, new RegExp(`${livesIn}\\b`))
          const taken = what.includes('claim') ? takesClaims : takesSignals
          taken.add([operation.name, action, field.path].filter(Boolean).join(' '))
        }
        const gone = await refusal(operation, input(erased))
        assert.ok(['not_found', 'invalid_input'].includes(gone.code), gone.publicMessage)
        if (takesSignals.has([operation.name, action, field.path].filter(Boolean).join(' ')))
          assert.match(gone.publicMessage, /SIG-\d+ was erased/)
      }
      assert.equal(await everythingOf(kit, workspace, ['outbox']), before)
    })
  }
}

test('these are the fields in which writes name claims, and Signals', () => {
  const inBoth = ['assign_owner id', 'log_decision about', 'write_comment id']
  const claims = [
    'attach_evidence claim_id',
    'change_strategy add claim_ids',
    'change_strategy link claim_ids',
    'change_strategy unlink claim_ids',
    'create_solution claim_ids',
    'merge_claims claim_id',
    'merge_claims further_claim_ids',
    'merge_claims into_claim_id',
    'save_knowledge id',
    'split_claim claim_id',
    'triage confirm_merge proposal_id',
    'triage confirm_merge proposal_ids',
    'triage confirm_merge survivor_id',
    'triage promote claim_id',
    'triage refuse_merge proposal_id',
    'triage refuse_merge proposal_ids',
    'triage undo proposal_id',
    'triage_signals promote claim_id',
    'update_claim claim_id',
    'update_solution add_claim_ids',
    'update_solution remove_claim_ids',
  ]
  assert.deepEqual([...takesClaims].toSorted(), [...inBoth, ...claims].toSorted())
  const batch = ['accept', 'dismiss', 'duplicate', 'gather', 'promote', 'reclassify', 'snooze', 'wake'].flatMap(
    action => [`triage_signals ${action} signal_ids`, `triage_signals ${action} signals/signal_id`],
  )
  const signals = [
    'add_map_nodes nodes/signal_ids',
    'attach_evidence signal_id',
    'erase_signal id',
    'move_signal signal_id',
    'place_signals places/signal_id',
    'split_claim signal_ids',
    'triage accept signal_id',
    'triage dismiss signal_id',
    'triage promote signal_id',
    'triage reclassify signal_id',
    'triage_signals duplicate original_signal_id',
    'triage_signals gather refused_signal_ids',
    'update_theme refused_signal_ids',
    'update_theme signal_ids',
    'update_theme split_signal_ids',
  ]
  assert.deepEqual([...takesSignals].toSorted(), [...inBoth, ...signals, ...batch].toSorted())
})

test('what takes a merge or a repeat back acts on what it names, and on nothing else', async () => {
  const [original, repeat] = [
    await workspace.signal({ text: 'It hangs.' }),
    await workspace.signal({ text: 'It hung.' }),
  ]
  await workspace.run('triage', { action: 'accept', signal_id: original.id })
  await workspace.run('triage_signals', {
    action: 'duplicate',
    signal_ids: [repeat.id],
    original_signal_id: original.reference,
  })
  const rowless = await workspace.occurrence(original.id)
  await assert.rejects(workspace.run('triage', { action: 'undo', signal_id: rowless }), /counts as a repeat of SIG-/)
  // By its id, too, where the last Decision on the original was taken back before.
  const { data } = await workspace.run('triage', { action: 'undo', signal_id: repeat.id })
  const { undone, signal } = data as { readonly undone: readonly string[]; readonly signal: { readonly id: string } }
  assert.deepEqual([undone, signal.id], [['duplicate'], repeat.id])

  const other = await workspace.signal({ text: 'It stops.' })
  const [into, merged] = [await workspace.claim('Into', [other]), await workspace.claim('Gone', [original])]
  await workspace.run('merge_claims', { claim_id: merged.reference, into_claim_id: into.reference })
  const pull = { action: 'undo', signal_id: original.id, claim_id: merged.reference }
  await assert.rejects(workspace.run('triage', pull), new RegExp(`was merged into ${into.reference}`))
  await workspace.run('triage', { action: 'undo', claim_id: 'Gone' })
  const { data: apart } = await workspace.run('lookup_claim', { id: merged.reference })
  assert.equal((apart as { readonly id: string }).id, merged.id)
})

test('a read goes on to where it is now, and says so', async () => {
  for (const { name, livesIn } of Object.values(moved)) {
    if (name.includes('/')) continue
    const { data, meta } = await workspace.run('lookup_reference', { query: name })
    const [item] = (data as { readonly items: readonly { readonly reference: string }[] }).items
    if (item?.reference !== livesIn) continue
    assert.match(meta.note ?? '', new RegExp(`${livesIn}, which is answered\\.`))
  }
})
