import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inBytes } from './in-bytes.ts'

describe('A number of bytes', () => {
  it('is said with a unit that fits, one byte as one', () => {
    const said = [0, 1, 89, 1023, 1024, 3_565_158, 2 ** 30, 2 ** 44].map(inBytes)
    assert.deepEqual(said, ['0 bytes', '1 byte', '89 bytes', '1,023 bytes', '1 KB', '3.4 MB', '1 GB', '16,384 GB'])
  })
})
