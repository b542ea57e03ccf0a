import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId, type UserId } from '../../schemas/domain/ids.ts'
import { registry } from './registry.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from './testing.ts'
import { CHANGES, type Changes, FOR_GOOD, prepareChanges } from './testing-changes.ts'

/**
 * Two people who write the same: the second one, who has not seen what the first one wrote, is refused. Over every
 * writing operation: it takes the version or the values that were read, or there is nothing of another's in its way.
 */

let kit: OperationsKit
before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())

const fieldsOf = (name: string): readonly string[] =>
  Object.keys((registry.get(name)?.input as { readonly properties: object } | undefined)?.properties ?? {})
const isGuarded = (name: string): boolean =>
  ['version', 'expected', 'solutions', 'signals'].some(field => fieldsOf(name).includes(field))

/** Nobody else’s words are in the way of what these write, by why that is. */
const UNGUARDED: Readonly<Record<string, string>> = {
  'adds something: two of them are both there':
    'write_comment log_decision save_knowledge add_map_node add_map_nodes invite_member save_review start_review capture_signal create_solution create_connection create_source create_key create_workspace start_export check_import start_import accept_invitation make_reset_link',
  'takes away what is named, of which nothing is left to be overwritten':
    'delete_comment discard_dead_letters erase_person erase_signal erase_source delete_key remove_member revoke_invitation unbind_metric delete_source remove_test_signals discard_transfer take_back_import delete_workspace remove_sandbox reset_sandbox remove_administrator remove_two_factor',
  'sets a state that both mean, or refuses where it is set':
    'place_signals read_mentions replay_dead_letters resume_erasure make_administrator cancel_job start_job pause_step resume_step dismiss_first_steps show_less_likely rotate_source_secret replace_ingestion_address',
  'is the person’s own': 'set_digest',
  'takes back a change, and is refused where that was changed since': 'reverse_decision undo_change',
}

test('every write takes what was read of what it changes, or nothing of another person’s is in its way', t => {
  const writes = [...registry.values()].filter(({ effect }) => effect !== 'read').map(({ name }) => name)
  const unguarded = writes.filter(name => !isGuarded(name))
  t.diagnostic(`${writes.length} writes, ${writes.length - unguarded.length} of them on what was read`)
  assert.deepEqual(
    unguarded.toSorted(),
    Object.values(UNGUARDED)
      .flatMap(names => names.split(' '))
      .toSorted(),
  )
})

const NEVER = 999_999
const colleague = newId<UserId>()

describe('Who has read another version', () => {
  let workspace: Workspace
  let made: Changes
  before(async () => {
    workspace = await kit.workspace()
    made = await prepareChanges(kit, workspace)
  })

  for (const [at, [name, inputOf]] of CHANGES.entries()) {
    if (!fieldsOf(name).includes('version')) continue
    test(`is refused by ${name}, and so is who read what a colleague has written over since (${at})`, async () => {
      const operation = registry.get(name) ?? assert.fail()
      const inputAt = async (version: number) => ({ ...(await inputOf(made)), version })
      const refusal = await inputAt(NEVER)
        .then(input => workspace.run(operation, input))
        .catch((error: unknown) => error)
      // An action of several may take none, and says so.
      if (failsWith('invalid_input', /^Action \w+ (?:takes|needs) /)(refusal)) return
      assert.ok(failsWith('conflict')(refusal), String(refusal))
      const read = await inputAt(Number(/\bat (?:version )?(\d+)/.exec(String(refusal))?.[1]))
      const { meta } = await workspace.run(operation, read)
      const late = workspace.inApp(name, read, 'owner', colleague)
      await assert.rejects(late, error => failsWith('conflict')(error) || failsWith('not_found')(error))
      if (meta.change_id != null) await workspace.run('undo_change', { change_id: meta.change_id })
    })
  }

  /** What none of them has. */
  const STALE: Readonly<Record<string, object>> = {
    assign_owner: { owner: newId<UserId>() },
    change_role: { role: 'owner' },
    set_workspace_rules: { learns: false },
    set_retention: { signals_days: 77 },
    edit_comment: { text: 'Never said.' },
    update_theme: { name: 'Never called so' },
    rename_workspace: { name: 'Never called so' },
    bind_metric: { name: 'Never called so' },
  }

  test('has what is without a version written over by nobody who saw something else', async () => {
    const expecting = [...registry.keys()].filter(name => fieldsOf(name).includes('expected'))
    assert.deepEqual(expecting.toSorted(), Object.keys(STALE).toSorted())
    for (const [name, stale] of Object.entries(STALE)) {
      const inputOf = CHANGES.find(([each]) => each === name)?.[1]
      const input = await (inputOf?.(made) ?? FOR_GOOD[name]?.(kit, workspace) ?? assert.fail(name))
      const operation = registry.get(name) ?? assert.fail()
      const write = async () => workspace.inApp(operation.name, { ...input, expected: stale })
      await assert.rejects(write, failsWith('conflict', /changed since you read it/), name)
    }
  })
})
