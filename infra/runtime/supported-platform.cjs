/**
 * Says in one sentence what Assay runs on, before anything native is installed: npm's `preinstall`, under whatever Node runs npm
 * (hence CommonJS without dependencies).
 */
const SUPPORTED = 'Assay runs on Linux with glibc (x64, arm64) and on macOS (x64, arm64)'

/** The sentence that says why this platform cannot run Assay, or null when it can. */
const unsupportedPlatform = () => {
  const { platform, arch } = process
  if (platform !== 'linux' && platform !== 'darwin') {
    const hint = platform === 'win32' ? ' On Windows, use WSL 2.' : ''
    return `${SUPPORTED}; this is ${platform} on ${arch}.${hint}`
  }
  if (arch !== 'x64' && arch !== 'arm64') return `${SUPPORTED}; this processor is ${arch}.`
  if (platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined) {
    return `${SUPPORTED}; this Linux has another C library (musl, as Alpine has). Use a Debian-based image.`
  }
  return null
}

module.exports = { unsupportedPlatform }

if (require.main === module) {
  const sentence = unsupportedPlatform()
  if (sentence !== null) {
    console.error(sentence)
    process.exit(1)
  }
}
