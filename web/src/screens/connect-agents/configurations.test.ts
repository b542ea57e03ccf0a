import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { configurationsOf } from './configurations.ts'

const DOCS = new URL('../../../../docs/connecting/', import.meta.url)
const URL_OF_DOCS = 'https://assay.example.com/api/mcp'
const KEY_OF_DOCS = 'service_mcp_0123456789abcdef0123456789abcdef'

const blocks = readdirSync(DOCS).flatMap(name =>
  [...readFileSync(new URL(name, DOCS), 'utf8').matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(
    ([, language = '', text = '']) => ({ language, text: text.trim() }),
  ),
)
const documented = blocks.filter(({ language }) => language === 'json').map(({ text }) => JSON.parse(text))

for (const { client, text } of configurationsOf(URL_OF_DOCS, KEY_OF_DOCS)) {
  test(`${client} is told what docs/connecting says`, () => {
    if (!text.startsWith('{')) return assert.ok(blocks.some(block => block.text === text))
    const told = JSON.parse(text)
    assert.ok(documented.some(each => isSame(each, told)))
  })
}

const isSame = (one: unknown, other: unknown): boolean => {
  try {
    assert.deepEqual(one, other)
    return true
  } catch {
    return false
  }
}
