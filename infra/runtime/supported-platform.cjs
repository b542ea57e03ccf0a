/**
 * Says in one sentence what Assay runs on, and what npm has left out: npm's `preinstall`, under whatever Node runs it (hence CommonJS
 * without dependencies).
 */
const { existsSync, readdirSync } = require('node:fs')

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

/**
 * Npm leaves out a native package that does not name the Node which npm runs on, without a word. The one that builds the app does so for
 * older ones. `root` is where node_modules is, `agent` how npm names itself; null when nothing is missing, or nothing is built here.
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
