import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { registry } from './registry.ts'

const FOLDER = new URL('./', import.meta.url)

test('an operation, its file and its export have one name', async () => {
  for (const [name, operation] of registry) {
    const [file, ...others] = globSync(`*/${name.replaceAll('_', '-')}.ts`, { cwd: FOLDER.pathname })
    assert.ok(file !== undefined && others.length === 0, `${name}: ${[file, ...others].join(', ')}`)
    const exported = name.replaceAll(/_([a-z])/g, (_: string, letter: string) => letter.toUpperCase())
    const module: Readonly<Record<string, unknown>> = await import(new URL(file, FOLDER).href)
    assert.equal(module[exported], operation, `${file} exports ${Object.keys(module).join(', ')}`)
  }
})
