import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readTerms, termsOf, titleLength, wordFormsOf } from './terms.ts'

describe('The words of a text', () => {
  for (const [text, words] of [
    ['exports exported, exporting queries', ['export', 'export', 'export', 'query']],
    ['TableViewRow on iOS', ['tableviewrow', 'tabl', 'view', 'row', 'on', 'ios', 'os']],
    ['导出失败 v2', ['导出', '出失', '失败', 'v2']],
    ['내보내기 오류', ['내보내기', '오류']],
    ['HTTPServer.close_all(URL)', ['httpserver', 'http', 'server', 'clos', 'all', 'url']],
  ] as const) {
    it(`count by their forms and parts in ${JSON.stringify(text)}`, () => assert.deepEqual(wordFormsOf(text), words))
  }

  it('are the same however an accent is written, and with or without it', () => {
    for (const text of ['Café', 'Cafe\u0301', 'cafe']) assert.deepEqual(wordFormsOf(text), wordFormsOf('cafe'))
    assert.deepEqual(wordFormsOf('ガ行'.normalize('NFD')), wordFormsOf('ガ行'))
  })
})

describe('The terms of a text', () => {
  const counts = (text: string) => {
    const found: number[][] = []
    readTerms(termsOf(text), (_, count) => found.push([count >>> 6, count & 63]))
    return found
  }

  it('say how often its title and the rest of it have each word', () => {
    assert.deepEqual(counts('Export export\nThe export'), [
      [2, 1],
      [0, 1],
    ])
    assert.deepEqual(counts(`${'x '.repeat(50)}.\n${'x '.repeat(100)}`), [[3, 63]])
  })

  it('end with its first 2,000 characters', () => {
    assert.deepEqual(termsOf(`${'a '.repeat(1000)}b`), termsOf('a '.repeat(1000)))
  })

  it('have a title that ends with the first line or sentence, unless that is too long for one', () => {
    for (const [text, title] of [
      ['It fails\nevery day', 'It fails'],
      ['It fails in 1.2.3! Every day', 'It fails in 1.2.3'],
      ['导出失败。每天', '导出失败'],
      ['It fails', 'It fails'],
      ['word '.repeat(100), ''],
    ] as const) {
      assert.equal(text.slice(0, titleLength(text)), title)
    }
  })

  it('cost in proportion to what is read, and that has an end', () => {
    const cost = (text: string, runs = 15): number => {
      const run = () => {
        const before = process.threadCpuUsage()
        for (let times = 0; times < runs; times += 1) termsOf(text)
        const { user, system } = process.threadCpuUsage(before)
        return user + system
      }
      run()
      return Math.min(run(), run(), run())
    }
    for (const unit of ['a', 'a ', '字', 'é', '\n', '\u0301', '. ', 'ﷺ']) {
      let [whole, read, plain] = [Number.POSITIVE_INFINITY, 0, 0]
      // What is above the bound is measured again, beside 150 plain texts at the same moment: the least is what a busy
      // machine cannot add to. Some machines count CPU by ticks of 4 ms.
      const isBounded = () => whole < 4 * read + 12_000 && whole < 12 * plain + 40_000
      for (let attempt = 0; attempt < 10 && !isBounded(); attempt += 1) {
        plain = Math.max(plain, cost('A word and others. '.repeat(105), 150))
        read = Math.max(read, cost(unit.repeat(2000 / unit.length)))
        whole = Math.min(whole, cost(unit.repeat(50_000 / unit.length)))
      }
      assert.ok(isBounded(), `${JSON.stringify(unit)}: ${read} and ${whole} µs, 150 plain texts ${plain} µs`)
    }
  })
})
