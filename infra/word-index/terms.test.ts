import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readTerms, termsOf, titleLength, wordFormsOf, wordsOf } from './terms.ts'

describe('The words of a text', () => {
  for (const [text, words] of [
    ['The export FAILS: error 0x80070005', ['the', 'export', 'fails', 'error', '0x80070005']],
    ['Übergröße für Åsa, señor', ['ubergroße', 'fur', 'asa', 'senor']],
    ['Ошибка при ЭКСПОРТЕ', ['ошибка', 'при', 'экспорте']],
    ['ﬁle ① Ｆｕｌｌ', ['file', '1', 'full']],
    ['导出失败 v2', ['导出', '出失', '失败', 'v2']],
    ['エクスポート', ['エク', 'クス', 'スポ', 'ポー', 'ート']],
    ['字', ['字']],
    ['내보내기 오류', ['내보내기', '오류']],
    ['تصدير الفاتورة', ['تصدير', 'الفاتورة']],
    ['निर्यात विफल', ['निर्यात', 'विफल']],
    ['👍 …', []],
  ] as const) {
    it(`are told of ${JSON.stringify(text)}`, () => assert.deepEqual(wordsOf(text), words))
  }

  for (const [text, words] of [
    ['exports exported, exporting queries', ['export', 'export', 'export', 'query']],
    ['TableViewRow on iOS', ['tableviewrow', 'tabl', 'view', 'row', 'on', 'ios', 'os']],
    ['HTTPServer.close_all(URL)', ['httpserver', 'http', 'server', 'clos', 'all', 'url']],
  ] as const) {
    it(`count by their forms and parts in ${JSON.stringify(text)}`, () => assert.deepEqual(wordFormsOf(text), words))
  }

  it('are the same however an accent is written, and with or without it', () => {
    for (const text of ['Café', 'Cafe\u0301', 'cafe']) assert.deepEqual(wordsOf(text), ['cafe'])
    assert.deepEqual(wordsOf('ガ行'.normalize('NFD')), wordsOf('ガ行'))
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
    const cost = (text: string): number => {
      const run = () => {
        const before = process.threadCpuUsage()
        for (let times = 0; times < 15; times += 1) termsOf(text)
        const { user, system } = process.threadCpuUsage(before)
        return user + system
      }
      run()
      return Math.min(run(), run(), run())
    }
    for (const unit of ['a', 'a ', '字', 'é', '\n', '\u0301', '. ', 'ﷺ']) {
      const whole = cost(unit.repeat(50_000 / unit.length))
      const read = cost(unit.repeat(2000 / unit.length))
      assert.ok(whole < 4 * read + 3000, `${JSON.stringify(unit)}: ${read} and ${whole} µs`)
      assert.ok(whole < 150_000, `${JSON.stringify(unit)}: ${whole} µs for 15 texts`)
    }
  })
})
