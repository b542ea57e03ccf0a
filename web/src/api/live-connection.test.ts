import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createEventReader } from './live-connection.ts'

describe('A stream of events', () => {
  it('is read event by event, however it is cut', () => {
    const stream =
      'event: open\ndata: {}\n\n: still here\n\nevent: changed\ndata: {"topics":["signals"]}\n\ndata: x\n\n'
    const expected = [
      { event: 'open', data: '{}' },
      { event: 'changed', data: '{"topics":["signals"]}' },
      { event: 'message', data: 'x' },
    ]
    for (const size of [1, 3, 7, stream.length]) {
      const read = createEventReader()
      const events = []
      for (let at = 0; at < stream.length; at += size) events.push(...read(stream.slice(at, at + size)))
      assert.deepEqual(events, expected, `in pieces of ${size}`)
    }
  })

  it('keeps an event back until it is whole', () => {
    const read = createEventReader()
    assert.deepEqual(read('event: open\ndata: {}\n'), [])
    assert.deepEqual(read('\n'), [{ event: 'open', data: '{}' }])
  })
})
