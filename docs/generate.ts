import { writeFileSync } from 'node:fs'
import { referencePages } from './reference.ts'
import { thirdPartyNotices } from './third-party/notices.ts'

for (const [name, text] of Object.entries(referencePages())) {
  writeFileSync(new URL(`reference/${name}`, import.meta.url), text)
}
writeFileSync(new URL('../THIRD_PARTY_NOTICES', import.meta.url), thirdPartyNotices())
