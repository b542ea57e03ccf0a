import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scanWords, wordsOf } from './words.ts'

const alternativesOf = (text: string): readonly string[] => {
  const found: string[] = []
  scanWords(text, (word, kind) => {
    if (kind !== 'word') found.push(word)
  })
  return found
}

describe('The words of a text', () => {
  for (const [text, words] of [
    ['The export FAILS: error 0x80070005', ['the', 'export', 'fails', 'error', '0x80070005']],
    ['Übergröße für Åsa, señor', ['ubergrosse', 'fur', 'asa', 'senor']],
    [
      'Łódź, Đorđe, Ærøskøbing, cœur, IŞIK ışık, Þór',
      ['lodz', 'dorde', 'aeroskobing', 'coeur', 'isik', 'isik', 'thor'],
    ],
    ['Ошибка при ЭКСПОРТЕ', ['ошибка', 'при', 'экспорте']],
    ['ﬁle ① Ｆｕｌｌ', ['file', '1', 'full']],
    ['导出失败 v2', ['导出', '出失', '失败', 'v2']],
    ['PDF导出v2', ['pdf', '导出', 'v2']],
    ['サーバー', ['サー', 'ーバ', 'バー']],
    ['字', ['字']],
    ['내보내기 오류', ['내보내기', '오류']],
    ['تصدير الفاتورة', ['تصدير', 'الفاتورة']],
    ['निर्यात विफल', ['निर्यात', 'विफल']],
    ['C++, C#, F# and a C, but #12', ['c++', 'c#', 'f#', 'and', 'a', 'c', 'but', '12']],
    ['A/B, I/O, Q&A of R&D', ['ab', 'io', 'qa', 'of', 'rd']],
    ['e-mail on .NET', ['e', 'mail', 'on', 'net']],
    ['👍 …', []],
  ] as const) {
    it(`are those of ${JSON.stringify(text)}`, () => assert.deepEqual(wordsOf(text), words))
  }

  for (const [text, alternatives] of [
    ['e-mail, drop-down-menu, AT&T', ['email', 'dropdown', 'downmenu', 'att']],
    ['UTF-8, SHA-256 at 2024-01-15, 550e8400-e29b-41d4', ['utf8', 'sha256']],
    ['Notepad++ on .NET, ASP.NET ... end.Then i+1', ['notepad++', '.net']],
    ['导出失败, 字', ['败']],
    ['log in - now', []],
  ] as const) {
    it(`may be read another way in ${JSON.stringify(text)}`, () => assert.deepEqual(alternativesOf(text), alternatives))
  }

  it('are the same however an accent is written, and with or without it', () => {
    for (const text of ['Café', 'Cafe\u0301', 'cafe']) assert.deepEqual(wordsOf(text), ['cafe'])
    assert.deepEqual(wordsOf('ガ行'.normalize('NFD')), wordsOf('ガ行'))
  })
})
