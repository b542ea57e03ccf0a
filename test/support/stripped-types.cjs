/**
 * Loaded before everything else of a test's process: keeps what a file is without its types. Node keeps what V8 made of a file, but takes
 * the types out anew in each process, which is a third of what the import of a thousand files takes.
 */
const { createHash } = require('node:crypto')
const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { registerHooks, stripTypeScriptTypes } = require('node:module')
const { fileURLToPath } = require('node:url')

const kept = join(__dirname, '../../.cache/stripped', process.version)

/** A file is another one as soon as it was written. */
const keptAs = path => {
  const { mtimeMs, size } = statSync(path)
  return join(kept, createHash('sha1').update(`${path} ${mtimeMs} ${size}`).digest('hex'))
}

const strip = (path, to) => {
  const source = stripTypeScriptTypes(readFileSync(path, 'utf8'))
  mkdirSync(kept, { recursive: true })
  // Renamed into place, so that another process never reads half of it.
  writeFileSync(`${to}.${process.pid}`, source)
  renameSync(`${to}.${process.pid}`, to)
  return source
}

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith('file:') || !url.endsWith('.ts') || url.includes('/node_modules/'))
      return nextLoad(url, context)
    const path = fileURLToPath(url)
    const to = keptAs(path)
    try {
      return { format: 'module', source: readFileSync(to, 'utf8'), shortCircuit: true }
    } catch {
      return { format: 'module', source: strip(path, to), shortCircuit: true }
    }
  },
})
