import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { newId, type SourceId } from '../../schemas/domain/ids.ts'
import { formatIngestionAddress, parseIngestionAddress } from './ingestion-address.ts'

const DOMAIN = 'in.example.com'
const ID = '0193a5c2-7f3e-7a11-8c4d-0123456789ab' as SourceId

const format = (sourceId: SourceId, slug = 'acme') => formatIngestionAddress({ slug, sourceId, domain: DOMAIN })

test('an address has the workspace’s slug and 26 characters that hold the source’s id', () => {
  const address = format(ID)
  assert.match(address, /^acme-[0-9a-hjkmnp-tv-z]{26}@in\.example\.com$/)
  assert.equal(parseIngestionAddress(address, DOMAIN), ID)
})

test('every id comes back, whichever way it was made', () => {
  for (let round = 0; round < 200; round += 1) {
    for (const id of [newId<SourceId>(), randomUUID() as SourceId]) {
      assert.equal(parseIngestionAddress(format(id), DOMAIN), id)
    }
  }
  for (const id of ['00000000-0000-1000-8000-000000000000', 'ffffffff-ffff-8fff-bfff-ffffffffffff']) {
    assert.equal(parseIngestionAddress(format(id as SourceId), DOMAIN), id)
  }
})

test('mail systems may change the case, and a person may mistake 0 and 1', () => {
  const address = format(ID)
  assert.equal(parseIngestionAddress(address.toUpperCase(), DOMAIN), ID)
  assert.equal(parseIngestionAddress(address, 'IN.Example.COM'), ID)
  const token = address.slice('acme-'.length, address.indexOf('@'))
  const misread = token.replaceAll('0', 'O').replaceAll('1', 'l')
  assert.notEqual(misread, token)
  assert.equal(parseIngestionAddress(`acme-${misread}@${DOMAIN}`, DOMAIN), ID)
})

test('the local part keeps within 64 characters, whatever the slug', () => {
  const address = format(ID, `a-${'long-'.repeat(10)}`.slice(0, 48))
  assert.ok(address.indexOf('@') <= 64, address)
  assert.equal(parseIngestionAddress(address, DOMAIN), ID)
})

test('a workspace that was renamed keeps its address', () => {
  assert.equal(parseIngestionAddress(format(ID, 'another-name'), DOMAIN), ID)
})

test('other addresses are nobody’s', () => {
  const address = format(ID)
  const token = address.slice('acme-'.length, address.indexOf('@'))
  const others = [
    '',
    '@',
    DOMAIN,
    `@${DOMAIN}`,
    `${token}@${DOMAIN}`,
    `-${token}@${DOMAIN}`,
    `acme-${token.slice(1)}@${DOMAIN}`,
    `acme-${token}0@${DOMAIN}x`,
    `acme-${token.slice(0, -1)}u@${DOMAIN}`,
    `acme-${'z'.repeat(26)}@${DOMAIN}`,
    `acme-${'0'.repeat(26)}@${DOMAIN}`,
    `acme-${token}@example.com`,
    `acme-${token}@evil.${DOMAIN}`,
    `acme-${token}@${DOMAIN}.evil.com`,
    `acme-${token}@${DOMAIN}@evil.com`,
    `<acme-${token}@${DOMAIN}>`,
    `acme-${token}\n@${DOMAIN}`,
    `acme-${token.replace(/.$/, 'é')}@${DOMAIN}`,
    `${'a-'.repeat(100_000)}@${DOMAIN}`,
  ]
  for (const other of others) assert.equal(parseIngestionAddress(other, DOMAIN), null, other.slice(0, 100))
})
