import assert from 'node:assert/strict'
import { it } from 'node:test'
import { INVOICES, OTHERS, PASSWORDS } from '../../model/themes/testing.ts'
import { startPipeline } from './pipeline.ts'
import type { ThemedLine } from './sets.ts'
import { measureThemes } from './themes.ts'

it('a person who never errs answers pages until every theme is found and nothing is left', async () => {
  const line = (theme: string | null) => (text: string) => ({ text, theme, language: 'en', kind: 'problem' as const })
  const lines: readonly ThemedLine[] = [
    ...INVOICES.map(line('invoices')),
    ...PASSWORDS.map(line('passwords')),
    ...OTHERS.map(line(null)),
  ].map((one, at) => ({ ...one, id: `${at}` }))
  const pipeline = await startPipeline('embedded')
  try {
    const { answered, themes } = await measureThemes(pipeline, { name: 'small', lines })
    const last = answered.at(-1)
    assert.deepEqual([last?.randIndex, last?.found, themes], [1, 2, 2])
    assert.ok(last !== undefined && last.answers >= 2 && last.answers < 20, `${last?.answers} answers`)
  } finally {
    await pipeline.stop()
  }
})
