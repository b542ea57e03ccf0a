import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createWriteQueue, holdPage } from './write-queue.ts'

/** Whether the browser would ask before the page is left. */
const asks = (page: EventTarget): boolean => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }))

const settled = () => new Promise(resolve => setTimeout(resolve))

describe('Writes in turn', () => {
  /** A write that is sent when its turn comes and answered when the test says so. */
  const writes = () => {
    const sent: string[] = []
    const answers: (readonly [name: string, answer: () => void])[] = []
    const write = (name: string) => () =>
      new Promise<string>(resolve => {
        sent.push(name)
        answers.push([name, () => resolve(name)])
      })
    const answer = async (name: string) => {
      for (const [sentAs, tell] of answers) if (sentAs === name) tell()
      await settled()
    }
    return { sent, write, answer }
  }

  it('go out one after the other, also after one that failed', async () => {
    const page = new EventTarget()
    const inTurn = createWriteQueue(() => page)
    const { sent, write, answer } = writes()
    const failed = inTurn(() => Promise.reject(new Error('refused')), { isFree: true })
    const first = inTurn(write('first'), { isFree: true })
    const second = inTurn(write('second'), { isFree: true })
    await assert.rejects(failed, /refused/)
    await settled()
    assert.deepEqual(sent, ['first'])
    await answer('first')
    assert.equal(await first, 'first')
    assert.deepEqual(sent, ['first', 'second'])
    await answer('second')
    assert.equal(await second, 'second')
  })

  it('have the browser ask while one is unsent, and all go out when the page is left all the same', async () => {
    const page = new EventTarget()
    const inTurn = createWriteQueue(() => page)
    const { sent, write, answer } = writes()
    assert.equal(asks(page), false)
    for (const name of ['first', 'second']) void inTurn(write(name), { isFree: true })
    const bound = inTurn(write('bound to an answer'), { isFree: false })
    await settled()
    assert.equal(asks(page), true)
    page.dispatchEvent(new Event('pagehide'))
    assert.deepEqual(sent, ['first', 'first', 'second'], 'the one under way may have been cut off')
    for (const name of ['first', 'second', 'bound to an answer']) await answer(name)
    assert.equal(await bound, 'bound to an answer')
    assert.equal(asks(page), false)
  })

  it('are not the only ones that hold a page', () => {
    const page = new EventTarget()
    const [one, other] = [holdPage(page), holdPage(page)]
    one()
    one()
    assert.equal(asks(page), true)
    other()
    assert.equal(asks(page), false)
  })
})
