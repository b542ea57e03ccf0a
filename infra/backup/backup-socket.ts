import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { isSocketDirectory, makeSocketDirectory, SOCKET } from '../postgres/embedded/socket-directory.ts'
import { AssayError, asAssayError } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'

/** A backup that is made while it is read. */
export interface MadeBackup {
  readonly stream: Readable
  /** Breaks the backup off. Resolves when it no longer uses the stores, which must stay open until then. */
  stop(): Promise<void>
}

/** A file beside the data with the socket of a running Assay that makes backups. */
const noteOf = (dataDirectory: string): string => join(dataDirectory, 'backup.socket')

/**
 * Answers each request with a backup from `begin`, one at a time. The socket is in a directory that only this user can
 * enter, like the database's: whoever reaches it could read the data directory too.
 */
export const serveBackups = async (
  dataDirectory: string,
  begin: () => Promise<MadeBackup>,
  logger: Logger,
): Promise<{ stop(): Promise<void> }> => {
  const socket = await makeSocketDirectory()
  let isBusy = false
  let making: Promise<MadeBackup> | null = null
  const stopMaking = async (): Promise<void> => (await making?.catch(() => null))?.stop()
  const server = createServer(async (_asked, response) => {
    if (isBusy) return void response.writeHead(409).end('A backup is being made already. Wait until it is done.')
    isBusy = true
    making = begin()
    response.once('close', async () => {
      await stopMaking()
      isBusy = false
    })
    try {
      const { stream } = await making
      stream.once('error', error => {
        if (response.destroyed) logger.warn('a backup was broken off: whoever asked for it has gone')
        else logger.error({ err: error }, 'a backup was broken off')
        response.destroy()
      })
      stream.pipe(response)
    } catch (error) {
      logger.error({ err: error }, 'a backup could not be begun')
      response.writeHead(503).end(asAssayError(error).publicMessage)
    }
  })
  server.listen(socket.path)
  await writeFile(noteOf(dataDirectory), socket.host, { mode: 0o600 })
  return {
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await stopMaking()
      await rm(noteOf(dataDirectory), { force: true })
      await socket.remove()
    },
  }
}

/** A backup from the Assay that runs on this data directory; null when none answers. */
export const askForBackup = async (dataDirectory: string): Promise<Readable | null> => {
  const host = (await readFile(noteOf(dataDirectory), 'utf8').catch(() => '')).trim()
  if (!isSocketDirectory(host)) return null
  return new Promise((resolve, reject) => {
    const asking = request({ socketPath: join(host, SOCKET), path: '/' }, async response => {
      if (response.statusCode === 200) return resolve(response)
      const sentence = Buffer.concat(await response.toArray()).toString('utf8')
      reject(new AssayError('unavailable', sentence))
    })
    asking.once('error', () => resolve(null))
    asking.end()
  })
}
