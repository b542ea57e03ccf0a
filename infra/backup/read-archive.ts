import { mkdir, open, symlink } from 'node:fs/promises'
import { dirname, join, normalize, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { extract } from 'tar-stream'
import { AssayError, isAssayError, storageReason } from '../runtime/errors.ts'
import { createPartSums, FORMAT, MANIFEST_FILE, type Manifest, partOf } from './archive.ts'

/** Limit of the manifest's size. */
const MANIFEST_BYTES = 64 * 1024

const damaged = (why: string, cause?: unknown): AssayError =>
  new AssayError('damaged', `The backup ${why}. Nothing was restored: take another copy of it.`, { cause })

const cutShort = (cause?: unknown): AssayError => damaged('is damaged or cut short', cause)

const isManifest = (value: unknown): value is Manifest =>
  typeof value === 'object' && value !== null && 'format' in value && 'parts' in value && 'counts' in value

const readManifest = (text: string): Manifest => {
  let manifest: unknown
  try {
    manifest = JSON.parse(text)
  } catch (error) {
    throw cutShort(error)
  }
  if (!isManifest(manifest)) throw damaged('has no manifest that can be read')
  if (manifest.format === FORMAT) return manifest
  const message = `The backup has format ${manifest.format}, and this version of Assay (which reads ${FORMAT}) does not know it. Restore it with Assay ${manifest.assay}.`
  throw new AssayError('invalid_input', message)
}

/** The path of a name in a backup, which is untrusted: a name that leads out of the folder is refused. */
const placeIn = (folder: string, name: string): string => {
  const path = normalize(name).replace(/\/$/, '')
  if (partOf(path) === null || path.split('/').includes('..'))
    throw damaged(`has the file ${JSON.stringify(name)}, which is none of its parts`)
  return join(folder, path)
}

const write = async (
  path: string,
  content: AsyncIterable<Uint8Array>,
  hash: { update(bytes: Uint8Array): unknown },
) => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const handle = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of content) {
      hash.update(chunk)
      await handle.writeFile(chunk)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Writes a backup's files into an empty folder. Resolves with its manifest after all lengths and checksums were
 * verified. Otherwise rejects with `damaged`; the caller removes what was written. Only a chunk is in memory.
 */
export const readArchive = async (source: Readable, folder: string): Promise<Manifest> => {
  const tar = extract()
  source.once('error', error => tar.destroy(error))
  source.pipe(tar)
  const parts = createPartSums()
  let manifest: Manifest | null = null
  try {
    for await (const entry of tar) {
      const { name, type, size = 0, linkname } = entry.header
      if (manifest !== null) throw damaged('goes on after its end')
      if (name === MANIFEST_FILE) {
        if (size > MANIFEST_BYTES) throw cutShort()
        manifest = readManifest(await text(chunksOf(entry)))
        continue
      }
      const path = placeIn(folder, name)
      if (type === 'directory') await mkdir(path, { recursive: true, mode: 0o700 })
      else if (type === 'symlink') await link(folder, path, linkname ?? '')
      else if (type === 'file') await write(path, chunksOf(entry), parts.begin(name, size))
      else throw damaged(`has an entry of the kind ${type}`)
      entry.resume()
    }
  } catch (error) {
    if (isAssayError(error)) throw error
    const reason = storageReason(error)
    throw reason === undefined ? cutShort(error) : new AssayError('damaged', `${folder} cannot be used: ${reason}.`)
  }
  if (manifest === null) throw cutShort()
  if (!isDeepStrictEqual(parts.sums(), manifest.parts)) throw damaged('is not what its manifest says')
  return manifest
}

/** The library types chunks as unknown; a tar has bytes. */
const chunksOf = (entry: AsyncIterable<unknown>) => entry as AsyncIterable<Uint8Array>

const link = async (folder: string, path: string, target: string): Promise<void> => {
  if (!resolve(dirname(path), target).startsWith(`${resolve(folder)}/`))
    throw damaged('has a link that leads out of it')
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await symlink(target, path)
}
