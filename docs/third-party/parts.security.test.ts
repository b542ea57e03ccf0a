import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { lockedPackages, ROOT } from './packages.ts'

/**
 * Packages for platforms that the registry at hand does not carry, so that it has no integrity to give: tools for
 * development, and ClickHouse's engine for other platforms. npm checks what it installs of them against the registry
 * that it comes from.
 */
const WITHOUT_INTEGRITY = /^(@biomejs\/cli|@oxc-parser\/binding|@chdb\/lib)-/

test('the lock file holds the integrity of every package, but for other platforms’ that this registry has not', () => {
  const packages = lockedPackages()
  assert.ok(packages.length > 600)
  for (const { name, integrity, platformOnly } of packages) {
    if (integrity === undefined) assert.ok(platformOnly && WITHOUT_INTEGRITY.test(name), `${name} has no integrity`)
    else assert.match(integrity, /^sha512-[\w+/]{86}==$/, `${name}: ${integrity}`)
  }
  const missing = packages.filter(({ integrity }) => integrity === undefined)
  assert.ok(missing.length <= 26, `${missing.length} packages have no integrity, more than before`)
})

test('what is installed here is all held by an integrity', () => {
  const installed = new Set(globSync('node_modules/{*,@*/*}/package.json', { cwd: ROOT.pathname }))
  for (const { folder, integrity } of lockedPackages())
    if (installed.has(`${folder}/package.json`)) assert.ok(integrity !== undefined, folder)
})

test('the lock file names no registry', () => {
  for (const { name, resolved } of lockedPackages()) assert.equal(resolved, undefined, name)
})

/** Who packs the machine code that a running installation loads. Decision 57 says what is checked of each. */
const PACKERS: readonly (readonly [RegExp, string])[] = [
  [/^uWebSockets\.js\/dist\/bin\//, 'uws-pack: not by its authors; checked by infra/uws before it is loaded'],
  [/^@chdb\/lib-[\w-]+\//, 'chDB, its authors'],
  [/^usearch\/(prebuilds|build)\//, 'Unum, its authors'],
  [/^@electric-sql\/pglite(-pgvector)?\/dist\//, 'ElectricSQL, its authors: WebAssembly'],
  [/^onnxruntime-node\/bin\//, 'Microsoft, its authors'],
  [/^node\/(node_modules\/node-[\w-]+\/)?bin\/node$/, 'the package node: the Node project’s builds'],
]

test('every binary of the installed product is one whose packer is known', () => {
  const shipped = lockedPackages().filter(({ development }) => !development)
  const binaries = shipped.flatMap(({ folder }) =>
    globSync(`${folder}/**/*.{node,so,so.*,dylib,dll,exe,wasm}`, {
      cwd: ROOT.pathname,
      exclude: path => path.slice(folder.length).includes('node_modules'),
    }),
  )
  assert.ok(binaries.length > 20)
  for (const path of binaries) {
    const inside = path.replace(/^node_modules\//, '')
    assert.ok(
      PACKERS.some(([pattern]) => pattern.test(inside)),
      `${inside}: who packs it, and is it loaded?`,
    )
  }
})
