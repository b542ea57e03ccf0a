import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { AssayError, codeOf } from '../runtime/errors.ts'

/**
 * SHA-256 of the uWebSockets.js binaries that an edge may load: those of the installed package for Node 22 (ABI 127) on
 * the supported platforms. Decision 57 says how they were compared, and what to do when the package or Node changes.
 */
export const PACKED_BINARIES: Readonly<Record<string, string>> = {
  uws_linux_x64_127: '8cabc918bbf9a07323e54f89a33882491080b2eb35df0607f473ccdb1f3c31af',
  uws_linux_arm64_127: 'd4c4f8b2c28c5f6544b49e36d91b0beee238a5b90a07904a947f77061c8b814d',
  uws_darwin_x64_127: 'afd992dc1ca1e33cdc7ce0c72a60baf236e590a257fcecbbbce7bc1a35451387',
  uws_darwin_arm64_127: 'abbeea53d48e21c01808203e9f9835728f2cea720d2e5b154837ee3045b513be',
}

/** A binary that the operator built, and its checksum. Both or neither. */
export interface BinarySettings {
  /** Its path; null for the package's binary. */
  readonly uwsBinary: string | null
  /** Its SHA-256 in hexadecimal. */
  readonly uwsBinarySha256: string | null
}

/** The path of a binary in the installed package. */
export const packedBinary = (name: string): string =>
  fileURLToPath(new URL(`bin/${name}.node`, import.meta.resolve('uWebSockets.js')))

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/**
 * The path of the binary to load, after its checksum was verified. Rejects with `unsupported` when there is none for
 * this platform, with `invalid_input` for contradicting settings, and with `forbidden` for a wrong checksum: nothing of
 * the binary has run then.
 */
export const verifiedBinary = async ({ uwsBinary, uwsBinarySha256 }: BinarySettings): Promise<string> => {
  const { platform, arch, version, versions } = process
  if ((uwsBinary === null) !== (uwsBinarySha256 === null)) {
    const message =
      'UWS_BINARY and UWS_BINARY_SHA256 belong together: set both, or neither for the binary that comes along.'
    throw new AssayError('invalid_input', message)
  }
  const name = `uws_${platform}_${arch}_${versions.modules}`
  const expected = uwsBinarySha256 ?? PACKED_BINARIES[name]
  if (expected === undefined) {
    const message =
      `The HTTP server cannot run on ${platform} ${arch} with Node ${version}: it needs Node 22 on Linux with glibc (x64, arm64) ` +
      'or on macOS (x64, arm64). In a container, use a Debian-based image rather than Alpine.'
    throw new AssayError('unsupported', message)
  }
  const path = uwsBinary ?? packedBinary(name)
  const found = sha256(await read(path))
  if (found === expected) return path
  const message =
    `The HTTP server's binary ${path} is not the one that is expected, and was not loaded: its SHA-256 is ${found}, not ${expected}. ` +
    (uwsBinary === null
      ? 'Install the packages again with `npm ci`. If it stays so, somebody has changed the package: do not run it.'
      : 'Compare it with what you built, and set UWS_BINARY_SHA256 to the SHA-256 of the binary that you trust.')
  throw new AssayError('forbidden', message)
}

const read = async (path: string): Promise<Buffer> => {
  try {
    return await readFile(path)
  } catch (error) {
    const message = `The HTTP server's binary ${path} cannot be read (${codeOf(error)}). Install the packages with \`npm ci\`, or correct UWS_BINARY.`
    throw new AssayError('unavailable', message, { cause: error })
  }
}

/**
 * uWebSockets.js reads its limit for all headers from the environment when it is loaded. Its default of 4 KiB is too
 * small for some browsers' cookies.
 */
const HEADERS_BYTES = '16384'

// The types leave out this option, which the module exports.
export type Native = typeof import('uWebSockets.js') & { readonly LIBUS_LISTEN_EXCLUSIVE_PORT: number }

/** Use the package's binary. */
export const PACKED: BinarySettings = { uwsBinary: null, uwsBinarySha256: null }

/**
 * Loads the native server, which only this function does. Verifies the file's checksum, and loads exactly this file,
 * past the package's JavaScript. Rejects as `verifiedBinary` does, and with `unsupported` when the system cannot load
 * it.
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
