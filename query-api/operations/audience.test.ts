import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tools } from '../tools/index.ts'
import { registry } from './registry.ts'

/** What people alone do, by the reason why. */
const KEPT_FOR_PEOPLE: Readonly<Record<string, readonly string[]>> = {
  'a human makes and deletes keys, in the app': ['create_key', 'delete_key', 'list_keys'],
  'accounts and members are people': [
    'accept_invitation',
    'change_role',
    'invite_member',
    'list_invitations',
    'list_members',
    'preview_account_deletion',
    'remove_member',
    'revoke_invitation',
  ],
  'a person mends their own words, and reads what is for them; an agent takes its comment back with undo': [
    'delete_comment',
    'edit_comment',
    'list_mentions',
    'read_mentions',
  ],
  'an agent reads every Decision by service_lookup; people leave those of every day out': ['list_decisions'],
  'a key is bound to one workspace, and its rules are above it': [
    'create_workspace',
    'list_workspaces',
    'read_workspace_rules',
    'rename_workspace',
    'replace_ingestion_address',
    'remove_sandbox',
    'reset_sandbox',
    'set_workspace_rules',
  ],
  'a mail goes to a person, who chooses how often': ['read_digest', 'set_digest'],
  'the page shows a person what a first visit leads to': [
    'dismiss_first_steps',
    'list_test_signals',
    'read_first_steps',
    'remove_test_signals',
  ],
  'the installation is above workspaces': [
    'list_administrators',
    'list_audit_log',
    'list_installation_workspaces',
    'make_administrator',
    'make_reset_link',
    'pause_step',
    'remove_administrator',
    'remove_two_factor',
    'resume_step',
  ],
  'secrets are copied from the app, and what loses the address of a sender is not taken back': [
    'create_source',
    'delete_source',
    'rotate_source_secret',
  ],
  'agents prepare, and what goes for good a person asks for': [
    'delete_workspace',
    'erase_person',
    'erase_signal',
    'erase_source',
    'list_erasures',
    'preview_erasure',
    'preview_retention',
    'read_retention',
    'resume_erasure',
    'set_retention',
  ],
  'a whole workspace goes out or comes in as a file of a browser': [
    'check_import',
    'discard_transfer',
    'list_transfers',
    'preview_import',
    'preview_take_back',
    'start_export',
    'start_import',
    'take_back_import',
  ],
}

/** What a screen needs in a shape of its own: agents have the same by a mode. */
const SHAPED_FOR_SCREENS: Readonly<Record<string, string>> = {
  add_map_nodes: 'service_map add_node',
  count_waiting: 'service_orient snapshot',
  inspect_dependencies: 'service_support diagnose',
  list_board: 'service_lookup backlog',
  list_changes: 'service_orient changes',
  list_likely_same: 'service_lookup search',
  list_proposed_places: 'service_lookup triage',
  merge_living_document: 'service_decide living_doc',
  outline_map: 'service_map read',
  place_signals: 'service_map move_signal',
  preview_re_anchor: 'service_support start_job',
  read_review: 'service_analyze reviews',
  reverse_decision: 'service_decide triage',
  search_themes: 'service_lookup themes',
  start_review: 'service_analyze review',
  watch_pipeline: 'service_support pipeline',
}

const modes = tools.flatMap(tool =>
  Object.entries(tool.modes).map(([mode, { name }]) => [`${tool.name} ${mode}`, name]),
)

test('an agent does what its owner does: each operation is a mode, unless the contract keeps it for people', () => {
  const reachable = new Set(modes.map(([, name]) => name))
  const kept = new Set([...Object.values(KEPT_FOR_PEOPLE).flat(), ...Object.keys(SHAPED_FOR_SCREENS)])
  const wrong = [...registry.values()].flatMap(({ name, audience }) => {
    if (kept.has(name)) return audience === 'people' && !reachable.has(name) ? [] : [`${name} is kept for people`]
    return audience === 'everyone' && reachable.has(name) ? [] : [`${name} is no mode that agents reach`]
  })
  assert.deepEqual(wrong, [])
  assert.deepEqual(
    [...kept].filter(name => !registry.has(name)),
    [],
  )
})

test('what is shaped for screens alone is reached by a mode that there is', () => {
  const there = new Set(modes.map(([mode]) => mode))
  assert.deepEqual(
    Object.values(SHAPED_FOR_SCREENS).filter(mode => !there.has(mode)),
    [],
  )
})

test('what only an administrator may do is no mode', () => {
  for (const [mode, name = ''] of modes) assert.notEqual(registry.get(name)?.role, 'administrator', mode)
})
