import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { packed, workbook, workbookParts } from './spreadsheet.testing.ts'
import { spreadsheetAsCsv } from './spreadsheet.ts'

const asCsv = async (bytes: Uint8Array) => Buffer.from(await spreadsheetAsCsv({ bytes })).toString('utf8')

const failsAs =
  (code: string, message = /./) =>
  (error: unknown): boolean =>
    error instanceof AssayError && error.code === code && message.test(error.publicMessage)

describe('A spreadsheet', () => {
  it('is its first sheet, a line a row, with days and times as such and numbers as they are written', async () => {
    const rows = [
      ['Ticket', 'Opened', 'Text', 'Who'],
      [{ number: '12345678901234567' }, { day: '46000' }, 'It says "no", and\nstops; often', null],
      [{ number: '0.1' }, { day: '46000.5' }, '=1+1', 'Ana & Ben'],
      [],
      [{ number: '3' }, null, ' spaced ', 'Cleo'],
    ]
    assert.equal(
      await asCsv(workbook(rows)),
      [
        '"Ticket","Opened","Text","Who"',
        '"12345678901234567","2025-12-09","It says ""no"", and\nstops; often",',
        '"0.1","2025-12-09T12:00:00Z","=1+1","Ana & Ben"',
        ',,,',
        '"3",," spaced ","Cleo"',
        '',
      ].join('\n'),
    )
  })

  it('of another kind, or broken, is refused with what to do', async () => {
    const { 'xl/workbook.xml': _, ...others } = workbookParts('<worksheet/>')
    const files = [
      packed({ 'content.xml': '<office/>' }),
      packed(others),
      packed({ 'xl/workbook.xml': 'no xml' }),
      Buffer.from('PK\u0003\u0004'),
      workbook([['a']]).subarray(0, 900),
    ]
    for (const file of files) await assert.rejects(asCsv(file), failsAs('unsupported', /Save the sheet as CSV/))
  })

  it('that unpacks to more than is read is refused before it is unpacked, whatever else is in it', async () => {
    const bomb = packed(workbookParts(' '.repeat(64 * 1024 * 1024)))
    assert.ok(bomb.length < 100_000)
    await assert.rejects(asCsv(bomb), failsAs('too_large', /Save the sheet as CSV/))
    const withPicture = packed({
      ...workbookParts('<worksheet><sheetData/></worksheet>'),
      'xl/media/a.bmp': ' '.repeat(64 * 1024 * 1024),
    })
    assert.equal(await asCsv(withPicture), '')
  })

  it('with a cell so far out that the table up to it would fill the memory is refused', async () => {
    for (const at of ['XFD1048576', 'A200001', 'ZZ6000']) {
      const sheet = `<worksheet><sheetData><row><c r="${at}"><v>1</v></c></row></sheetData></worksheet>`
      await assert.rejects(asCsv(packed(workbookParts(sheet))), failsAs('too_large', /Save the sheet as CSV/), at)
    }
  })

  it('that lies about what it unpacks to gets no more memory than it says', async () => {
    const text = `<worksheet><sheetData>${'<row r="1"><c r="A1"><v>1</v></c></row>'.repeat(300_000)}</sheetData></worksheet>`
    const lying = Buffer.from(packed(workbookParts(text)))
    const size = Buffer.alloc(4)
    size.writeUInt32LE(text.length)
    for (let at = lying.indexOf(size); at !== -1; at = lying.indexOf(size, at + 1)) lying.writeUInt32LE(1000, at)
    await assert.rejects(asCsv(lying), failsAs('unsupported', /Save the sheet as CSV/))
  })
})
