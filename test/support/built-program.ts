/**
 * `assay` as a few large files instead of three thousand small ones: to start it takes a third of the processor, and
 * tests start it a hundred times. What is started by `npm start` and what the guide adds are started from the sources.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type OutputAsset, type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { CACHE, removeOthers } from '../../infra/postgres/testing-embedded.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** They find files of their own beside themselves. */
const AS_INSTALLED = /^(@electric-sql\/.*|chdb|onnxruntime-node|usearch|uWebSockets\.js)$/
const THREAD = /new URL\('(\.[^']+-thread\.ts|\.\/thread\.ts|\.\/worker\.ts)', import\.meta\.url\)/g

/**
 * A thread's file is built too, where it is named; every other address stays that of the source, since files are looked
 * up beside it.
 */
const keepAddresses: Plugin = {
  name: 'keep-addresses',
  transform(code, id) {
    if (id.includes('/node_modules/') || !code.includes('import.meta.url')) return null
    const source = pathToFileURL(id).href
    const threads = code.replace(THREAD, (_, path: string) => {
      const thread = fileURLToPath(new URL(path, source))
      const name = thread.slice(ROOT.length).replaceAll('/', '-').replace(/\.ts$/, '')
      return `new URL(import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'chunk', id: thread, name })})`
    })
    return { code: threads.replaceAll('import.meta.url', JSON.stringify(source)), moduleType: 'ts' }
  },
}

const contentOf = (file: OutputAsset | OutputChunk) => (file.type === 'chunk' ? file.code : file.source)

/** Builds it, unless what stands in `.cache` is the same; answers the file to start. */
export const buildProgram = async (): Promise<string> => {
  const build = await rolldown({
    input: { assay: 'assay.ts' },
    cwd: ROOT,
    platform: 'node',
    external: AS_INSTALLED,
    treeshake: false,
    logLevel: 'silent',
    plugins: [keepAddresses],
  })
  const { output } = await build.generate({ format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' })
  await build.close()
  const hash = createHash('sha256')
  for (const file of output) hash.update(file.fileName).update(contentOf(file))
  const name = `program-${hash.digest('hex').slice(0, 16)}`
  const kept = fileURLToPath(new URL(name, CACHE))
  if (!existsSync(kept)) {
    const made = `${kept}.${process.pid}`
    for (const file of output) {
      await mkdir(dirname(join(made, file.fileName)), { recursive: true })
      await writeFile(join(made, file.fileName), contentOf(file))
    }
    // Another run may have been quicker.
    await rename(made, kept).catch(() => rm(made, { recursive: true }))
    await removeOthers(/^program-[0-9a-f]+$/, name)
  }
  return join(kept, 'assay.mjs')
}
