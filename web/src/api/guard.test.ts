import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createGuard } from './guard.ts'

describe('What lets a change through once', () => {
  it('knows of a change that its dialog was closed before it was done', () => {
    const guard = createGuard()
    const close = guard.hold()
    assert.equal(guard.begin('a Solution'), true)
    close()
    guard.succeed()
    assert.equal(guard.isLeft('a Solution'), true)
    guard.end('a Solution')
    assert.equal(guard.isLeft('a Solution'), false)
  })

  it('takes a dialog that closes because it is done for no such one', () => {
    const guard = createGuard()
    const close = guard.hold()
    guard.begin('a Solution')
    guard.succeed()
    close()
    assert.equal(guard.isLeft('a Solution'), false)
    assert.equal(guard.begin('a Solution'), false, 'what it changed is read again')
    guard.end('a Solution')
    assert.equal(guard.begin('a Solution'), true, 'as of another dialog')
  })
})
