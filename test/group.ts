/** Runs several test files in this process, one after the other: each is a suite of its name, with hooks of its own. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { ROOT } from './files.ts'

/** What of this process keeps it alive, by kind. */
const countOpen = (): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

/**
 * Writes to `progress` where it is, since a process that crashes or hangs cannot say so any more: the file that runs,
 * and at the end what each left open.
 */
export const runGroup = async (files: readonly string[], progress: string): Promise<void> => {
  const left: string[] = []
  for (const file of files) {
    writeFileSync(progress, `in the middle of ${file}`)
    const before = countOpen()
    await suite(file, async () => {
      await import(pathToFileURL(join(ROOT, file)).href)
    })
    for (const [kind, count] of countOpen()) if (count > (before.get(kind) ?? 0)) left.push(`${file} (${kind})`)
  }
  writeFileSync(
    progress,
    left.length === 0 ? 'after its last file' : `after its last file; left open by ${left.join(', ')}`,
  )
}
