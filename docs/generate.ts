import { writeFileSync } from 'node:fs'
import { referencePages } from './reference.ts'

for (const [name, text] of Object.entries(referencePages())) {
  writeFileSync(new URL(`reference/${name}`, import.meta.url), text)
}
