/**
 * A program: runs scripts of package.json side by side, prints what each said once it has ended, and ends with 1 when
 * one failed. `side-by-side.ts check:lint check:unused`
 */
import { spawn } from 'node:child_process'
import { ROOT } from './files.ts'

const run = (script: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', '--silent', script], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    const said: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => said.push(part))
    child.on('error', reject)
    child.on('close', code => {
      console.log(`${code === 0 ? '✔' : '✖'} ${script}`)
      process.stdout.write(Buffer.concat(said))
      resolve(code === 0)
    })
  })

const passed = await Promise.all(process.argv.slice(2).map(run))
process.exitCode = passed.length > 0 && passed.every(Boolean) ? 0 : 1
