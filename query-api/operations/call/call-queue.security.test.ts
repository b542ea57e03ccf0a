import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, type TenantId, type UserId } from '../../../schemas/domain/ids.ts'
import { failsWith } from '../testing.ts'
import { createCallQueue } from './call-queue.ts'

const setUp = () => {
  const turn = createCallQueue()
  const tenantId = newId<TenantId>()
  const held = Promise.withResolvers<void>()
  const ended: string[] = []
  const ask = (userId: UserId, name: string) =>
    turn({ tenantId, userId }, async () => {
      await held.promise
      ended.push(name)
    })
  return { ask, ended, release: held.resolve, person: newId<UserId>(), colleague: newId<UserId>() }
}

test('a colleague waits behind a few calls of a person, not behind all that the person’s agent asks for', async () => {
  const { ask, ended, release, person, colleague } = setUp()
  const calls = Array.from({ length: 60 }, () => ask(person, 'agent'))
  calls.push(ask(colleague, 'colleague'))
  release()
  await Promise.all(calls)
  assert.equal(ended.indexOf('colleague'), 3)
})

test('the line of one person has an end, and a colleague is taken all the same', async () => {
  const { ask, ended, release, person, colleague } = setUp()
  const calls = Array.from({ length: 203 }, () => ask(person, 'agent'))
  await assert.rejects(ask(person, 'one too many'), failsWith('rate_limited'))
  calls.push(ask(colleague, 'colleague'))
  release()
  await Promise.all(calls)
  assert.ok(ended.includes('colleague') && !ended.includes('one too many'))
})
