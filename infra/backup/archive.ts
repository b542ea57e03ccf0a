import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { pack } from 'tar-stream'
import { createPartSums, MANIFEST_FILE, type Manifest } from './manifest.ts'

const CHUNK_BYTES = 256 * 1024

export type Archive = ReturnType<typeof createArchive>

/** A tar archive that is read while it is written: nobody holds more of it than a chunk. */
export const createArchive = () => {
  const tar = pack()
  const parts = createPartSums()
  const readerLeft = new Promise<never>((_resolve, reject) => {
    tar.once('close', () => reject(new Error('whoever reads the backup has gone')))
  })
  // Who waits for something hears of it.
  readerLeft.catch(() => {})

  const put = (header: { name: string; type: 'directory' | 'symlink'; linkname?: string }): void => {
    tar.entry(header)
  }

  return {
    stream: tar,
    directory: (name: string) => put({ name, type: 'directory' }),
    link: (name: string, linkname: string) => put({ name, type: 'symlink', linkname }),

    bytes(name: string, content: string | Uint8Array): void {
      const bytes = Buffer.from(content)
      parts.begin(name, bytes.length).update(bytes)
      tar.entry({ name, mode: 0o600 }, bytes)
    },

    /**
     * A file as it is when it is read: `size` bytes, or as many as it has when it is opened. Where an engine cuts it
     * short meanwhile, zeros follow, as in every copy of a database that works. A file that is gone by then is left
     * out.
     */
    async file(name: string, path: string, size?: number): Promise<void> {
      const handle = await open(path).catch(error => {
        if (error.code === 'ENOENT') return null
        throw error
      })
      if (handle === null) return
      try {
        const length = size ?? (await handle.stat()).size
        const sum = parts.begin(name, length)
        const done = Promise.withResolvers<void>()
        const entry = tar.entry({ name, size: length, mode: 0o600 }, error =>
          error ? done.reject(error) : done.resolve(),
        )
        for (let at = 0; at < length; ) {
          const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, length - at))
          const { bytesRead } = await handle.read(chunk, 0, chunk.length, at)
          const piece = bytesRead === 0 ? chunk : chunk.subarray(0, bytesRead)
          sum.update(piece)
          if (!entry.write(piece)) await Promise.race([once(entry, 'drain'), readerLeft])
          at += piece.length
        }
        entry.end(undefined)
        await Promise.race([done.promise, readerLeft])
      } finally {
        await handle.close()
      }
    },

    /** The last of it. */
    finish(manifest: Omit<Manifest, 'parts'>): void {
      const bytes = Buffer.from(`${JSON.stringify({ ...manifest, parts: parts.sums() }, null, 2)}\n`)
      tar.entry({ name: MANIFEST_FILE, mode: 0o600 }, bytes)
      tar.finalize()
    },
  }
}
