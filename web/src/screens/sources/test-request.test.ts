import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledIn, written } from './test-request.ts'

const SIGNED = {
  url: 'https://assay.example/api/webhooks/metric/1',
  headers: { 'Content-Type': 'application/json', Authorization: 'Bearer {secret}' },
  body: '{"value":1}',
  secret_missing: true,
  expected_response: '200',
}

test('a secret that is not stored is filled in by the person, with the value to send', () => {
  const request = filledIn(SIGNED, { secret: 'abc', value: 42 })
  assert.equal(request.headers.Authorization, 'Bearer abc')
  assert.equal(request.body, '{"value":42}')
})

test('a request that is signed already is sent byte for byte', () => {
  const request = filledIn({ ...SIGNED, secret_missing: false, body: '{ "a": 1 }' }, { secret: 'abc', value: 42 })
  assert.deepEqual(request, { url: SIGNED.url, headers: SIGNED.headers, body: '{ "a": 1 }' })
})

test('a request is written as it goes over the wire', () => {
  assert.equal(
    written(SIGNED),
    'POST /api/webhooks/metric/1\nContent-Type: application/json\nAuthorization: Bearer {secret}\n\n{"value":1}',
  )
})
