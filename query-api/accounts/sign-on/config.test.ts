import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseConfig } from '../../../infra/runtime/config.ts'
import { SIGN_ON_CONFIG, signOnSettings } from './config.ts'

const settingsOf = (env: Readonly<Record<string, string>>) => signOnSettings(parseConfig(SIGN_ON_CONFIG, env))

test('half of single sign-on is refused: the other half may be mistyped', () => {
  assert.equal(settingsOf({ OIDC_NAME: 'Example' }), null)
  for (const [half, value] of [
    ['OIDC_CLIENT_ID', 'assay'],
    ['OIDC_CLIENT_SECRET', 'hush'],
    ['OIDC_DOMAINS', 'example.com'],
    ['OIDC_ROLES', '*=0195f3a2-0000-7000-8000-000000000000:viewer'],
  ] as const)
    assert.throws(() => settingsOf({ [half]: value }), new RegExp(`${half} is set and OIDC_ISSUER is not`))
  assert.throws(() => settingsOf({ OIDC_ONLY: 'true' }), /OIDC_ONLY is true and OIDC_ISSUER is not set/)
  assert.throws(() => settingsOf({ OIDC_ISSUER: 'https://login.example.com' }), /OIDC_CLIENT_ID is not/)
  assert.equal(settingsOf({ OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'a' })?.clientId, 'a')
})
