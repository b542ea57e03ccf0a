import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAssayError } from '../runtime/errors.ts'
import { parseClickHouseUrl } from './config.ts'

test('a whole URL says where, who, with what password and which database', () => {
  assert.deepEqual(parseClickHouseUrl('https://ana:secret@clickhouse.example:8443/feedback'), {
    url: 'https://clickhouse.example:8443',
    username: 'ana',
    password: 'secret',
    database: 'feedback',
  })
})

test('what is left out is the user default without a password and the database assay', () => {
  const expected = { url: 'http://localhost:8123', username: 'default', password: '', database: 'assay' }
  for (const url of ['http://localhost:8123', 'http://localhost:8123/', 'http://@localhost:8123/'])
    assert.deepEqual(parseClickHouseUrl(url), expected, url)
})

test('a password without a user is that of the user default', () => {
  const { username, password } = parseClickHouseUrl('http://:secret@localhost:8123')
  assert.deepEqual({ username, password }, { username: 'default', password: 'secret' })
})

test('any character may be in the user, the password and the database when it is percent-encoded', () => {
  const all = 'ü/ö:@?#%&=+ "\'`\\'
  const encoded = encodeURIComponent(all)
  assert.deepEqual(parseClickHouseUrl(`http://${encoded}:${encoded}@[::1]:8123/${encoded}`), {
    url: 'http://[::1]:8123',
    username: all,
    password: all,
    database: all,
  })
})

test('a slash at the end does no harm', () => {
  assert.equal(parseClickHouseUrl('http://localhost:8123/feedback/').database, 'feedback')
})

test('anything else is refused with what is allowed, and without the password', () => {
  const wrong = {
    'localhost:8123': /neither http/,
    '': /not an absolute URL/,
    'http://ana:hunter2@:8123': /not an absolute URL/,
    'clickhouse://ana:hunter2@localhost:9000/assay': /neither http/,
    'http://ana:hunter2@localhost:8123/assay/more': /more than one name/,
    'http://ana:hunter2@localhost:8123/assay?secure=1': /after the database/,
    'http://ana:hunter2@localhost:8123/assay#hunter2': /after the database/,
    'http://ana:hunter2%@localhost:8123/assay': /percent-encoded/,
    'http://ana:hunter2@localhost:8123/%FF': /percent-encoded/,
  }
  for (const [url, why] of Object.entries(wrong))
    assert.throws(
      () => parseClickHouseUrl(url),
      error => {
        assert.ok(isAssayError(error) && error.code === 'invalid_configuration')
        assert.match(error.publicMessage, why)
        assert.match(error.publicMessage, /http:\/\/user:password@host:8123\/database/)
        assert.doesNotMatch(error.message, /hunter2/)
        return true
      },
    )
})
