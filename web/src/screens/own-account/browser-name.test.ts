import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserName } from './browser-name.ts'

test('a browser is called by its name and its system, a program by its first word', () => {
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36'
  assert.equal(browserName(chrome), 'Chrome on Linux')
  assert.equal(
    browserName(`${chrome} Edg/147.0.0.0`.replace('X11; Linux x86_64', 'Windows NT 10.0')),
    'Edge on Windows',
  )
  assert.equal(
    browserName('Mozilla/5.0 (Macintosh; Intel Mac OS X 15_1) Version/18.1 Safari/605.1.15'),
    'Safari on macOS',
  )
  assert.equal(browserName('curl/8.5.0'), 'curl')
  assert.equal(browserName('x'.repeat(500)).length, 40)
  assert.deepEqual([browserName(null), browserName(' ')], ['Unknown', 'Unknown'])
})
