import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import iconv from 'iconv-lite'
import { createTranscoder } from './encodings.ts'

const read = (file: Uint8Array, size = 5) => {
  const transcoder = createTranscoder()
  const pieces: Buffer[] = []
  for (let at = 0; at < file.length; at += size) pieces.push(transcoder.add(file.subarray(at, at + size)))
  pieces.push(transcoder.end())
  return { text: Buffer.concat(pieces).toString('utf8'), encoding: transcoder.encoding }
}

const TEXT = 'Génial – 日本語 🎉, “Größe”\r\n'

describe('A file is read', () => {
  it('as UTF-8, with a byte order mark or without, whatever pieces it comes in', () => {
    for (let size = 1; size < 12; size += 1) {
      assert.deepEqual(read(Buffer.from(TEXT), size), { text: TEXT, encoding: 'utf-8' })
    }
    assert.deepEqual(read(Buffer.from(`\ufeff${TEXT}`)), { text: `\ufeff${TEXT}`, encoding: 'utf-8' })
    assert.deepEqual(read(Buffer.from('plain')), { text: 'plain', encoding: 'utf-8' })
  })

  it('as UTF-16 by its byte order mark, in both orders of bytes', () => {
    const little = Buffer.from(`\ufeff${TEXT}`, 'utf16le')
    for (const file of [little, Buffer.from(little).swap16()]) {
      for (const size of [2, 3, 7, 1000]) assert.deepEqual(read(file, size), { text: TEXT, encoding: 'utf-16' })
    }
  })

  it('as Windows-1252 where it is neither, wherever its first letter beyond ASCII stands', () => {
    const file = Buffer.concat([
      Buffer.from('Gr'),
      Buffer.from([0xf6, 0xdf]),
      Buffer.from('e: 5 '),
      Buffer.from([0x80]),
    ])
    for (let size = 1; size < 12; size += 1) {
      assert.deepEqual(read(file, size), { text: 'Größe: 5 €', encoding: 'windows-1252' })
    }
  })

  it('as spreadsheets save it where people write with other letters', () => {
    for (const [charset, line] of [
      ['shift_jis', 'コメント,日付\n検索がアーカイブを見つけません。,2026-01-05\n'],
      ['gb18030', '评论,日期\n导出在一万行处中断。,2026-01-05\n'],
      ['euc-kr', '의견,날짜\n앱이 매일 로그아웃됩니다.,2026-01-05\n'],
      ['windows-1251', 'Отзыв,Дата\nЭкспорт прерывается на десятой тысяче строк.,2026-01-05\n'],
      ['windows-1250', 'Komentarz,Data\nEksport nadal się zatrzymuje, proszę o pomoc.,2026-01-05\n'],
      ['windows-1253', 'Σχόλιο,Ημερομηνία\nΗ εξαγωγή σταματά συνεχώς και δεν ξέρω γιατί.,2026-01-05\n'],
    ] as const) {
      for (const size of [64, 1000])
        assert.deepEqual(read(iconv.encode(line, charset), size), { text: line, encoding: charset })
    }
  })

  it('as UTF-8 where some of its bytes are broken, which stay as they are', () => {
    const file = Buffer.concat([Buffer.from('Größe, Länge, Fläche\n'), Buffer.from([0xe9]), Buffer.from('\n')])
    assert.deepEqual(read(file, 1000), { text: file.toString('utf8'), encoding: 'utf-8' })
  })
})
