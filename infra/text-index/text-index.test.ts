import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stemOf } from './dictionary.ts'
import { createTextIndex } from './text-index.ts'

const SIGNAL = 1
const CLAIM = 2
const ALL = SIGNAL | CLAIM

const indexOf = (...titles: readonly string[]) => {
  const index = createTextIndex()
  for (const title of titles) index.add(SIGNAL, { title })
  return {
    index,
    search: (text: string) => index.search({ text, kinds: ALL }, 10).map(({ key }) => key),
    having: (text: string) => index.having({ text, kinds: ALL }, 10),
  }
}

describe('A text index', () => {
  it('finds a word by its forms', () => {
    const families = [
      'export exports exported exporting',
      'crash crashes crashed crashing',
      'query queries',
      'update updates updated updating',
      'stop stops stopped stopping',
      'notification notifications',
      'timeout timeouts',
    ]
    for (const family of families) {
      const forms = family.split(' ')
      assert.equal(new Set(forms.map(stemOf)).size, 1, family)
      for (const form of forms) assert.deepEqual(indexOf('nothing', `the ${forms[0]} fails`).search(form), [1], form)
    }
    for (const word of ['status', 'this', 'class', 'bus', 'ring', 'red', 'sing', '4711s', 'größes']) {
      assert.equal(stemOf(word), word)
    }
  })

  it('finds by the beginning of the word that is being typed, and by no other', () => {
    const { search } = indexOf('export of orders', 'orders are lost')
    assert.deepEqual(search('expor'), [0])
    assert.deepEqual(search('orders expo'), [0, 1])
    assert.deepEqual(search('expo '), [])
    assert.deepEqual(search('e'), [])
  })

  it('finds two words for one and one for two, where they stand beside each other', () => {
    const { search } = indexOf('requests time out', 'the timeouts are short', 'out of time')
    assert.deepEqual(search('timeouts').toSorted(), [0, 1])
    assert.equal(search('time out')[0], 0)
    assert.ok(search('time out').includes(1))
  })

  it('finds with one error in a word that no text has, and never with one in a number', () => {
    const { search } = indexOf('export fails', 'version 4711 is slow')
    for (const typed of ['exprot', 'exort', 'expport', 'ecport', 'exprots']) assert.deepEqual(search(typed), [0], typed)
    assert.deepEqual(search('exprrot'), [])
    assert.deepEqual(search('4712'), [])
  })

  it('keeps what is in quotes together', () => {
    const { search } = indexOf('the export fails', 'fails the export')
    assert.deepEqual(search('"export fails"'), [0])
    assert.deepEqual(search('"nothing there"'), [])
  })

  it('puts what has rare words, many of them and in the title first, and says where they stand', () => {
    const index = createTextIndex()
    for (let n = 0; n < 50; n += 1) index.add(SIGNAL, { title: `order ${n}`, text: 'the export of an order' })
    const titled = index.add(SIGNAL, { title: 'Kowloon export', text: 'slow' })
    const said = index.add(SIGNAL, { title: 'Slow', text: 'in Kowloon', person: 'Ada Lovelace', source: 'help desk' })
    const query = (text: string) => index.search({ text, kinds: ALL }, 2).map(({ key, field }) => [key, field])
    assert.deepEqual(query('kowloon export'), [
      [titled, 'title'],
      [said, 'text'],
    ])
    assert.deepEqual(query('lovelace'), [[said, 'person']])
    assert.deepEqual(query('help desk'), [[said, 'source']])
  })

  it('answers of the kinds that are asked for, and nothing that was removed', () => {
    const { index, search } = indexOf('export one', 'export two')
    const claim = index.add(CLAIM, { title: 'export three' })
    assert.deepEqual(
      index.search({ text: 'export', kinds: CLAIM }, 10).map(({ key }) => key),
      [claim],
    )
    index.remove(0)
    index.remove(0)
    assert.deepEqual(search('export').toSorted(), [1, 2])
    assert.deepEqual([index.texts, index.removed], [2, 1])
  })

  it('lists what has all of the words, the last first', () => {
    const { having } = indexOf('export of orders', 'orders are lost', 'export of all orders')
    assert.deepEqual(having('orders export'), [2, 0])
    assert.deepEqual(having('orders zebra'), [])
    assert.deepEqual(having('zebra'), [])
    assert.deepEqual(having('!!'), [])
  })

  it('takes a query of rubbish at a bounded cost', () => {
    const letters = (n: number) => String.fromCharCode(97 + (n % 26))
    const word = (n: number) =>
      Array.from({ length: 9 }, (_, place) => letters(n * (place + 3) + (n >> place))).join('')
    const index = createTextIndex()
    for (let n = 0; n < 3000; n += 1) index.add(SIGNAL, { title: `${word(n)} ${word(n + 7)}`, text: 'a b c d e f' })
    const queries = [
      'a '.repeat(10_000),
      Array.from({ length: 300 }, (_, n) => word(n * 31)).join(' '),
      'x'.repeat(5000),
      '"'.repeat(600),
      '"a b" '.repeat(100),
    ]
    for (const text of queries) {
      const before = process.threadCpuUsage()
      index.search({ text, kinds: ALL }, 100)
      index.having({ text, kinds: ALL }, 100)
      const { user, system } = process.threadCpuUsage(before)
      assert.ok(user + system < 250_000, `${text.slice(0, 20)}: ${user + system} µs`)
    }
  })
})
