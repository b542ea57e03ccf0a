import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { read as readDeployment } from '../../infra/deploy/testing.ts'
import { DEVELOPMENT_ONLY, isAllowed, LICENCE_OVERRIDES } from './licences.ts'
import { appNotices, serverNotices, thirdPartyNotices } from './notices.ts'
import { lockedPackages, ROOT, readLicence } from './packages.ts'

test('everything that is shipped has a licence that allows it, and a text', () => {
  const [server, app] = [serverNotices(), appNotices()]
  assert.ok(server.length > 150 && app.length > 40)
  for (const { name, licence, text } of [...server, ...app]) {
    assert.ok(
      isAllowed(licence),
      `${name} has the licence "${licence}": replace it, or add the licence to licences.ts with care`,
    )
    assert.ok(text.length > 200, `${name} has a text`)
  }
})

test('every development tool has a licence that is allowed, or one that is named for tools alone', () => {
  const tools = lockedPackages().filter(({ development }) => development)
  assert.ok(tools.length > 300)
  for (const { name, licence } of tools.flatMap(tool => readLicence(tool) ?? []))
    assert.ok(isAllowed(LICENCE_OVERRIDES[name] ?? licence) || DEVELOPMENT_ONLY.has(licence), `${name}: "${licence}"`)
})

for (const [licence, allowed] of [
  ['MIT', true],
  ['(MIT OR EUPL-1.1+)', true],
  ['MIT AND ISC AND BSD-3-Clause', true],
  ['MIT AND GPL-3.0', false],
  ['AGPL-3.0-only', false],
  ['MPL-2.0', false],
  ['BUSL-1.1', false],
  ['UNLICENSED', false],
  ['', false],
] as const) {
  test(`the licence "${licence}" is ${allowed ? 'allowed' : 'refused'}`, () =>
    assert.equal(isAllowed(licence), allowed))
}

test('THIRD_PARTY_NOTICES says what is installed and built; npm run docs writes it', () => {
  assert.equal(readFileSync(new URL('THIRD_PARTY_NOTICES', ROOT), 'utf8'), thirdPartyNotices())
})

test('LICENSE is the licence that package.json names, and the image carries both files', () => {
  assert.equal(JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')).license, 'Apache-2.0')
  assert.match(
    readFileSync(new URL('LICENSE', ROOT), 'utf8'),
    /Apache License\s+Version 2\.0, January 2004[\s\S]*END OF TERMS/,
  )
  assert.match(readDeployment('Dockerfile'), /^COPY .*\bLICENSE THIRD_PARTY_NOTICES\b/m)
  for (const file of ['LICENSE', 'THIRD_PARTY_NOTICES'])
    assert.match(readDeployment('Dockerfile.dockerignore'), new RegExp(`^!${file}$`, 'm'))
})
