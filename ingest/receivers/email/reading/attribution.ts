import { unquote } from './lines.ts'

/** The line above a quote may be wrapped over so many. */
const MAX_LINES = 4
const MAX_LENGTH = 400

/** `wrote:` in the languages that mail programs speak, at the end of the line or before a name at its end. */
const WROTE = [
  /(?<!\p{L})(wrote|écrit|escribió|ha scritto|escreveu|kirjoitti|napsal\(?a?\)?|a scris|írta|yazdı|έγραψε)\s?[:：]$/iu,
  /(?<!\p{L})(schrieb|schreef|skrev|napisał\(?a?\)?|pisze|ezt írta|следующее|написал\(?а?\)?|пишет|пише|написав\(?ла\)?)(?!\p{L}).{0,200}[:：]$/iu,
  /(写道|寫道|のメッセージ|님이 작성|작성|wrote|さん(?:から|は書きました))\s?[:：]$/u,
  // Some languages need no verb: `вт, 4 мар. 2025 г. в 10:12, Имя <address>:`
  /\d.{0,200}<[^<>\s]{1,254}@[^<>\s]{1,254}>\s?[:：]$/u,
]
/** An attribution says when, or whose address it was: without that it is a sentence of the author's. */
const WHEN_OR_WHO = /\d{1,2}[:.h時]\d\d|\b\d{4}\b|\d{4}年|\S@\S/u

/** How many lines from this one on say who wrote what follows, as in `On <date>, <name> wrote:`; 0 when it does not begin here. */
export const attributionLength = (lines: readonly string[], start: number): number => {
  let text = ''
  for (let length = 1; length <= MAX_LINES && start + length <= lines.length; length++) {
    const line = unquote(lines[start + length - 1] ?? '').trim()
    if (line === '') return 0
    text = `${text} ${line}`.trim()
    if (text.length > MAX_LENGTH) return 0
    if (/[:：]$/.test(line) && WHEN_OR_WHO.test(text) && WROTE.some(wrote => wrote.test(text))) return length
  }
  return 0
}
