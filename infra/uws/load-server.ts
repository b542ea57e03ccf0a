import { createRequire } from 'node:module'
import { AssayError } from '../runtime/errors.ts'
import { type BinarySettings, verifiedBinary } from './verified-binary.ts'

/** uWebSockets.js reads its limit of 4 KiB for all headers from here when it is loaded; browsers' cookies alone can be more. */
const HEADERS_BYTES = '16384'

// The types leave the option out that the module exports.
export type Native = typeof import('uWebSockets.js') & { readonly LIBUS_LISTEN_EXCLUSIVE_PORT: number }

/** The binary that comes with the package. */
export const PACKED: BinarySettings = { uwsBinary: null, uwsBinarySha256: null }

/**
 * Loads the server's native half, the only place that does: its bytes are checked first, and the very file that was checked is loaded, past the
 * package's own JavaScript. Rejects as `verifiedBinary` does, and with `unsupported` where the system cannot load it.
 */
export const loadServer = async (settings: BinarySettings = PACKED): Promise<Native> => {
  const path = await verifiedBinary(settings)
  process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= HEADERS_BYTES
  try {
    return createRequire(import.meta.url)(path) as Native
  } catch (error) {
    const { platform, arch, version } = process
    const message =
      `The HTTP server's binary ${path} cannot be loaded on ${platform} ${arch} with Node ${version}. It needs glibc on Linux: in a container, ` +
      'use a Debian-based image rather than Alpine. One of your own must be built for this platform and this version of Node.'
    throw new AssayError('unsupported', message, { cause: error })
  }
}
