import { AssayError } from '../../infra/runtime/errors.ts'

/** uWebSockets.js reads its limit of 4 KiB for all headers from here when it is loaded; browsers' cookies alone can be more. */
const HEADERS_BYTES = '16384'

export type Native = typeof import('uWebSockets.js') & { readonly LIBUS_LISTEN_EXCLUSIVE_PORT: number }

/** Loads the server's native half. Rejects with a sentence that says what is supported where there is no build for the platform. */
export const loadServer = async (): Promise<Native> => {
  process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= HEADERS_BYTES
  try {
    // The types leave the option out that the module exports.
    return (await import('uWebSockets.js')) as unknown as Native
  } catch (error) {
    const { platform, arch, version } = process
    const message =
      `The HTTP server cannot run on ${platform} ${arch} with Node ${version}: it needs Node 22 on Linux with glibc (x64, arm64) ` +
      'or on macOS (x64, arm64). In a container, use a Debian-based image rather than Alpine.'
    throw new AssayError('unsupported', message, { cause: error })
  }
}
