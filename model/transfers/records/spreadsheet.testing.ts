import { strToU8, zipSync } from 'fflate'

/** A cell in a test: a text, a number as it is written, a day in the program's count, or nothing. */
type Cell = string | { readonly number: string } | { readonly day: string } | null

const NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'
const XML = '<?xml version="1.0" encoding="UTF-8"?>'
const DATE_STYLE = 1

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const cellOf = (cell: Cell, at: string): string => {
  if (cell === null) return ''
  if (typeof cell === 'string') return `<c r="${at}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`
  if ('number' in cell) return `<c r="${at}"><v>${cell.number}</v></c>`
  return `<c r="${at}" s="${DATE_STYLE}"><v>${cell.day}</v></c>`
}

const sheetOf = (rows: readonly (readonly Cell[])[]): string => {
  const lines = rows.map((row, line) => {
    const cells = row.map((cell, column) => cellOf(cell, `${String.fromCharCode(65 + column)}${line + 1}`))
    return `<row r="${line + 1}">${cells.join('')}</row>`
  })
  return `${XML}<worksheet xmlns="${NAMESPACE}"><sheetData>${lines.join('')}</sheetData></worksheet>`
}

const relation = (id: number, type: string, target: string): string =>
  `<Relationship Id="rId${id}" Type="${OFFICE}/${type}" Target="${target}"/>`

/** Parts of a workbook with two sheets, the first with these rows. */
export const workbookParts = (sheet: string): Record<string, string> => ({
  '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
  '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}">${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
  'xl/workbook.xml': `${XML}<workbook xmlns="${NAMESPACE}" xmlns:r="${OFFICE}"><sheets><sheet name="Tickets" sheetId="1" r:id="rId1"/><sheet name="Notes" sheetId="2" r:id="rId2"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}">${relation(1, 'worksheet', 'worksheets/sheet1.xml')}${relation(2, 'worksheet', 'worksheets/sheet2.xml')}${relation(3, 'styles', 'styles.xml')}</Relationships>`,
  'xl/styles.xml': `${XML}<styleSheet xmlns="${NAMESPACE}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  'xl/worksheets/sheet1.xml': sheet,
  'xl/worksheets/sheet2.xml': sheetOf([['Nothing of this']]),
})

export const packed = (parts: Readonly<Record<string, string>>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))

/** A workbook as a spreadsheet program saves it. */
export const workbook = (rows: readonly (readonly Cell[])[]): Uint8Array => packed(workbookParts(sheetOf(rows)))
