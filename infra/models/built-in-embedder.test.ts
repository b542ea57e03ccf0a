import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cosine as cosineOf } from '../vectors.ts'
import { createBuiltInEmbedder } from './built-in-embedder.ts'

const embedder = createBuiltInEmbedder()

const cosine = async (left: string, right: string): Promise<number> => {
  const [a, b] = await embedder.embed([left, right])
  assert.ok(a && b)
  return cosineOf(a, b)
}

test('any text whatever becomes a unit vector of 1024 dimensions, and the same one again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async text => {
      const [first, again] = await embedder.embed([text, text])
      assert.ok(first && again)
      assert.equal(first.length, 1024)
      assert.ok(Math.abs(Math.sqrt(cosineOf(first, first)) - 1) < 1e-5)
      assert.deepEqual(first, again)
    }),
  )
})

test('small edits stay near, the same area is nearer than another one', async () => {
  const text = 'The export button of the invoice list does nothing when I click it'
  assert.ok((await cosine(text, 'The export button of the invoice list does nothing, when I click it!')) > 0.85)
  const sameArea = await cosine(text, 'Exporting is broken: nothing happens on click in the invoice list')
  const otherArea = await cosine(text, 'Please add a dark mode to the mobile application')
  assert.ok(sameArea > otherArea + 0.2, `${sameArea} against ${otherArea}`)
})

const SAID = 'The export of the invoices fails'
const ELSEWHERE = 'Please add a dark design'

for (const [language, text] of [
  ['German', 'Der Export der Rechnungen schlägt fehl'],
  ['Russian', 'Экспорт счетов не работает'],
  ['Chinese', '发票导出失败'],
  ['Japanese', '請求書のエクスポートが失敗する'],
  ['Arabic', 'فشل تصدير الفواتير'],
  ['Polish', 'Eksport faktur nie działa'],
] as const) {
  test(`what is said in ${language} is nearer to the same in English than to something else`, async () => {
    assert.ok((await cosine(text, SAID)) > (await cosine(text, ELSEWHERE)) + 0.1)
  })
}

test('other words for the same are nearer than other things', async () => {
  const twins = await cosine('I cannot sign in any more', 'Login is broken since yesterday')
  assert.ok(twins > (await cosine('I cannot sign in any more', 'The printer wastes paper')) + 0.1)
})

test('texts of signs alone differ when the signs do', async () => {
  assert.ok((await cosine('🦀🦀', '🦀🦀')) > 0.999)
  assert.ok((await cosine('\u{1f98b}\u{1f9a9}', '\u{1fac0}\u{1fad0}')) < 0.5)
})

test('a script that the table does not know is compared by spelling', async () => {
  const text = 'இந்த புலத்தில் மதிப்பு தேவை.'
  assert.ok((await cosine(text, 'இந்த புலத்தில் மதிப்பு தேவை!')) > 0.9)
  assert.ok((await cosine(text, 'சரியான மின்னஞ்சல் முகவரி தரவும்.')) < 0.4)
  assert.ok(Math.abs(await cosine(text, SAID)) < 0.2)
})
