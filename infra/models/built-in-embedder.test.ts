import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createBuiltInEmbedder } from './built-in-embedder.ts'

const embedder = createBuiltInEmbedder()

const cosine = async (left: string, right: string): Promise<number> => {
  const [a, b] = await embedder.embed([left, right])
  assert.ok(a && b)
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
}

const length = (vector: Float32Array): number => Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))

test('any text whatever becomes a unit vector of 1024 dimensions, and the same one again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async text => {
      const [first, again] = await embedder.embed([text, text])
      assert.ok(first && again)
      assert.equal(first.length, 1024)
      assert.ok(Math.abs(length(first) - 1) < 1e-5)
      assert.deepEqual(first, again)
    }),
  )
})

test('a text keeps its vector from one release to the next, because stored vectors are compared with new ones', async () => {
  const [vector] = await embedder.embed(['The export button does nothing.'])
  assert.ok(vector)
  const strongest = [...vector.entries()].sort(([, a], [, b]) => Math.abs(b) - Math.abs(a)).slice(0, 4)
  assert.deepEqual(
    strongest.map(([dimension, value]) => [dimension, Math.round(value * 1000) / 1000]),
    [
      [540, 0.106],
      [696, 0.1],
      [454, 0.093],
      [449, 0.091],
    ],
  )
})

test('small edits stay near, the same area is nearer than another one', async () => {
  const text = 'The export button of the invoice list does nothing when I click it'
  assert.ok((await cosine(text, 'The EXPORT button of the invoice list does nothing, when I click it!!')) > 0.95)
  const sameArea = await cosine(text, 'Exporting is broken: nothing happens on click in the invoice list')
  const otherArea = await cosine(text, 'Please add a dark mode to the mobile application')
  assert.ok(sameArea > otherArea + 0.2, `${sameArea} against ${otherArea}`)
})

for (const [language, text, near, far] of [
  [
    'German',
    'Der Export der Rechnungen schlägt fehl',
    'Rechnungsexport schlägt immer fehl',
    'Bitte ein dunkles Design anbieten',
  ],
  ['Russian', 'Экспорт счетов не работает', 'не работает экспорт всех счетов', 'Добавьте тёмную тему'],
  ['Chinese', '导出按钮没有反应', '点击导出按钮没有任何反应', '请添加深色模式'],
  ['Arabic', 'زر التصدير لا يعمل', 'لا يعمل زر تصدير الفواتير', 'أضف الوضع الداكن'],
  ['Thai', 'ปุ่มส่งออกไม่ทำงาน', 'กดปุ่มส่งออกแล้วไม่ทำงาน', 'ขอเพิ่มโหมดมืด'],
] as const) {
  test(`${language} texts that share their words are nearer than texts that do not`, async () => {
    assert.ok((await cosine(text, near)) > (await cosine(text, far)) + 0.2)
  })
}

test('accents and letter case do not part words', async () => {
  assert.ok((await cosine('Le problème à résoudre', 'le probleme a resoudre')) > 0.999)
})

test('texts of signs alone differ when the signs do', async () => {
  assert.ok((await cosine('👍', '👍')) > 0.999)
  assert.ok((await cosine('👍', '👎')) < 0.5)
})
