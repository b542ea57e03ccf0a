import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { it } from 'node:test'

it('says what is supported on a platform without a build', () => {
  const module = new URL('./native.ts', import.meta.url).href
  const script = `
    Object.defineProperty(process, 'arch', { value: 'riscv64' })
    const { loadServer } = await import('${module}')
    await loadServer().catch(error => console.log(error.code + ': ' + error.message))`
  const { stdout } = spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  assert.match(stdout, /^unsupported: .*riscv64.*Linux with glibc \(x64, arm64\) or on macOS/)
})
