import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCOUNT_EVENTS, AUDITED_OPERATIONS } from '../../../schemas/domain/vocabulary.ts'
import { ACCOUNT_ROUTES } from '../../accounts/accounts-api.ts'
import type { Operation } from '../define.ts'
import { registry } from '../registry.ts'

/** Writes that administrate and are in the audit log by another way, or in none, by the reason why. */
const NOT_BY_THE_CALL: Readonly<Record<string, readonly string[]>> = {
  'the model writes it, as it does for the operator’s commands': [
    'make_administrator',
    'make_reset_link',
    'remove_administrator',
    'remove_two_factor',
  ],
  'it is product data: What changed shows it, and undo has its rows': [
    'add_map_nodes',
    'delete_comment',
    'edit_comment',
    'place_signals',
    'reverse_decision',
    'start_review',
    'remove_test_signals',
  ],
  'it is what a person wants sent to themselves': ['set_digest'],
  'it is what a person has seen': ['dismiss_first_steps', 'read_mentions'],
  'it changes nothing': ['check_import'],
}

/**
 * For people alone, an owner's, an administrator's, or with the rights of the accounts: it is about who may do what.
 */
const administrates = ({ effect, audience, role, databaseRole }: Operation): boolean =>
  effect !== 'read' &&
  (audience === 'people' || role === 'owner' || role === 'administrator' || databaseRole === 'assay_accounts')

test('every operation that administrates is in the audit log, or says why not', () => {
  const known = new Set([...AUDITED_OPERATIONS, ...Object.values(NOT_BY_THE_CALL).flat()])
  const names = [...registry.values()].filter(administrates).map(({ name }) => name)
  assert.ok(names.length > 30)
  assert.deepEqual(
    names.filter(name => !known.has(name)),
    [],
  )
  assert.deepEqual(
    [...known].filter(name => !registry.has(name)),
    [],
  )
})

/** Ways into the accounts that write and are told of elsewhere, or nowhere, by the reason why. */
const NOT_BY_THE_DOOR: Readonly<Record<string, string>> = {
  'sign-up/email': 'its own answer tells, as nobody is signed in before',
  invitation: 'it changes nothing',
  'sign-in/email': 'as above, and of one that failed too',
  'sign-in/two-factor': 'as above',
  'sign-in/backup-code': 'as above',
  'sign-in/sign-on': 'it leads to the issuer; the way back tells',
  'sign-in/passkey-options': 'it changes nothing',
  'sign-in/passkey': 'its own answer tells, as nobody is signed in before, and of one that failed too',
  'passkeys/options': 'it changes nothing until the passkey is added',
  'passkeys/add': 'its own answer tells, with the name of the passkey',
  'passkeys/rename': 'it is what a person calls their own',
  'passkeys/remove': 'its own answer tells, with the name of the passkey',
  'two-factor/enable': 'it changes nothing until the first digits are given',
  'request-password-reset': 'it is the same for every address, and a link that is used is told of',
  'reset-password': 'password-reset.ts tells in the transaction that ends the sessions',
  'send-verification-email': 'it changes nothing; what follows is told of',
  'delete-user': 'the model tells in the transaction that deletes',
}

test('every way into the accounts that writes is in the audit log, or says why not', () => {
  for (const [path, { method, event }] of Object.entries(ACCOUNT_ROUTES)) {
    if (method === 'GET') continue
    assert.ok((event === undefined) === path in NOT_BY_THE_DOOR, path)
    if (typeof event === 'string') assert.ok(ACCOUNT_EVENTS.includes(event), path)
  }
})
