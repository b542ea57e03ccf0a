/**
 * Npm's `preinstall`: says in one sentence why this platform cannot run Assay, or which package npm left out. Runs
 * under whatever Node version npm uses, hence CommonJS without dependencies.
 */
const { existsSync, readdirSync } = require('node:fs')

const SUPPORTED = 'Assay runs on Linux with glibc (x64, arm64) and on macOS (x64, arm64)'

/** The sentence for a platform that cannot run Assay; null for a supported one. */
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

/**
 * The sentence for a missing builder of the app; null when nothing is missing or nothing is built here. Npm silently
 * leaves out a native package whose `engines` exclude npm's own Node version. `root` holds node_modules, `agent` is
 * npm's user agent.
 */
const missingBuilder = (root, agent) => {
  if (!existsSync(`${root}/node_modules/rolldown`)) return null
  const scope = `${root}/node_modules/@rolldown`
  if (existsSync(scope) && readdirSync(scope).some(name => name.startsWith('binding-'))) return null
  const [, node = 'another version'] = /node\/v(\S+)/.exec(agent) ?? []
  return `npm runs on Node ${node} here, and has left out the package that builds the app. Run npm with Node 20.19, 22.12 or newer. (\`npm ci --omit=dev\` needs no builder, where web/dist is there already.)`
}

const sentence = unsupportedPlatform() ?? missingBuilder(process.cwd(), process.env.npm_config_user_agent ?? '')
if (sentence !== null) {
  console.error(sentence)
  process.exit(1)
}
